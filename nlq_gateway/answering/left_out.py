"""The members of a set that no row of a table shows, because they lack what another column asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compilers.answers import Answer
from compilers.kopl.functions import Type
from compilers.kopl.program import Program
from compilers.kopl.tables import COLUMNWISE, columns_of

# Between the columns and the answer they keep all rows.
_KEEPING = frozenset({*COLUMNWISE, "SortTable", "DropColumn", "DistinctTable"})


def left_out(program: Program, answer: Answer, counts: Mapping[int, int]) -> Iterator[str]:
    """A message for each set that a table shows, or counts, without some of its members.

    `counts` are the members of sets by step. A table joins its columns: the books of each genre, beside the
    latest year of these books, are those with a year. Members that stand in several rows hide others.
    """
    last = len(program) - 1
    rows = [at for at in program.ancestors(last) if program.steps[at].signature.output == Type.ROWS]
    functions = {program.steps[at].function for at in rows}
    if not functions <= _KEEPING:
        return
    for number, column in enumerate(columns_of(program, last)):
        cells = [cell for row in answer.rows if (cell := row[number]) is not None]
        source, shown = column.step, len({cell.value for cell in cells})
        if program.steps[source].function == "Count" and "DistinctTable" not in functions:
            source, shown = program.steps[source].dependencies[0], sum(int(cell.value) for cell in cells)
        elif column.type not in (Type.ENTITIES, Type.FACTS) or any(cell.type != "iri" for cell in cells):
            continue
        if shown < (all_ := counts.get(source, 0)):
            lacking = "for they lack what another column asks for"
            yield f"step {source + 1}: at least {all_ - shown} of {all_} are in no row, {lacking}"
