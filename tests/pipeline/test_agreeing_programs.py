"""The likeliest answer is given: programs that come to the same one add up."""

from __future__ import annotations

import pytest

from compilers.kopl.notations import read_program
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.answering.selection import ChosenDraft, DraftChooser
from nlq_gateway.core.types import Draft, Question
from nlq_gateway.judging import READING
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.trace import Recorder

BERLIN = "Find(Germany)->Relate(capital, forward)->What()"
PARIS = "Find(France)->Relate(capital, forward)->What()"
PARIS_TOO = "Find(Paris)->What()"


def chosen(gateway: Pipeline, scores: dict[str, float]) -> ChosenDraft | None:
    """The choice among programs with these log odds; no network reads a question in German again."""
    endpoint = gateway.endpoint("sample").snapshot()
    question = Question("Was ist die Hauptstadt?", "de")
    reading = QuestionReading.of(Linker(endpoint.index, endpoint.linked).link(question), endpoint.index)
    drafts = [
        Draft(read_program(text), "reasoner", score, {READING: 0.0})
        for text, score in sorted(scores.items(), key=lambda one: -one[1])
    ]
    return DraftChooser(endpoint, Ask(question.text, language="de"), reading, drafts, Recorder()).choose()


@pytest.mark.parametrize(
    ("scores", "program"),
    [
        ({BERLIN: 1.0, PARIS: 0.7, PARIS_TOO: 0.6}, PARIS),
        ({BERLIN: 1.0, PARIS: -0.2, PARIS_TOO: -0.3}, BERLIN),
        ({BERLIN: 1.0, PARIS: 0.7}, BERLIN),
    ],
)
def test_programs_with_one_answer_add_up(gateway: Pipeline, scores: dict[str, float], program: str) -> None:
    found = chosen(gateway, scores)
    assert found is not None
    assert found.outcome.draft.program == read_program(program)


def test_nothing_is_chosen_where_no_program_can_be_stated(gateway: Pipeline) -> None:
    assert (
        chosen(gateway, {"FindAll()->FilterConcept(film)->QueryAttr(publication date)->Average()": 1.0})
        is None
    )
