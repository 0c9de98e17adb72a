"""What is known of a table without running anything: its columns, and where they come from."""

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
