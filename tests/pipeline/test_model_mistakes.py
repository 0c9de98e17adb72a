"""Mistakes that language models make in programs, each put right on the way through the whole pipeline."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from scripted_gateway import asked_to_write, modelled, writing
from trace_document import misfits

from compilers.kopl.notations import NOTATIONS
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.trace import Trace

FIXTURES = Path(__file__).parents[1] / "grounding" / "fixtures"
MISTAKES = {
    row["id"]: row for row in map(json.loads, (FIXTURES / "mistakes.jsonl").read_text("utf-8").splitlines())
}
DOCUMENTED = (
    "wrong function for a number",
    "invented relation",
    "missing direction",
    "operator as words",
    "unit in another scale",
    "wrong spelling of an entity",
    "And without two inputs",
    "hallucinated concept",
)
STRATEGIES = ("steps", "code")


def written(mistake: str, strategy: str) -> str:
    """The mistaken program as a model that follows the strategy writes it."""
    text: str = MISTAKES[mistake]["written"]
    return text if strategy == "steps" else NOTATIONS[strategy].write(NOTATIONS["steps"].read(text))


def changes(repairs: tuple[Any, ...]) -> list[dict[str, Any]]:
    return [
        {"step": one.step, "argument": one.argument, "before": one.before, "after": one.after}
        for one in repairs
    ]


def corrected(gateway: Pipeline, mistake: str, strategy: str) -> Trace:
    """The outcome of the question when a model makes the mistake, and is not asked to write again."""
    row = MISTAKES[mistake]
    model = writing(written(mistake, strategy), prefer=row["prefer"])
    trace = modelled(gateway, model).ask(Ask(row["question"], "sample", strategy=strategy))
    assert len(asked_to_write(model)) == 1
    return trace


def test_every_documented_mistake_has_its_row() -> None:
    assert set(DOCUMENTED) <= MISTAKES.keys()


@pytest.mark.parametrize(("mistake", "strategy"), [*zip(MISTAKES, itertools.cycle(STRATEGIES), strict=False)])
def test_a_mistake_is_corrected_and_the_question_answered(
    gateway: Pipeline, mistake: str, strategy: str
) -> None:
    row = MISTAKES[mistake]
    trace = corrected(gateway, mistake, strategy)
    assert (trace.status, trace.strategy) == ("answered", strategy)
    assert trace.answer is not None
    assert sorted(trace.answer.strings) == sorted(row["answers"])
    assert trace.program == NOTATIONS["steps"].read(row["program"])
    assert changes(trace.repairs) == row["repairs"]
    assert all(why in one.why for why, one in zip(row["why"], trace.repairs, strict=True))
    attempt, *_ = (one for one in trace.attempts if one.source == strategy)
    assert (attempt.how, attempt.outcome, attempt.repairs) == ("greedy", "answered", trace.repairs)
    assert attempt.program == row["program"]
    assert misfits(trace.as_json()) == []


@pytest.mark.parametrize("mistake", DOCUMENTED)
def test_the_document_tells_each_repair(gateway: Pipeline, mistake: str) -> None:
    row = MISTAKES[mistake]
    document = corrected(gateway, mistake, "steps").as_json()
    assert [(one["step"], one.get("argument")) for one in document["repairs"]] == [
        (one["step"] + 1, one["argument"]) for one in row["repairs"]
    ]
    assert document["attempts"][-1]["repairs"] == document["repairs"]
    assert document["usage"]["calls"] == len(document["model_calls"])
    assert document["model"] == "scripted"
