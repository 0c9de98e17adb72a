"""Verdicts on what cannot be: "does the film direct its director" has the answer no."""

from __future__ import annotations

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import Draft
from nlq_gateway.index.members import Choices
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.question.reading.voice import leads


def asks_so(reading: QuestionReading, draft: Draft, meant: Choices) -> bool:
    """True if the question itself says which of two names is the subject, as the verdict's program has it."""
    steps = draft.program.steps
    if steps[-1].function != "Exists":
        return False
    both = [step.dependencies for step in steps if step.function in ("And", "Except")]
    return any(_leads_so(reading, draft, meant, *ends) for pair in both for ends in (pair, pair[::-1]))


def _leads_so(reading: QuestionReading, draft: Draft, meant: Choices, led: int, plain: int) -> bool:
    """True if a step follows a relation from the one name to the other as the question says."""
    step = draft.program.steps[led]
    relation = reading.index.item(Kind.RELATION, meant.get((led, 0), ""))
    if relation is None or step.function != "Relate":
        return False
    start, end = (reading.words_of(draft.mentions.get((one, 0), "")) for one in (step.dependencies[0], plain))
    told = leads(reading, relation, start, end)
    return told is not None and told == (step.inputs[1] == "forward")
