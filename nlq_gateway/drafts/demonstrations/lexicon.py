"""The schema items that words speak of: by the items' names, corrected by demonstrations.

A ridge regression from the words of the questions to the items of their programs (Hoerl and Kennard, 1970) is
fitted to the errors of the names alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from compilers.kopl.functions import Kind, ValueType
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.core.words import STOP_WORDS
from nlq_gateway.drafts.demonstrations.lesson import Lesson
from nlq_gateway.drafts.demonstrations.mask import Masked, MaskedWord
from nlq_gateway.index import Index
from nlq_gateway.index.embedding import Vectors
from nlq_gateway.index.text import fold, stem_word

Encode = Callable[[Sequence[str]], Vectors]
SPEAKS = 0.35
_RIDGE = 1.0
_NOISE, _CERTAIN = 0.35, 0.85
_ALIKE = 0.4
_MOST_WORDS = 4000
_MANY = 0.1
_MOST_CACHED = 10_000
# The words of a question that are read, twice as many as the longest of the benchmarks has.
MOST_WORDS = 100


@dataclass(frozen=True, slots=True)
class Tag:
    """A word for a schema item: its place and stem, and a mask that other questions have too.

    `degree` in (0, 1] is its certainty.
    """

    place: int
    stem: str
    item: SchemaItem
    mask: str
    degree: float


@dataclass(frozen=True)
class PoolLexicon:
    """The lexicon of one graph and one pool."""

    index: Index
    words: Mapping[str, int]
    vectors: Vectors
    columns: NDArray[np.int64]
    learned: Vectors
    _best: dict[str, tuple[int, float]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, lessons: Sequence[Lesson], weights: Sequence[float], index: Index, encode: Encode
    ) -> PoolLexicon:
        """Learn from lessons; `weights` has the weight of each."""
        samples = [{word.stem: word.text for word in one.masked.words if word.speaks} for one in lessons]
        counted: dict[str, tuple[int, str]] = {}
        for sample in samples:
            for stem, text in sample.items():
                counted[stem] = (counted.get(stem, (0, text))[0] + 1, text)
        kept = sorted(counted, key=lambda stem: (-counted[stem][0], stem))[:_MOST_WORDS]
        words = {stem: number for number, stem in enumerate(kept)}
        texts = [counted[stem][1] for stem in kept]
        vectors = encode(texts)
        start = cls(index, {}, vectors[:0], np.arange(0), np.zeros((0, 0), np.float32))
        prior = start.priors(texts, vectors)
        used = [{index.positions[item.kind, item.iri] for item in one.items.values()} for one in lessons]
        columns = np.array(
            sorted(set(np.flatnonzero(prior.max(axis=0, initial=0.0) >= SPEAKS)).union(*used)), np.int64
        )
        seen = np.zeros((len(lessons), len(words)), np.float32)
        right = np.zeros((len(lessons), len(columns)), np.float32)
        for row, (sample, items) in enumerate(zip(samples, used, strict=True)):
            seen[row, [words[stem] for stem in sample if stem in words]] = 1
            right[row, np.searchsorted(columns, sorted(items))] = 1
        prior = prior[:, columns]
        missed = right - np.minimum(seen @ prior, 1)
        learned = prior + ridge(seen, missed, np.array(weights, np.float32), _RIDGE)
        return cls(index, words, vectors, columns, learned.astype(np.float32))

    def priors(self, texts: Sequence[str], vectors: Vectors) -> Vectors:
        """The degree to which words speak of each schema item by the names alone: a row for each word."""
        scores = np.zeros((len(texts), len(self.index.schema)), np.float32)
        if not self.index.schema_texts or not texts:
            return scores
        near = np.clip((vectors @ self.index.schema_vectors.T - _NOISE) / (_CERTAIN - _NOISE), 0, 1)
        for column, (position, _) in enumerate(self.index.schema_texts):
            np.maximum(scores[:, position], near[:, column], out=scores[:, position])
        for row, text in enumerate(texts):
            for position, size in self._by_stem.get(stem_word(fold(text)), ()):
                scores[row, position] = max(scores[row, position], 2 / (1 + size))
        return scores

    @cached_property
    def _by_stem(self) -> dict[str, list[tuple[int, int]]]:
        """The items with a stem in a name, each with the number of stems in the name."""
        found: dict[str, list[tuple[int, int]]] = {}
        for position, name in self.index.schema_texts:
            stems = _stems(name)
            for stem in stems:
                found.setdefault(stem, []).append((position, len(stems)))
        return found

    def speaks_of(self, word: MaskedWord) -> tuple[int, float]:
        """The schema position that a word speaks of most certainly, and the degree: 0 for none."""
        found = self._best.get(word.text)
        if found is None:
            degrees = self._degrees(word)
            at = int(degrees.argmax()) if len(degrees) else 0
            found = at, min(1.0, float(degrees[at])) if len(degrees) else 0.0
            if len(self._best) >= _MOST_CACHED:
                self._best.clear()
            self._best[word.text] = found
        return found

    def _degrees(self, word: MaskedWord) -> Vectors:
        """The degree to which a word speaks of each schema item; a new word takes the most similar one's."""
        row = self.words.get(word.stem)
        if row is not None:
            return self._spread(self.learned[row])
        vector = self.index.encode([word.text])[0]
        prior: Vectors = self.priors([word.text], vector[None])[0]
        if not len(self.vectors):
            return prior
        alike = self.vectors @ vector
        nearest = int(alike.argmax())
        share = max(0.0, (float(alike[nearest]) - _ALIKE) / (1 - _ALIKE))
        return np.maximum(prior, self._spread(self.learned[nearest] * np.float32(share)))

    def _spread(self, learned: Vectors) -> Vectors:
        degrees = np.zeros(len(self.index.schema), np.float32)
        degrees[self.columns] = learned
        return degrees

    def tags(self, masked: Masked) -> tuple[Tag, ...]:
        """The first words that speak of schema items, with masks numbered in the order of the items."""
        found: list[Tag] = []
        masks: dict[str, str] = {}
        taken: dict[str, int] = {}
        for place, word in enumerate(masked.words[:MOST_WORDS]):
            if not word.speaks:
                continue
            at, degree = self.speaks_of(word)
            if degree < SPEAKS:
                continue
            item = self.index.schema[at]
            if item.iri not in masks:
                signature = signature_of(item)
                masks[item.iri] = f"{signature}#{taken.get(signature, 0)}"
                taken[signature] = taken.get(signature, 0) + 1
            found.append(Tag(place, word.stem, item, masks[item.iri], degree))
        return tuple(found)


