"""Questions for tables, over a graph made from a database: no labels, keys for names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.rooms import opened
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.offline.evaluation.score import score

FIXTURES = Path(__file__).parent / "fixtures"
# One of two bakers, and a shop without its number of bakers; a flour without its number of breads.
WRONG = frozenset(
    {
        "Which shop has the most bakers?",
        "What is the most common flour of the breads?",
    }
)
CASES = [json.loads(line) for line in (FIXTURES / "bakery.jsonl").read_text().splitlines()]
ORDERED = ("order", "top")


@pytest.fixture(scope="module")
def bakery() -> Iterator[Pipeline]:
    with opened((str(FIXTURES / "bakery.ttl"),)) as gateway:
        yield gateway


def _asked(case: dict[str, Any]) -> Any:
    marks = [pytest.mark.xfail(strict=True)] if case["question"] in WRONG else []
    return pytest.param(case, id=f"{case['kind']}: {case['question'][:40]}", marks=marks)


@pytest.mark.parametrize("case", [_asked(case) for case in CASES])
def test_a_frame_becomes_a_program(bakery: Pipeline, case: dict[str, Any]) -> None:
    answer = bakery.ask(Ask(case["question"], guess=True)).answer
    assert answer is not None
    rows = [string.split("\t") for string in answer.strings]
    wanted = [tuple(row.split("\t")) for row in case["answers"]]
    assert score([[[cell] for cell in row] for row in rows], wanted).exact, (answer.strings, case["answers"])
    if case["kind"] in ORDERED:
        assert [row[0] for row in rows] == [row[0] for row in wanted]
