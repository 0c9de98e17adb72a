"""Ways through a program: combinations of the members of steps (docs/extensions.md)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from compilers.kopl.functions import RELATING, Type
from compilers.kopl.program import Program, Step
from tests.oracle.evaluation import Item, StepResult
from tests.oracle.graph import Fact, RelationFact

Way = Mapping[int, Item]


@dataclass(frozen=True, slots=True)
class Ways:
    """Distinct choices of an item for each of `steps`, one per row."""

    steps: tuple[int, ...]
    rows: frozenset[tuple[Item, ...]]

    def __iter__(self) -> Iterator[Way]:
        """Each way as a mapping from step to item."""
        return (dict(zip(self.steps, row, strict=True)) for row in self.rows)

    def extended(self, step: int, items: Callable[[Way], Iterable[Item]]) -> Ways:
        """Every way with each of the items that it leads to as its item for `step`."""
        rows = ((*way.values(), item) for way in self for item in items(way))
        return Ways((*self.steps, step), frozenset(rows))

    def where(self, holds: Callable[[Way], bool]) -> Ways:
        """The ways for which `holds` is true."""
        return Ways(self.steps, frozenset(tuple(way.values()) for way in self if holds(way)))

    def only(self, steps: Iterable[int]) -> Ways:
        """The distinct ways restricted to these steps."""
        kept = tuple(steps)
        return Ways(kept, frozenset(tuple(way[step] for step in kept) for way in self))

    def join(self, other: Ways) -> Ways:
        """The pairs of ways with equal items for their common steps."""
        shared = [step for step in self.steps if step in other.steps]
        new = [step for step in other.steps if step not in self.steps]
        partners: defaultdict[tuple[Item, ...], list[tuple[Item, ...]]] = defaultdict(list)
        for way in other:
            partners[tuple(way[s] for s in shared)].append(tuple(way[s] for s in new))
        rows = (
            (*way.values(), *rest) for way in self for rest in partners.get(tuple(way[s] for s in shared), ())
        )
        return Ways((*self.steps, *new), frozenset(rows))


NO_CHOICE = Ways((), frozenset({()}))


def joined(ways: Iterable[Ways]) -> Ways:
    """All of them joined; one way of no steps where there are none."""
    together = NO_CHOICE
    for other in ways:
        together = together.join(other)
    return together


def _asked_of(program: Program, step: int) -> int | None:
    """The Relate step whose facts a step reads qualifiers of, or None."""
    behind = step
    while program.steps[behind].function.startswith("QFilter"):
        behind = program.steps[behind].dependencies[0]
    return behind if behind != step and program.steps[behind].function == "Relate" else None


def _start(relate: Step, fact: Fact) -> str:
    """The subject of a fact, seen in the direction of a Relate."""
    assert isinstance(fact, RelationFact)
    return fact.source if relate.inputs[1] == "forward" else fact.target


def onward(program: Program, results: tuple[StepResult, ...], step: int) -> Callable[[Way], Iterable[Item]]:
    """A function from a way at a step's first input to the items that the step leads to.

    A qualifier is read from the fact that the way took, if it took one.
    """
    result, source = results[step], program.steps[step].dependencies[0]
    relate = _asked_of(program, step)
    if relate is not None:
        start = program.steps[relate].dependencies[0]
        taken = {(_start(program.steps[relate], fact), entity) for entity, fact in result.facts}
        return lambda way: (way[source],) if (way[start], way[source]) in taken else ()
    links: defaultdict[Item, set[Item]] = defaultdict(set)
    if result.kind == Type.VALUES:
        for entity, value in result.pairs:
            links[entity].add(value)
    elif program.steps[step].function in RELATING:
        for entity, fact in result.facts:
            links[_start(program.steps[step], fact)].add(entity)
    else:
        links.update({entity: {entity} for entity in result.entities})
    return lambda way: links.get(way[source], ())