def signature_of(item: SchemaItem) -> str:
    """The key of interchangeable items: their kind, and the classes at their ends."""
    if item.kind == Kind.CONCEPT:
        return "concept"
    if item.kind == Kind.RELATION:
        return f"{main(item.domains)}>{main(item.ranges)}"
    types = item.value_types[:1] or (ValueType.STRING,)
    return f"{main(item.domains)}.{types[0]}" if item.kind == Kind.ATTRIBUTE else f"@{types[0]}"


def main(ends: tuple[tuple[str, int], ...]) -> str:
    """The class that is most frequent at one end of an item's facts."""
    return ends[0][0] if ends else ""


def left_out(tags: Iterable[Tag], used: Collection[SchemaItem]) -> tuple[Tag, ...]:
    """The words for items that a program lacks.

    A class needs no step of its own if a relation leads to it anyway, and the program filters by no class.
    """
    iris = {item.iri for item in used}
    implied = {
        iri
        for item in used
        for ends in (item.domains, item.ranges)
        for iri, count in ends
        if count >= _MANY * item.count
    }
    chooses = any(item.kind == Kind.CONCEPT for item in used)
    return tuple(
        tag
        for tag in tags
        if tag.item.iri not in iris
        and (chooses or tag.item.kind != Kind.CONCEPT or tag.item.iri not in implied)
    )


def ridge(seen: Vectors, wanted: Vectors, weights: Vectors, price: float) -> Vectors:
    """The ridge regression from rows of `seen` to rows of `wanted`, solved in the smaller dimension."""
    rows, columns = seen.shape
    if rows <= columns:
        inner = seen @ seen.T + np.diag(price / weights)
        solved: Vectors = seen.T @ np.linalg.solve(inner, wanted)
        return solved
    scaled = seen * weights[:, None]
    inner = seen.T @ scaled + price * np.eye(columns, dtype=np.float32)
    result: Vectors = np.linalg.solve(inner, scaled.T @ wanted)
    return result


def _stems(name: str) -> frozenset[str]:
    words = fold(name).split()
    return frozenset(stem_word(word) for word in ([w for w in words if w not in STOP_WORDS] or words))
