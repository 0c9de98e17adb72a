"""What is known of tables and numbers without running anything: where their contents come from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from compilers.kopl.functions import CALCULATING, Type
from compilers.kopl.program import Program
from compilers.kopl.values import whole_number


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column: the step (index from 0) that it shows, and what that step gives."""

    step: int
    type: Type


def columns_of(program: Program, step: int) -> tuple[TableColumn, ...]:
    """The columns of the table that `step` gives, from left to right; none where it gives no table.

    A table made of two has the columns of the first. The inputs of the step and of those before it must
    be sound (the checker says so); a DropColumn that names no column drops none.
    """
    dropped: list[int | None] = []
    call = program.steps[step]
    while call.function != "Table":
        if call.signature.output != Type.ROWS:
            return ()
        if call.function == "DropColumn":
            dropped.append(whole_number(call.inputs[0]))
        call = program.steps[call.dependencies[0]]
    columns = [TableColumn(source, program.steps[source].signature.output) for source in call.dependencies]
    for number in reversed(dropped):
        if number is not None and 1 <= number <= len(columns):
            del columns[number - 1]
    return tuple(columns)


def is_number(program: Program, step: int) -> bool:
    """Whether a step gives one number: taken over a set, stated, or calculated from such numbers alone."""
    return all(program.steps[source].signature.output == Type.NUMBER for source in operands_of(program, step))


def is_aggregated(program: Program, step: int) -> bool:
    """Whether a column of a table is taken per combination of the others.

    It has a number in it that is taken over a set, or is made of stated numbers alone.
    """
    numbers = [s for s in operands_of(program, step) if program.steps[s].signature.output == Type.NUMBER]
    return is_number(program, step) or any(program.steps[s].function != "Number" for s in numbers)


def is_calculated_number(program: Program, step: int) -> bool:
    """Whether a step calculates with a number taken over a set, perhaps with values besides."""
    return program.steps[step].function in CALCULATING and is_aggregated(program, step)


def subject_of(program: Program, step: int) -> int | None:
    """The step of the set that values are of; None for what is calculated from numbers alone."""
    return next(iter(leaves_of(program, step)), None)


def leaves_of(program: Program, step: int) -> tuple[int, ...]:
    """The steps of values that values are calculated from, each behind the set that they are of."""
    values = (s for s in operands_of(program, step) if program.steps[s].signature.output == Type.VALUES)
    return tuple(dict.fromkeys(leaf for s in values for leaf in (program.steps[s].dependencies[0], s)))


def operands_of(program: Program, step: int) -> tuple[int, ...]:
    """The steps that a value is calculated from, each once, in their order; the step itself if it is none."""
    behind = reached(program, step, lambda s: program.steps[s].function in CALCULATING)
    return tuple(source for source in behind if program.steps[source].function not in CALCULATING)


def reached(program: Program, step: int, through: Callable[[int], bool]) -> Iterator[int]:
    """A step and those behind it, each once, in their order, as far as each goes `through`."""
    seen: set[int] = set()
    ahead = [step]
    while ahead:
        source = ahead.pop()
        if source not in seen:
            seen.add(source)
            yield source
            ahead.extend(reversed(program.steps[source].dependencies if through(source) else ()))
