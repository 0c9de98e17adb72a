"""A program while it is being written: each step returns a new sketch, so that attempts share a beginning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from compilers.errors import UnsupportedProgram
from compilers.kopl.functions import Kind
from compilers.kopl.notations import NOTATIONS
from compilers.kopl.program import Program, Step

Place = tuple[int, int]
MASK = "_"


class LabelledIri(NamedTuple):
    """The IRI of an argument, and its label."""

    iri: str
    label: str


@dataclass(frozen=True, slots=True)
class ProgramSketch:
    """Steps so far; `choices` are the IRIs meant, by (step, argument) from 0."""

    steps: tuple[Step, ...] = ()
    choices: Mapping[Place, tuple[str, ...]] = field(default_factory=dict)

    @property
    def end(self) -> int:
        """The index of the last step."""
        return len(self.steps) - 1

    @property
    def program(self) -> Program:
        """The steps as a program."""
        return Program(self.steps)

    def add(self, function: str, *arguments: str | LabelledIri, of: tuple[int, ...] = ()) -> ProgramSketch:
        """The sketch with a step more, fed by the steps `of`."""
        texts = tuple(one.label if isinstance(one, LabelledIri) else one for one in arguments)
        meant = {
            (len(self.steps), position): (one.iri,)
            for position, one in enumerate(arguments)
            if isinstance(one, LabelledIri)
        }
        return ProgramSketch((*self.steps, Step(function, texts, of)), {**self.choices, **meant})

    def then(self, function: str, *arguments: str | LabelledIri) -> ProgramSketch:
        """The sketch with a step more, fed by its last one."""
        return self.add(function, *arguments, of=(self.end,))

    def join(self, other: ProgramSketch, function: str, *arguments: str | LabelledIri) -> ProgramSketch:
        """The other sketch's steps behind these, and a step fed by the ends of both."""
        shift = len(self.steps)
        moved = tuple(replace(s, dependencies=tuple(d + shift for d in s.dependencies)) for s in other.steps)
        meant = {(step + shift, argument): iris for (step, argument), iris in other.choices.items()}
        both = ProgramSketch((*self.steps, *moved), {**self.choices, **meant})
        return both.add(function, *arguments, of=(self.end, both.end))


def written(program: Program) -> str:
    """Write a program as calls joined by arrows, or as numbered steps if the chain cannot express it."""
    try:
        return NOTATIONS["chain"].write(program)
    except UnsupportedProgram:
        return NOTATIONS["steps"].write(program)


def pattern_of(program: Program) -> str:
    """The program with its entities, values and counts masked; functions and the schema's names stay."""
    return written(Program(tuple(map(_masked, program.steps))))


def _masked(step: Step) -> Step:
    parameters = step.signature.parameters
    inputs = tuple(
        MASK if parameter.kind in _MASKED and parameter.name != "column" else text
        for parameter, text in zip(parameters, step.inputs, strict=True)
    )
    return replace(step, inputs=inputs)


_MASKED = (Kind.ENTITY, Kind.VALUE, Kind.NUMBER)
