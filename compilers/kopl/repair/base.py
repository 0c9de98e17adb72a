"""The repairs of a program, on record: no change to make it run is silent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from compilers.kopl.functions import Function, Kind, Parameter, Type, ValueType, function_named
from compilers.kopl.notations.calls import quote
from compilers.kopl.program import Program, Step
from compilers.kopl.rules import feeder


@dataclass(frozen=True, slots=True)
class Repair:
    """One change. `step` and `argument` count from 0 in the program after it; None is the whole step.

    `before` and `after` are the texts, "" for an added or removed one; `why` is a sentence.
    """

    step: int
    argument: int | None
    before: str
    after: str
    why: str


@dataclass(frozen=True, slots=True)
class Repaired:
    """A program after repair, and its repairs in order."""

    program: Program
    repairs: tuple[Repair, ...] = ()


# The value types of an attribute or qualifier by its name; () for names that the graph lacks.
TypesOf = Callable[[Kind, str], tuple[ValueType, ...]]

# A program after one change, with the change.
Change = tuple[Program, Repair]

# Looks at one step of a program; None where it finds nothing to change. Never raises.
Fix = Callable[[Program, int, TypesOf | None], Change | None]


def consumers(program: Program, index: int) -> list[Function]:
    """The functions that a step feeds, those that are known."""
    fed = (step.function for step in program.steps if index in step.dependencies)
    return [known for function in fed if (known := function_named(function)) is not None]


def given(program: Program, index: int) -> Type | None:
    """The output type of the first step that feeds this one; None if there is none or it is unknown."""
    dependencies = program.steps[index].dependencies
    function = feeder(program, index, dependencies[0]) if dependencies else None
    return function.output if function is not None else None


def arguments(step: Step) -> Iterator[tuple[int, Parameter, str]]:
    """The arguments of a step that have a parameter: position, parameter and text."""
    function = function_named(step.function)
    parameters = function.parameters if function is not None else ()
    for at, (parameter, text) in enumerate(zip(parameters, step.inputs, strict=False)):
        yield at, parameter, text


def with_step(program: Program, index: int, step: Step) -> Program:
    """The program with another step at `index`."""
    return Program((*program.steps[:index], step, *program.steps[index + 1 :]))


def with_input(program: Program, index: int, argument: int, text: str) -> Program:
    """The program with another text as an argument of a step."""
    return with_step(program, index, program.steps[index].with_input(argument, text))


def with_argument(program: Program, index: int, argument: int, text: str, why: str) -> Change:
    """The program with another text as an argument of a step, and the repair."""
    before = program.steps[index].inputs[argument]
    return with_input(program, index, argument, text), Repair(index, argument, before, text, why)


def with_call(program: Program, index: int, function: str, inputs: tuple[str, ...], why: str) -> Change:
    """The program with another call at `index`, fed by the same steps."""
    step = program.steps[index]
    other = replace(step, function=function, inputs=inputs)
    return with_step(program, index, other), Repair(index, None, call(step), call(other), why)


def without_step(program: Program, index: int) -> Program:
    """The program without a step; its consumers are fed by its first input instead."""
    through = next(iter(program.steps[index].dependencies), None)

    def moved(dependency: int) -> int | None:
        fed = through if dependency == index else dependency
        return fed - 1 if fed is not None and fed > index else fed

    kept = (step for at, step in enumerate(program.steps) if at != index)
    return Program(tuple(_fed_by(step, map(moved, step.dependencies)) for step in kept))


def with_step_before(program: Program, index: int, step: Step) -> Program:
    """The program with a step before `index`, which feeds the step that was there and nothing else."""

    def moved(dependency: int) -> int:
        return dependency + 1 if dependency >= index else dependency

    later = [_fed_by(one, map(moved, one.dependencies)) for one in program.steps[index:]]
    return Program((*program.steps[:index], step, _fed_by(later[0], (index,)), *later[1:]))


def _fed_by(step: Step, dependencies: Iterable[int | None]) -> Step:
    return replace(step, dependencies=tuple(one for one in dependencies if one is not None))


def call(step: Step) -> str:
    """A call as repairs show it, its arguments quoted where needed."""
    return f"{step.function}({', '.join(map(quote, step.inputs))})"
