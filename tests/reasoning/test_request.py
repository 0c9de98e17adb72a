"""The division of a question into parts, before any graph is read."""

from __future__ import annotations

import json
from collections.abc import Set
from pathlib import Path
from typing import Any

import pytest

from nlq_gateway.answering import Pipeline
from nlq_gateway.core.types import Question
from nlq_gateway.index import Index
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.amounts import how_many
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.question.reading.request import QuestionPart, request_of

FRAMES = [json.loads(line) for line in (Path(__file__).parent / "frames.jsonl").read_text().splitlines()]


def read(index: Index, question: str) -> QuestionReading:
    return QuestionReading.of(Linker(index).link(Question(question)), index)


def text(reading: QuestionReading, words: Set[int]) -> str:
    return " ".join(reading.lowers[token] for token in sorted(words) if reading.weights[token] > 0)


def told(reading: QuestionReading, part: QuestionPart) -> str:
    return " ".join([*(function for function, _ in part.says), text(reading, part.words)])


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame["question"][:50])
def test_the_parts_of_a_question(gateway: Pipeline, frame: dict[str, Any]) -> None:
    reading = read(gateway.endpoint(None).index, frame["question"])
    request = request_of(reading)
    cut = request.ranking.cue if request.ranking else frozenset()
    asked = [
        told(reading, QuestionPart(part.role, part.words - cut, says=part.says)) for part in request.asked
    ]
    assert [words.strip() for words in asked] == frame["asked"]
    assert [text(reading, part.words) for part in request.groups] == frame.get("groups", [])
    assert (None if request.order is None else text(reading, request.order.words)) == frame.get("order")
    assert request.descending == frame.get("descending")
    assert (request.ranking.number if request.ranking else None) == frame.get("limit")
    assert bool(request.different) == frame.get("different", False)
    assert [[one.operator, one.number] for one in how_many(reading)] == (
        [frame["counted"]] if "counted" in frame else []
    )


def test_a_request_is_read_once(gateway: Pipeline) -> None:
    index, question = gateway.endpoint(None).index, "How many films are there for each director?"
    reading = read(index, question)
    assert request_of(reading) is request_of(reading)
    assert request_of(read(index, question)) is not request_of(reading)
