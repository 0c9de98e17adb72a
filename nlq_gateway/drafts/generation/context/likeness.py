"""The similarity of the phrases of a question and the names of schema items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from compilers.kopl.functions import Kind
from nlq_gateway.drafts.generation.context.phrases import LONGEST, QuestionPhrase
from nlq_gateway.index import Index
from nlq_gateway.index.synonyms import synonyms_of
from nlq_gateway.index.text import fold, stem

NAMED = (Kind.RELATION, Kind.ATTRIBUTE, Kind.QUALIFIER)
# The score of a synonym of a name: above most cosines, below the name itself.
_SYNONYM = 0.88


@dataclass(frozen=True, slots=True)
class Spoken:
    """A phrase that speaks of the schema item at a position, and their similarity, in [0, 1]."""

    position: int
    phrase: QuestionPhrase
    score: float

    def beats(self, other: Spoken) -> bool:
        """True if it is the better reading of words that both have."""
        ahead = (self.score, self.phrase.words) > (other.score, other.phrase.words)
        return ahead and self.phrase.overlaps(other.phrase)


@dataclass(frozen=True)
class Likeness:
    """Compares phrases with the labels and aliases of one index, looked up once."""

    index: Index

    @cached_property
    def longest(self) -> int:
        """The words of the longest name of a relation, attribute or qualifier, at most `LONGEST`."""
        names = (text for at, text in self.index.schema_texts if self.index.schema[at].kind in NAMED)
        return min(LONGEST, max((len(name.split()) for name in names), default=1))

    def scores(
        self, phrases: Sequence[QuestionPhrase], positions: Sequence[int], language: str
    ) -> NDArray[np.float32]:
        """The highest cosine of an item's names, 1 for equal stems: shape (phrases, positions).

        For languages that the embedding model does not know only stems are compared.
        """
        scores = np.zeros((len(phrases), len(positions)), np.float32)
        if phrases and positions and self.index.compares(language):
            scores = self._cosines(phrases, positions)
        columns = {position: column for column, position in enumerate(positions)}
        for row, phrase in enumerate(phrases):
            for position, score in self._stems.get(stem(fold(phrase.text)), {}).items():
                if position in columns:
                    column = columns[position]
                    scores[row, column] = max(scores[row, column], score)
        return scores

    def of_all(self, phrases: Sequence[QuestionPhrase]) -> NDArray[np.float32]:
        """Return the scores of every item: shape (phrases, items of the schema)."""
        vectors = self.index.encode([phrase.text for phrase in phrases])
        scores: NDArray[np.float32] = vectors @ self.index.schema_vectors.T
        if len(self._starts) > 1:
            scores = np.maximum.reduceat(scores, self._starts[:-1], axis=1)
        for row, phrase in enumerate(phrases):
            for position, score in self._stems.get(stem(fold(phrase.text)), {}).items():
                scores[row, position] = max(scores[row, position], score)
        return scores

    def spoken(
        self, phrases: Sequence[QuestionPhrase], positions: Sequence[int], language: str, threshold: float
    ) -> list[Spoken]:
        """The items above the threshold with their best phrase, best first.

        A phrase speaks of its most similar item: if two share words, the less similar gives way, and of
        equally similar ones the shorter.
        """
        scores = self.scores(phrases, positions, language)
        pairs = [
            Spoken(positions[column], phrases[row], round(min(1.0, float(scores[row, column])), 3))
            for row, column in zip(*np.nonzero(scores >= threshold), strict=True)
        ]
        pairs.sort(key=lambda one: (-one.score, -one.phrase.words, one.phrase.start, one.position))
        kept: dict[int, Spoken] = {}
        for pair in pairs:
            if pair.position not in kept and not any(other.beats(pair) for other in kept.values()):
                kept[pair.position] = pair
        return list(kept.values())

    def _cosines(self, phrases: Sequence[QuestionPhrase], positions: Sequence[int]) -> NDArray[np.float32]:
        vectors = self.index.encode([phrase.text for phrase in phrases])
        starts = self._starts
        rows = np.concatenate([np.arange(starts[at], starts[at + 1]) for at in positions])
        firsts = np.cumsum([0, *(starts[at + 1] - starts[at] for at in positions[:-1])])
        found: NDArray[np.float32] = np.maximum.reduceat(
            vectors @ self.index.schema_vectors[rows].T, firsts, axis=1
        )
        return found

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        """The first row of each item's names; rows are in the order of the items, each has at least one."""
        owners = [position for position, _ in self.index.schema_texts]
        return np.searchsorted(owners, np.arange(len(self.index.schema) + 1)).astype(np.int64)

    @cached_property
    def _stems(self) -> dict[str, dict[int, float]]:
        """Stem of a name or a synonym -> position of an item -> score."""
        found: defaultdict[str, dict[int, float]] = defaultdict(dict)
        for position, text in self.index.schema_texts:
            for synonym in synonyms_of(text):
                found[stem(fold(synonym))].setdefault(position, _SYNONYM)
        for position, text in self.index.schema_texts:
            found[stem(fold(text))][position] = 1.0
        return dict(found)
