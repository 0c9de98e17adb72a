"""Masked questions as vectors: their meaning, their words, and the schema items in them.

Runs of words are hashed into a fixed number of dimensions (Weinberger et al., "Feature Hashing", 2009).
"""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nlq_gateway.drafts.demonstrations.lexicon import Encode, Tag
from nlq_gateway.drafts.demonstrations.mask import Masked
from nlq_gateway.index.embedding import Vectors

DIMENSIONS = 512
LONGEST_RUN = 3
# Shares of meaning, words and schema in the similarity of two questions; they add up to 1.
MEANING, WORDS, SCHEMA = 0.4, 0.2, 0.4

Asked = tuple[Masked, tuple[Tag, ...]]


@dataclass(frozen=True, slots=True)
class Features:
    """Turns the questions of one pool into vectors, of unit length if all their words are known.

    A word that no question of the pool has counts as the rarest: a question about "types of films" is less
    similar to one about "films". It has no dimension of its own, so that the vector gets shorter.
    """

    rarity: Mapping[str, float]
    unseen: float

    @classmethod
    def of(cls, questions: Sequence[Asked]) -> Features:
        """Count the rarity of each run of words among the questions."""
        counted: Counter[str] = Counter()
        for masked, tags in questions:
            counted.update({*word_runs(masked), *schema_runs(masked, tags)})
        size = len(questions) + 1
        rarity = {run: math.log(size / (times + 0.5)) for run, times in counted.items()}
        return cls(rarity, math.log(size / 0.5))

    def vectors(self, questions: Sequence[Asked], encode: Encode) -> Vectors:
        """One row per question; the product of two rows is their similarity, in [-1, 1]."""
        meaning = encode([masked.text for masked, _ in questions])
        words = [self._hashed(word_runs(masked), self.unseen) for masked, _ in questions]
        # Unknown words for schema items do not count as other items.
        schema = [self._hashed(schema_runs(masked, tags), 0.0) for masked, tags in questions]
        shares = zip((MEANING, WORDS, SCHEMA), (meaning, words, schema), strict=True)
        rows: Vectors = np.hstack([math.sqrt(share) * np.asarray(part) for share, part in shares])
        return rows.astype(np.float32)

    def _hashed(self, runs: Iterable[str], unseen: float) -> Vectors:
        """The known runs weighted by their rarity, and unknown single words, which shorten the vector."""
        vector = np.zeros(DIMENSIONS, np.float32)
        strange = 0
        for run in set(runs):
            rarity = self.rarity.get(run)
            if rarity is not None:
                code = zlib.crc32(run.encode())
                vector[code % DIMENSIONS] += rarity if code >> 16 & 1 else -rarity
            elif " " not in run:
                strange += 1
        length = math.sqrt(float(vector @ vector) + strange * unseen**2)
        return vector / np.float32(length) if length else vector


def word_runs(masked: Masked) -> list[str]:
    """The runs of up to LONGEST_RUN stems and masks."""
    return _runs([word.stem or word.text for word in masked.words])


def schema_runs(masked: Masked, tags: tuple[Tag, ...]) -> list[str]:
    """The runs with the masks of schema items in place of the words that speak of them."""
    said = {tag.place: f"{{{tag.mask}}}" for tag in tags}
    words = [said.get(place) or ("~" + (word.stem or word.broad)) for place, word in enumerate(masked.words)]
    return _runs(words)


def _runs(words: Sequence[str]) -> list[str]:
    bounded = ["^", *words, "$"]
    return [
        " ".join(bounded[start : start + length])
        for length in range(1, LONGEST_RUN + 1)
        for start in range(len(bounded) - length + 1)
    ]
