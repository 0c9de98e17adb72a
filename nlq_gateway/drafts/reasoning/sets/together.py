"""An amount of several named things together: a source that shows it of each means their sum, or average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from compilers.kopl.functions import Kind
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import Draft
from nlq_gateway.question.reading.amounts import over_names
from nlq_gateway.question.reading.reading import QuestionReading


def draft_together(draft: Draft, reading: QuestionReading) -> Draft:
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
