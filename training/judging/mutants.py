"""Programs that differ from a right one in one thing: what the judge must tell apart from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from compilers.kopl.check import check
from compilers.kopl.functions import SCHEMA_KINDS, Kind
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index import Index

Choices = Mapping[tuple[int, int], tuple[str, ...]]

_OTHER = {
    "forward": "backward",
    "backward": "forward",
    ">": "<",
    "<": ">",
    ">=": "<=",
    "<=": ">=",
    "=": "!=",
    "!=": "=",
    "largest": "smallest",
    "smallest": "largest",
    "ascending": "descending",
    "descending": "ascending",
    "sum": "average",
    "average": "maximum",
    "maximum": "minimum",
    "minimum": "maximum",
}
_ENDS = {"What": "Count", "QueryName": "Count", "Count": "QueryName"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A program with one change, the IRIs of its arguments, and the kind of change."""

    program: Program
    choices: Choices
    kind: str


def mutants(program: Program, choices: Choices, index: Index, random: Random) -> Iterator[Mutant]:
    """All mutants that pass the checker, in no order."""
    makers = (_turned, _renamed, _other_entities, _without, _shortened, _ended)
    for maker in makers:
        for one in maker(program, choices, index, random):
            if one.program != program and not any(issue.severity == "error" for issue in check(one.program)):
                yield one


def _turned(program: Program, choices: Choices, _: Index, __: Random) -> Iterator[Mutant]:
    """A direction, an operator or an order the other way round."""
    for number, step in enumerate(program.steps):
        for argument, text in enumerate(step.inputs):
            kind = step.signature.parameters[argument].kind
            if kind in (Kind.DIRECTION, Kind.OPERATOR) and text in _OTHER:
                yield Mutant(_with(program, number, argument, _OTHER[text]), choices, "turned")


def _renamed(program: Program, choices: Choices, index: Index, random: Random) -> Iterator[Mutant]:
    """Another item of the same kind: of an attribute one with the same types and of the same things."""
    for (number, argument), iris in choices.items():
        kind = program.steps[number].signature.parameters[argument].kind
        item = index.item(kind, iris[0]) if kind in SCHEMA_KINDS else None
        others = [one for one in index.schema if item is not None and _is_like(one, item)]
        for other in random.sample(others, min(2, len(others))):
            changed = _with(program, number, argument, other.label)
            yield Mutant(changed, {**choices, (number, argument): (other.iri,)}, "renamed")


def _is_like(one: SchemaItem, other: SchemaItem) -> bool:
    if one.kind != other.kind or one.iri == other.iri:
        return False
    if one.kind != Kind.ATTRIBUTE:
        return True
    shared = {iri for iri, _ in one.domains} & {iri for iri, _ in other.domains}
    return bool(shared) and bool({*one.value_types} & {*other.value_types})


def _other_entities(program: Program, choices: Choices, index: Index, random: Random) -> Iterator[Mutant]:
    for (number, argument), iris in choices.items():
        if program.steps[number].signature.parameters[argument].kind == Kind.ENTITY:
            entity = index.entity(iris[0])
            others = [
                one
                for one in index.sample(200)
                if entity is not None and one.iri != iris[0] and {*one.concepts} & {*entity.concepts}
            ]
            for other in random.sample(others, min(1, len(others))):
                changed = _with(program, number, argument, other.label)
                yield Mutant(changed, {**choices, (number, argument): (other.iri,)}, "other entity")


def _without(program: Program, choices: Choices, _: Index, __: Random) -> Iterator[Mutant]:
    """Leave out a step with one input and an output of the same type."""
    for number, step in enumerate(program.steps):
        if len(step.dependencies) == 1 and number < len(program) - 1:
            yield Mutant(*_dropped(program, choices, number), "without")


def _shortened(program: Program, choices: Choices, _: Index, __: Random) -> Iterator[Mutant]:
    """A chain without one of its relations, and one beside it turned: films by writers, for their directors.

    What takes the beginning out of the end of the chain goes as well.
    """
    for number in reversed([at for at, step in enumerate(program.steps) if step.function == "Except"]):
        program, choices = _dropped(program, choices, number)
    led = [number for number, step in enumerate(program.steps) if step.function == "Relate"]
    for place, gone in enumerate(led if len(led) > 1 else ()):
        short, kept = _dropped(program, choices, gone)
        for beside in (led[place - 1] if place else None, led[place + 1] - 1 if gone < led[-1] else None):
            if beside is not None:
                way = _OTHER[short.steps[beside].inputs[1]]
                yield Mutant(_with(short, beside, 1, way), kept, "shortened")


def _dropped(program: Program, choices: Choices, gone: int) -> tuple[Program, Choices]:
    source, *_ = program.steps[gone].dependencies
    steps = []
    for number, step in enumerate(program.steps):
        if number != gone:
            fed = (source if one == gone else one for one in step.dependencies)
            steps.append(replace(step, dependencies=tuple(one - (one > gone) for one in fed)))
    kept = {
        (number - (number > gone), argument): iris
        for (number, argument), iris in choices.items()
        if number != gone
    }
    return Program(tuple(steps)), kept


def _ended(program: Program, choices: Choices, _: Index, __: Random) -> Iterator[Mutant]:
    """The things in the place of their number, and their number in the place of the things."""
    last = program.steps[-1]
    if last.function in _ENDS:
        ended = replace(last, function=_ENDS[last.function])
        yield Mutant(Program((*program.steps[:-1], ended)), choices, "ended")
    if last.function == "QueryAttr":
        named = Step("QueryName", (), last.dependencies)
        kept = {place: iris for place, iris in choices.items() if place[0] < len(program) - 1}
        yield Mutant(Program((*program.steps[:-1], named)), kept, "ended")


def _with(program: Program, number: int, argument: int, text: str) -> Program:
    step = program.steps[number]
    inputs = (*step.inputs[:argument], text, *step.inputs[argument + 1 :])
    steps = (*program.steps[:number], replace(step, inputs=inputs), *program.steps[number + 1 :])
    return Program(steps)
