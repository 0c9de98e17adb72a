"""Reports over a company's graph: keys for names, an ontology beside it, amounts in nodes without a class."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.rooms import opened
from compilers.kopl.functions import Kind
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.offline.evaluation.measure import predicted
from nlq_gateway.offline.evaluation.score import score

FIXTURES = Path(__file__).parent / "fixtures"
CASES = [json.loads(line) for line in (FIXTURES / "freight.jsonl").read_text().splitlines()]
SCHEMA = "http://freight.example/schema/"


@pytest.fixture(scope="module")
def freight() -> Iterator[Pipeline]:
    with opened((str(FIXTURES / "freight.ttl"),)) as gateway:
        yield gateway


def _param(case: dict[str, Any]) -> Any:
    marks = [pytest.mark.xfail(strict=True, reason=case["lost"])] if "lost" in case else []
    return pytest.param(case, marks=marks, id=f"{case['kind']}: {case['question'][:60]}")


@pytest.mark.parametrize("case", [_param(case) for case in CASES])
def test_a_report_is_answered(freight: Pipeline, case: dict[str, Any]) -> None:
    answer = freight.ask(Ask(case["question"], guess=True)).answer
    wanted = [tuple(row.split("\t")) for row in case["answers"]]
    assert score(predicted(answer), wanted).exact, (predicted(answer), wanted)


def test_an_ontology_says_what_nodes_without_a_class_are(freight: Pipeline) -> None:
    index = freight.endpoint(None).index
    relation = index.item(Kind.RELATION, SCHEMA + "hasFuelCharge")
    attribute = index.item(Kind.ATTRIBUTE, SCHEMA + "fuelChargeAmount")
    assert relation is not None
    assert relation.ranges == ((SCHEMA + "FuelCharge", 3),)
    assert attribute is not None
    assert attribute.domains == ((SCHEMA + "FuelCharge", 3),)


def test_what_is_stated_counts_before_what_is_declared(freight: Pipeline) -> None:
    relation = freight.endpoint(None).index.item(Kind.RELATION, SCHEMA + "underContract")
    assert relation is not None
    assert relation.domains == ((SCHEMA + "Shipment", 3),)
