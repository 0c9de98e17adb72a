"""The members of a set that no row of a table shows, because they lack what another column asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compilers.answers import Answer
from compilers.kopl.functions import CALCULATING, RELATING, Type
from compilers.kopl.program import Program, Step
from compilers.kopl.tables import COLUMNWISE, columns_of

# Between the columns and the answer they keep all rows.
_KEEPING = frozenset({*COLUMNWISE, "SortTable", "DropColumn", "DistinctTable"})
_LOOKING = frozenset({*RELATING, "QueryAttr"})


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
            few = f"at least {all_ - shown} of {all_} are in no row"
            yield f"step {source + 1}: {few}, for {_lack(program, source)}"


def _lack(program: Program, source: int) -> str:
    """What the members of a set lack: the names of all that other columns look up, where these do no more."""
    others = sorted(program.ancestors(len(program) - 1) - program.ancestors(source))
    steps = [step for at in others if not _only_tells(step := program.steps[at])]
    if not steps or any(step.function not in _LOOKING for step in steps):
        return "they lack what another column asks for"
    named = dict.fromkeys(f'"{step.inputs[0]}"' for step in steps)
    return f"the graph states no {' or no '.join(named)} for them"


def _only_tells(step: Step) -> bool:
    """True for a step that leaves no member out by itself: a table, a number, what is calculated."""
    return step.signature.output in (Type.ROWS, Type.NUMBER) or step.function in CALCULATING
