"""What is known of tables and numbers without running anything: where their contents come from."""

from __future__ import annotations

from dataclasses import dataclass

from compilers.kopl.functions import Type
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
    """Whether a step gives one number: it is taken over a set, or calculated from such numbers alone."""
    call = program.steps[step]
    if call.function == "Calculate":
        return all(is_number(program, source) for source in call.dependencies)
    return call.signature.output == Type.NUMBER


def is_aggregated(program: Program, step: int) -> bool:
    """Whether a column of a table is taken per combination of the others: there is a number in it."""
    call = program.steps[step]
    if call.function == "Calculate":
        return any(is_aggregated(program, source) for source in call.dependencies)
    return call.signature.output == Type.NUMBER


def subject_of(program: Program, step: int) -> int | None:
    """The step of the set that values are of; None for what is calculated from numbers alone."""
    call = program.steps[step]
    if call.function != "Calculate":
        return call.dependencies[0] if call.signature.output == Type.VALUES else None
    return next((s for d in call.dependencies if (s := subject_of(program, d)) is not None), None)


def leaves_of(program: Program, step: int) -> tuple[int, ...]:
    """The steps of values that values are calculated from, and the sets that these are of."""
    call = program.steps[step]
    if call.function == "Calculate":
        return tuple(dict.fromkeys(leaf for d in call.dependencies for leaf in leaves_of(program, d)))
    return (call.dependencies[0], step) if call.signature.output == Type.VALUES else ()
