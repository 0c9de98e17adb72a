"""The demonstrations in a prompt: near questions, programs of a similar form, or a fixed set.

Near questions are SymKGQA's dynamic selection (section 3.2), over questions with names masked; all of an
endpoint's demonstrations are candidates, as more than its pool of 100 only help. Programs of a similar form
are CodeAlignKGQA's D' (section 3.3): the functions in post-order; here sequences are compared by their common
runs of functions, which is deterministic and needs no model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from compilers.iris import iri_in
from compilers.kopl.functions import Kind, function_named
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import Links
from nlq_gateway.drafts.demonstrations.lesson import Lesson
from nlq_gateway.drafts.demonstrations.pool import OF_A_SHAPE, LessonPool
from nlq_gateway.drafts.demonstrations.select import POOL, select
from nlq_gateway.drafts.demonstrations.verdict import PoolVerdict
from nlq_gateway.index import Index

LONGEST_RUN = 3


@dataclass(frozen=True, slots=True)
class Shot:
    """A demonstration for a prompt, with its similarity to the question or program, in [-1, 1].

    `program` has labels where the demonstration has IRIs.
    """

    question: str
    program: Program
    similarity: float = 0.0

    @property
    def entities(self) -> tuple[str, ...]:
        """The entities that the program names."""
        return self.program.named(Kind.ENTITY)


@dataclass(frozen=True)
class Shots:
    """Chooses from one pool. Safe to share between threads."""

    index: Index
    pool: LessonPool

    def nearest(self, links: Links, size: int) -> tuple[Shot, ...]:
        """The demonstrations whose masked questions are nearest to a linked question, nearest first."""
        near = PoolVerdict.on(links, self.index, self.pool).nearest
        return tuple(self._shot(at, similarity) for at, similarity in near[:size])

    def like_program(self, program: Program, size: int) -> tuple[Shot, ...]:
        """The demonstrations with the programs most similar to one, which need not be sound, best first.

        At most OF_A_SHAPE of them have programs that differ in entities and values alone.
        """
        wanted = runs_of(post_order(program))
        alike = {sequence: shared(wanted, runs) for sequence, runs in self._runs.items()}
        scores = [alike[sequence] for sequence in self._sequences]
        found: list[Shot] = []
        seen: Counter[object] = Counter()
        for at in sorted(range(len(scores)), key=lambda at: (-scores[at], at)):
            if len(found) >= size:
                break
            seen[self.pool.shapes[at]] += 1
            if seen[self.pool.shapes[at]] <= OF_A_SHAPE:
                found.append(self._shot(at, scores[at]))
        return tuple(found)

    def fixed(self, size: int) -> tuple[Shot, ...]:
        """The demonstrations that together use the most functions, at most POOL, for all questions."""
        return tuple(self._shot(at, 0.0) for at in self._covering[:size])

    @cached_property
    def _sequences(self) -> tuple[tuple[str, ...], ...]:
        return tuple(post_order(lesson.program) for lesson in self.pool.lessons)

    @cached_property
    def _runs(self) -> dict[tuple[str, ...], Counter[tuple[str, ...]]]:
        return {sequence: runs_of(sequence) for sequence in set(self._sequences)}

    @cached_property
    def _covering(self) -> tuple[int, ...]:
        given = [lesson.demonstration for lesson in self.pool.lessons]
        return select(given, lambda _: self.pool.vectors, POOL)

    def _shot(self, at: int, similarity: float) -> Shot:
        lesson = self.pool.lessons[at]
        return Shot(lesson.demonstration.question, _labelled(lesson, self.index), similarity)


def post_order(program: Program) -> tuple[str, ...]:
    """The functions of a program, each after those that feed it.

    A step that feeds no other begins a tree of its own. Dependencies on later steps are ignored.
    """
    sources = [[one for one in step.dependencies if 0 <= one < at] for at, step in enumerate(program.steps)]
    fed = {one for found in sources for one in found}
    waiting = [at for at in reversed(range(len(program))) if at not in fed]
    order: dict[int, None] = {}
    while waiting:
        at = waiting[-1]
        before = [one for one in sources[at] if one not in order]
        if before:
            waiting.extend(reversed(before))
        else:
            order[waiting.pop()] = None
    return tuple(_name(program.steps[at]) for at in order)


def runs_of(sequence: Iterable[str]) -> Counter[tuple[str, ...]]:
    """The number of each run of up to LONGEST_RUN functions in a sequence; its ends are marked."""
    bounded = ("^", *sequence, "$")
    return Counter(
        bounded[start : start + length]
        for length in range(1, LONGEST_RUN + 1)
        for start in range(len(bounded) - length + 1)
    )


def shared(one: Counter[tuple[str, ...]], other: Counter[tuple[str, ...]]) -> float:
    """The common share of both, in [0, 1] (Dice's coefficient)."""
    return 2 * (one & other).total() / (one.total() + other.total())


def _name(step: Step) -> str:
    function = function_named(step.function)
    return function.name if function else step.function


def _labelled(lesson: Lesson, index: Index) -> Program:
    return Program(
        tuple(
            Step(step.function, tuple(_labels(lesson, number, index)), step.dependencies)
            for number, step in enumerate(lesson.program.steps)
        )
    )


def _labels(lesson: Lesson, number: int, index: Index) -> Iterator[str]:
    for argument, text in enumerate(lesson.program.steps[number].inputs):
        item = lesson.items.get((number, argument))
        iri = iri_in(text)
        if not iri:
            yield text
        elif item is not None:
            yield item.label
        else:
            entity = index.entity(iri)
            yield entity.label if entity else text
