"""What else a table does not show: ties, things without a value, and columns that share no step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from compilers.answers import Answer
from compilers.compile import compile_program
from compilers.errors import CompilerError
from compilers.grounded import GroundedProgram
from compilers.kopl.program import Program, Step
from compilers.kopl.tables import FIRST_SO_MANY, connected_columns, subject_of
from compilers.kopl.values import whole_number
from compilers.naming import set_name
from compilers.read_answers import read_answer
from connectors.errors import EndpointCancelled, EndpointError
from nlq_gateway.answering.execution import Store
from nlq_gateway.answering.response.template import row_text
from nlq_gateway.language.sentences import listed

MOST, TIMEOUT_MS = 5, 2_000


def ties_of(
    grounded: GroundedProgram, answer: Answer, look_up: Callable[[GroundedProgram], Answer | None]
) -> str | None:
    """A message with the rows that tie with the last one of an answer; None if there are none.

    None, too, for a program that does not cut a sorted table, or where the store does not tell in time.
    """
    at = _limit(grounded.program)
    shown = whole_number(grounded.program.steps[at].inputs[0]) if at is not None else None
    if at is None or shown is None or len(answer.rows) < shown:
        return None
    cut = grounded.program.steps[at]
    widened = grounded.prefix(at)
    steps = (*widened.program.steps[:-1], replace(widened.program.steps[-1], inputs=(str(shown + MOST),)))
    found = look_up(replace(widened, program=Program(steps)))
    rows = found.rows if found is not None else ()
    column = int(grounded.program.steps[cut.dependencies[0]].inputs[0]) - 1
    tied = [str(row[0]) for row in rows[shown:] if row[column] == rows[shown - 1][column]]
    if not tied:
        return None
    last = row_text((rows[shown - 1][column],))
    return f"step {at + 1} cuts off what ties with the last row ({last}): {listed(tied)}"


def unstated(
    grounded: GroundedProgram, answer: Answer, look_up: Callable[[GroundedProgram], Answer | None]
) -> Iterator[str]:
    """A message for each of two things that cannot be the answer, as the graph states no value for it."""
    at = len(grounded.program) - 1
    step = grounded.program.steps[at]
    bound = grounded.binding(at, 0) if step.function == "SelectBetween" else None
    if bound is None:
        return
    for source in step.dependencies:
        before, name = grounded.prefix(source), set_name(grounded, source)
        # What is chosen has a value.
        if name in answer.strings:
            continue
        asked = Step("QueryAttr", step.inputs[:1], (len(before.program) - 1,))
        bindings = {**before.bindings, (len(before.program), 0): bound}
        found = look_up(replace(before, program=Program((*before.program.steps, asked)), bindings=bindings))
        if found is not None and found.empty:
            yield f"step {at + 1}: the graph states no “{bound.label}” for {name}, which is not compared"


def looked_up(grounded: GroundedProgram, store: Store, name_of: Callable[[str], str]) -> Answer | None:
    """The answer of a program beside the question's; None where the store does not give it in time."""
    try:
        query = compile_program(grounded, store.layout, store.options)
        found = store.select(query.text, timeout_ms=TIMEOUT_MS, max_rows=store.options.limit)
    except EndpointCancelled:
        raise
    except (EndpointError, CompilerError):
        return None
    languages = store.options.languages
    return read_answer(query, found.columns, found.rows, languages=languages, name_of=name_of)


def crowded(program: Program, counts: Mapping[int, int]) -> Iterator[str]:
    """A message for each set of the first so many that has more, by the members of sets by step."""
    for at in sorted(program.ancestors(len(program) - 1)):
        step = program.steps[at]
        asked = whole_number(step.inputs[-1]) if step.function in FIRST_SO_MANY else None
        if asked is not None and counts.get(at, 0) > asked:
            yield f"step {at + 1} gives {counts[at]}, not {asked}: all that tie for the last place are given"


def _limit(program: Program) -> int | None:
    """The step that cuts a sorted table, of which the program then shows some columns."""
    at = len(program) - 1
    while program.steps[at].function == "DropColumn":
        (at,) = program.steps[at].dependencies
    step = program.steps[at]
    is_cut = step.function == "LimitTable" and program.steps[step.dependencies[0]].function == "SortTable"
    return at if is_cut else None


def unconnected(program: Program, counts: Mapping[int, int]) -> Iterator[str]:
    """A message for each Table of groups of columns that share no step; `counts` are the members of sets.

    What stands beside one thing is paired with it alone.
    """
    for at in sorted(program.ancestors(len(program) - 1)):
        if program.steps[at].function == "Table":
            found = connected_columns(program, at)
            groups = [one for one in found if any(_is_many(program, at, number, counts) for number in one)]
            if len(groups) > 1:
                told = " and ".join(f"({', '.join(map(str, one))})" for one in groups)
                yield (
                    f"step {at + 1}: columns {told} share no step: each row of one is paired with each of "
                    "the other"
                )


def _is_many(program: Program, table: int, number: int, counts: Mapping[int, int]) -> bool:
    """True unless a column is of one member alone."""
    source = program.steps[table].dependencies[number - 1]
    subject = subject_of(program, source)
    return counts.get(source if subject is None else subject) not in (0, 1)
