"""What questions ask of the numbers of a draft: by year or month, or of several things together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from compilers.kopl.functions import Kind, Type, ValueType
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import Draft
from nlq_gateway.question.reading.amounts import over_names, periods_asked
from nlq_gateway.question.reading.reading import QuestionReading


def as_asked(draft: Draft, reading: QuestionReading) -> Draft:
    """The draft by the periods, or with the number over all, that the question asks for."""
    return _together(_by_period(draft, reading), reading)


def _by_period(draft: Draft, reading: QuestionReading) -> Draft:
    """The draft with years or months for dates beside numbers, where the question asks for these.

    A table that nothing else is done with begins with them, in the order of time.
    """
    period = next(iter(periods_asked(reading)), None)
    dated = next(_dated(draft, reading), None) if period is not None else None
    if period is not None and dated is not None:
        draft = draft.with_step(dated, "Period", (period,))
    return _in_time(draft)


def _in_time(draft: Draft) -> Draft:
    """The draft; a table of numbers for periods at its end has these first, in the order of time."""
    steps = draft.program.steps
    columns = steps[-1].dependencies if _shows_numbers(steps, len(steps) - 1) else ()
    periods = [column for column in columns if steps[column].function == "Period"]
    if not periods:
        return draft
    columns = (*periods, *(column for column in columns if column not in periods))
    table = replace(steps[-1], dependencies=columns)
    in_time = Step("SortTable", ("1", "ascending"), (len(steps) - 1,))
    return replace(draft, program=Program((*steps[:-1], table, in_time)))


def _dated(draft: Draft, reading: QuestionReading) -> Iterator[int]:
    """Yield each step that gives dates to a table with numbers."""
    steps = draft.program.steps
    for table, step in enumerate(steps):
        if _shows_numbers(steps, table):
            yield from (column for column in step.dependencies if _has_dates(draft, column, reading))


def _shows_numbers(steps: Sequence[Step], table: int) -> bool:
    """True if a step is a table with numbers."""
    columns = steps[table].dependencies if steps[table].function == "Table" else ()
    return any(steps[column].signature.output == Type.NUMBER for column in columns)


def _has_dates(draft: Draft, at: int, reading: QuestionReading) -> bool:
    iris = draft.choices.get((at, 0), ())
    item = reading.index.item(Kind.ATTRIBUTE, iris[0]) if iris else None
    asks = draft.program.steps[at].function == "QueryAttr"
    return asks and item is not None and ValueType.DATE in item.value_types


def _together(draft: Draft, reading: QuestionReading) -> Draft:
    """The draft with the number over all values in the place of a table of them, where that is asked."""
    function = next(iter(over_names(reading)), None)
    *before, last = draft.program.steps
    if function is None or last.function != "Table" or not _is_of_names(before, last.dependencies[0]):
        return draft
    taken = last.dependencies[-1]
    values = before[taken].dependencies[0] if before[taken].function == function else taken
    iris = draft.choices.get((values, 0), ())
    item = reading.index.item(Kind.ATTRIBUTE, iris[0]) if iris else None
    if before[values].function != "QueryAttr" or item is None or not item.is_amount:
        return draft
    return replace(draft, program=Program((*before[: values + 1], Step(function, (), (values,)))))


def _is_of_names(steps: Sequence[Step], at: int) -> bool:
    """True if a step joins named things by "or"."""
    step = steps[at]
    return step.function == "Or" and all(steps[one].function in ("Find", "Or") for one in step.dependencies)
