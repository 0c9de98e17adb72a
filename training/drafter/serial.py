"""Programs in the order in which the drafter writes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from compilers.kopl.functions import FUNCTIONS, Kind
from compilers.kopl.program import Program
from nlq_gateway.drafts.drafter.vocabulary import END, FILLED, LARGEST_NUMBER, MOST_STEPS


@dataclass(frozen=True, slots=True)
class DrafterWord:
    """A word of the drafter's vocabulary."""

    text: str


@dataclass(frozen=True, slots=True)
class PointedArgument:
    """An argument that is pointed at: the step and argument, its kind, and its text."""

    place: tuple[int, int]
    kind: Kind
    text: str


class TooLong(ValueError):
    """The program has more steps, or larger numbers, than the drafter writes."""


def serial(program: Program) -> tuple[DrafterWord | PointedArgument, ...]:
    """The decisions of the drafter for a program, to the end.

    Raises:
        TooLong: the drafter cannot write it.
    """
    if len(program) > MOST_STEPS:
        raise TooLong(f"{len(program)} steps")
    work = _Serialization(program)
    return (*work.step(len(program) - 1), DrafterWord(END))


@dataclass(slots=True)
class _Serialization:
    program: Program
    written: dict[int, int] = field(default_factory=dict)

    def step(self, number: int) -> Iterator[DrafterWord | PointedArgument]:
        if number in self.written:
            yield DrafterWord(f"@{self.written[number]}")
            return
        step = self.program.steps[number]
        for dependency in step.dependencies:
            yield from self.step(dependency)
        self.written[number] = len(self.written)
        begun = (step.function, *step.inputs[:1])
        filled = next((word for word, given in FILLED.items() if given == begun), "")
        yield DrafterWord(filled or step.function)
        if FUNCTIONS[step.function].variadic:
            yield _number(str(len(step.dependencies)))
        for argument, parameter in enumerate(step.signature.parameters):
            if filled and argument == 0:
                continue
            text = step.inputs[argument]
            if parameter.choices:
                yield DrafterWord(text)
            elif parameter.kind == Kind.NUMBER:
                yield _number(text)
            else:
                yield PointedArgument((number, argument), parameter.kind, text)


def _number(text: str) -> DrafterWord:
    if not text.isdigit() or int(text) > LARGEST_NUMBER:
        raise TooLong(f"the number {text}")
    return DrafterWord(str(int(text)))
