"""Tables by year or month: a source that gives numbers for each day means those of the period asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from compilers.kopl.functions import Kind, Type, ValueType
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import Draft
from nlq_gateway.question.reading.periods import periods_asked
from nlq_gateway.question.reading.reading import QuestionReading


def draft_by_period(draft: Draft, reading: QuestionReading) -> Draft:
    """The draft with years or months for dates beside numbers, where the question asks for these.

    A table that nothing else is done with begins with them, in the order of time.
    """
    period = next(iter(periods_asked(reading)), None)
    dated = next(_dated(draft, reading), None) if period is not None else None
    if period is None or dated is None:
        return draft
    at, table = dated
    found = draft.with_step(at, "Period", (period,))
    steps = found.program.steps
    if table + 1 < len(steps) - 1:
        return found
    columns = sorted(steps[-1].dependencies, key=lambda column: column != at + 1)
    first, in_time = replace(steps[-1], dependencies=tuple(columns)), ("1", "ascending")
    return replace(
        found, program=Program((*steps[:-1], first, Step("SortTable", in_time, (len(steps) - 1,))))
    )


def _dated(draft: Draft, reading: QuestionReading) -> Iterator[tuple[int, int]]:
    """Yield each step that gives dates to a table with numbers, and the table."""
    steps = draft.program.steps
    for table, step in enumerate(steps):
        columns = step.dependencies if step.function == "Table" else ()
        if any(steps[column].signature.output == Type.NUMBER for column in columns):
            yield from ((column, table) for column in columns if _has_dates(draft, column, reading))


def _has_dates(draft: Draft, at: int, reading: QuestionReading) -> bool:
    iris = draft.choices.get((at, 0), ())
    item = reading.index.item(Kind.ATTRIBUTE, iris[0]) if iris else None
    asks = draft.program.steps[at].function == "QueryAttr"
    return asks and item is not None and ValueType.DATE in item.value_types
