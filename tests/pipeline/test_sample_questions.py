"""The questions of the sample graph: the answers that people get, and those of the gold programs."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import pytest

from compilers.kopl.notations import NOTATIONS
from nlq_gateway.answering import Ask, Pipeline

WRONG = {
    "sample-27": "a prize in front of 'winners' is taken for what is asked for",
    "sample-36": "the judge is unsure of a date on the fact that someone heads a company",
}
FILE = resources.files("nlq_gateway.sample") / "questions.jsonl"
QUESTIONS: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def _asked(question: dict[str, Any]) -> Any:
    reason = WRONG.get(question["id"])
    marks = [pytest.mark.xfail(strict=True, reason=reason, raises=AssertionError)] if reason else []
    return pytest.param(question, id=question["id"], marks=marks)


@pytest.mark.parametrize("question", [_asked(question) for question in QUESTIONS])
def test_a_question_gets_the_right_answer(gateway: Pipeline, question: dict[str, Any]) -> None:
    trace = gateway.ask(Ask(question["question"], "sample", question.get("lang", "en")))
    assert trace.answer is not None, trace.diagnosis
    assert sorted(trace.answer.strings) == sorted(question["answers"]), trace.program


def test_nearly_all_questions_are_answered_rightly() -> None:
    assert len(QUESTIONS) == 40
    assert {question["id"] for question in QUESTIONS} >= WRONG.keys()
    assert len(WRONG) <= 5


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_a_gold_program_gives_the_right_answer(gateway: Pipeline, question: dict[str, Any]) -> None:
    program = NOTATIONS["json"].read(json.dumps(question["program"]))
    trace = gateway.run(program, "sample", language=question.get("lang", "en"))
    assert trace.answer is not None
    assert sorted(trace.answer.strings) == sorted(question["answers"])
    assert trace.warnings == ()
    assert trace.status == "answered"
