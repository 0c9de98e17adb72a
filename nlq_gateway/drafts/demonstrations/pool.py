"""The demonstrations of one endpoint: the nearest to a question, and the votes of all of them.

The votes are a ridge regression from questions to the parts of their programs (kernel dependency estimation,
Weston et al. 2002): every demonstration votes for each part of its program, in proportion to its question's
similarity to the one asked, as far as others do not vote for it already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from compilers.kopl.values import String
from nlq_gateway.drafts.demonstrations.features import Features
from nlq_gateway.drafts.demonstrations.lesson import Lesson, Place
from nlq_gateway.drafts.demonstrations.lexicon import Encode, PoolLexicon, Tag, ridge
from nlq_gateway.drafts.demonstrations.mask import Masked
from nlq_gateway.drafts.demonstrations.parts import parts_of
from nlq_gateway.index import Index
from nlq_gateway.index.embedding import Vectors

RIDGE = 0.05
TRUST = {"confirmed": 1.0, "example": 1.0, "explored": 0.3}
_MOST_PARTS = 3_000
OF_A_SHAPE = 3


@dataclass(frozen=True)
class LessonPool:
    """Lessons with the weights learned from them. Safe to share between threads."""

    lessons: tuple[Lesson, ...]
    tags: tuple[tuple[Tag, ...], ...]
    lexicon: PoolLexicon
    features: Features
    vectors: Vectors
    parts: Mapping[str, int]
    votes: Vectors
    spanned: Vectors

    @cached_property
    def shapes(self) -> tuple[object, ...]:
        """The shapes of the lessons' programs."""
        numbers: dict[object, int] = {}
        return tuple(numbers.setdefault(one.shape, len(numbers)) for one in self.lessons)

    @cached_property
    def has_texts(self) -> bool:
        """True if a question of a lesson contains a string of the graph."""
        return any(isinstance(hole.value, String) for one in self.lessons for hole in one.holes)

    @classmethod
    def of(cls, lessons: Sequence[Lesson], index: Index, encode: Encode) -> LessonPool:
        """Learn from lessons; at least one is needed."""
        weights = [TRUST[one.demonstration.source] for one in lessons]
        lexicon = PoolLexicon.of(lessons, weights, index, encode)
        tags = tuple(lexicon.tags(one.masked) for one in lessons)
        questions = [(one.masked, found) for one, found in zip(lessons, tags, strict=True)]
        features = Features.of(questions)
        vectors = features.vectors(questions, encode)
        stated = [
            parts_of(one.program, one.items, masks_of(one), found)
            for one, found in zip(lessons, tags, strict=True)
        ]
        counted = Counter(part for found_parts in stated for part in sorted(found_parts))
        parts = {part: number for number, (part, _) in enumerate(counted.most_common(_MOST_PARTS))}
        wanted = np.zeros((len(lessons), len(parts)), np.float32)
        for row, found_parts in enumerate(stated):
            wanted[row, [parts[part] for part in found_parts if part in parts]] = 1
        learned = ridge(vectors, np.hstack([wanted, vectors]), np.array(weights, np.float32), RIDGE)
        votes, spanned = np.hsplit(learned.astype(np.float32), [len(parts)])
        return cls(tuple(lessons), tags, lexicon, features, vectors, parts, votes, spanned)

    def vector(self, masked: Masked, tags: tuple[Tag, ...]) -> Vectors:
        """The vector of a question."""
        row: Vectors = self.features.vectors([(masked, tags)], self.lexicon.index.encode)[0]
        return row

    def trust(self, lesson: int) -> float:
        """The weight of a lesson by its source, in [0, 1]."""
        return TRUST[self.lessons[lesson].demonstration.source]

    def nearest(self, vector: Vectors, size: int) -> list[tuple[int, float]]:
        """The positions of the nearest lessons with their similarity, nearest first.

        At most OF_A_SHAPE of them have programs that differ in entities and values alone.
        """
        scores = self.vectors @ vector
        found: list[tuple[int, float]] = []
        seen: Counter[object] = Counter()
        for at in np.argsort(-scores, kind="stable"):
            shape = self.shapes[at]
            if seen[shape] < OF_A_SHAPE:
                seen[shape] += 1
                found.append((int(at), float(scores[at])))
            if len(found) >= size:
                break
        return found

    def voted(self, vector: Vectors) -> Vectors:
        """The votes of the lessons for each part, about 0 to 1."""
        votes: Vectors = vector @ self.votes
        return votes

    def known(self, vector: Vectors) -> float:
        """The share of a question that the lessons have together, in [0, 1]: 1 less the votes' variance.

        One lesson knows little of a question that is not its own, however similar; hundreds know all of most
        (the predictive variance of a Gaussian process; Rasmussen and Williams 2006, 2.26).
        """
        return min(1.0, max(0.0, float(vector @ self.spanned @ vector)))

    def distance(self, votes: Vectors, parts: frozenset[str]) -> float:
        """The squared distance between the votes and a program's parts."""
        known = [at for part in parts if (at := self.parts.get(part)) is not None]
        shared = float(votes[known].sum())
        return float(votes @ votes) - 2 * shared + len(parts)


def masks_of(lesson: Lesson) -> dict[Place, str]:
    """The masks of the arguments that the question of a lesson names."""
    return {place: f"<{hole.name}>" for hole in lesson.holes for place in hole.places}
