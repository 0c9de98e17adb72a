"""Numbers without a unit, compared with attributes that state theirs in their names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from nlq_gateway.answering import Ask, Pipeline

PUMPS = """
@prefix : <http://pumps.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Pump rdfs:label "pump" . :power rdfs:label "power (kW)" . :price rdfs:label "price (EUR)" .
:a a :Pump ; rdfs:label "Atlas" ; :power 75.5 ; :price 900 .
:b a :Pump ; rdfs:label "Borealis" ; :power 110.0 ; :price 1500 .
:c a :Pump ; rdfs:label "Cascade" ; :power 150.0 ; :price 2400 .
"""
QUESTIONS = (
    ("Which pumps have a power over 100?", ["Borealis", "Cascade"]),
    ("Which pumps have a power over 80?", ["Borealis", "Cascade"]),
    ("Which pumps have a power over 100 kW?", ["Borealis", "Cascade"]),
    ("Which pumps cost more than 2000?", ["Cascade"]),
    ("Is the power of Borealis over 100?", ["yes"]),
)


@pytest.fixture(scope="module")
def pumps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    file: Path = tmp_path_factory.mktemp("data") / "pumps.ttl"
    file.write_text(PUMPS, encoding="utf-8")
    with opened((file,)) as gateway:
        yield gateway


@pytest.mark.parametrize(("question", "expected"), QUESTIONS)
def test_they_have_the_unit_of_the_attribute(pumps: Pipeline, question: str, expected: list[str]) -> None:
    trace = pumps.ask(Ask(question))
    assert trace.answer is not None
    assert (trace.status, sorted(trace.answer.strings)) == ("answered", expected)
