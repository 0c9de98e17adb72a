"""A program as a tree of sets, and its printing in canonical order, so that one meaning has one program.

A set has a base, concepts, conditions on attributes, and edges to other sets. Printed: the name (or,
without one, the first edge, or FindAll), the concepts, the conditions, then every further edge and its
And. A step that joins two sets comes right after the steps of the second.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from compilers.kopl.program import Program, Step

_JOINS = ("Or", "Except")


class NotATree(ValueError):
    """A program that is no tree of sets with one ending."""


@dataclass(frozen=True, slots=True)
class Call:
    """A function with its textual arguments."""

    function: str
    inputs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """A filter on an attribute, and the qualifier filters on the fact that it finds."""

    call: Call
    qualifiers: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """The targets (forward) or sources (backward) of `other`, by facts with these qualifiers."""

    relation: str
    direction: str
    other: Set
    qualifiers: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Join:
    """Two sets in one, by Or, Except, or And where each has a name of its own."""

    function: str
    first: Set
    second: Set


@dataclass(frozen=True, slots=True)
class Set:
    """Entities that go by everything said here; a `base` that is text is their name."""

    base: str | Join | None = None
    concepts: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    edges: tuple[Edge, ...] = ()

    @property
    def is_everything(self) -> bool:
        """True if there is no condition at all."""
        return self == Set()

    def meet(self, other: Set) -> Set:
        """The intersection; a concept of both is kept once."""
        if self.base is not None and other.base is not None:
            return Set(Join("And", self, other))
        return Set(
            other.base if self.base is None else self.base,
            tuple(dict.fromkeys(self.concepts + other.concepts)),
            self.conditions + other.conditions,
            self.edges + other.edges,
        )


@dataclass(frozen=True, slots=True)
class Tree:
    """Sets, and the calls that make the answer: the first takes all sets, each other what the last gave."""

    sets: tuple[Set, ...]
    ending: tuple[Call, ...]


def read(program: Program) -> Tree:
    """The program as a tree; raises NotATree, also for what has no place in one (tables, say)."""
    ending: list[Call] = []
    index = len(program) - 1
    while len(program.steps[index].dependencies) == 1 and not _is_set(program.steps[index]):
        step = program.steps[index]
        ending.insert(0, Call(step.function, step.inputs))
        index = step.dependencies[0]
    step = program.steps[index]
    if _is_set(step):
        return Tree((_set(program, index),), tuple(ending))
    sets = tuple(_set(program, dependency) for dependency in step.dependencies)
    return Tree(sets, (Call(step.function, step.inputs), *ending))


def write(tree: Tree) -> Program:
    """The tree's program, in canonical order."""
    steps: list[Step] = []
    feeders = tuple(_write_set(entities, steps) for entities in tree.sets)
    for call in tree.ending:
        feeders = (_add(steps, call, *feeders),)
    return Program(tuple(steps))


def calls(tree: Tree) -> Iterator[Call]:
    """Every call with text of its own, in the order in which they are written."""
    for step in write(tree).steps:
        if step.inputs:
            yield Call(step.function, step.inputs)


def _is_set(step: Step) -> bool:
    return step.function in ("Find", "FindAll", "Relate", "And", *_JOINS) or "Filter" in step.function


def _set(program: Program, index: int) -> Set:
    step = program.steps[index]
    call, fed = Call(step.function, step.inputs), step.dependencies
    match call:
        case Call("FindAll"):
            return Set()
        case Call("Find", (name,)):
            return Set(name)
        case Call("And"):
            return _set(program, fed[0]).meet(_set(program, fed[1]))
        case Call(function) if function in _JOINS:
            return Set(Join(function, _set(program, fed[0]), _set(program, fed[1])))
        case Call("Relate", (relation, direction)):
            return Set(edges=(Edge(relation, direction, _set(program, fed[0])),))
        case Call("FilterConcept", (concept,)):
            return _set(program, fed[0]).meet(Set(concepts=(concept,)))
        case Call(function) if function.startswith("QFilter"):
            return _qualified(_set(program, fed[0]), call, program, fed[0])
        case Call(function) if function.startswith("Filter") and len(fed) == 1:
            return _set(program, fed[0]).meet(Set(conditions=(Condition(call),)))
    raise NotATree(f"{step} has no place in a tree of sets")


def _qualified(entities: Set, call: Call, program: Program, fact: int) -> Set:
    while program.steps[fact].function.startswith("QFilter"):
        fact = program.steps[fact].dependencies[0]
    if program.steps[fact].function == "Relate":
        *edges, edge = entities.edges
        return replace(entities, edges=(*edges, replace(edge, qualifiers=(*edge.qualifiers, call))))
    *conditions, last = entities.conditions
    return replace(entities, conditions=(*conditions, replace(last, qualifiers=(*last.qualifiers, call))))


def _write_set(entities: Set, steps: list[Step]) -> int:
    edges = list(entities.edges)
    match entities.base:
        case str(name):
            index = _add(steps, Call("Find", (name,)))
        case Join(function, first, second):
            one = _write_set(first, steps)
            index = _add(steps, Call(function), one, _write_set(second, steps))
        case _:
            index = _write_edge(edges.pop(0), steps) if edges else _add(steps, Call("FindAll"))
    for concept in entities.concepts:
        index = _add(steps, Call("FilterConcept", (concept,)), index)
    for condition in entities.conditions:
        index = _add_fact(steps, condition.call, condition.qualifiers, index)
    for edge in edges:
        index = _add(steps, Call("And"), index, _write_edge(edge, steps))
    return index


def _write_edge(edge: Edge, steps: list[Step]) -> int:
    call = Call("Relate", (edge.relation, edge.direction))
    return _add_fact(steps, call, edge.qualifiers, _write_set(edge.other, steps))


def _add_fact(steps: list[Step], call: Call, qualifiers: tuple[Call, ...], fed: int) -> int:
    index = _add(steps, call, fed)
    for qualifier in qualifiers:
        index = _add(steps, qualifier, index)
    return index


def _add(steps: list[Step], call: Call, *fed: int) -> int:
    steps.append(Step(call.function, call.inputs, fed))
    return len(steps) - 1
