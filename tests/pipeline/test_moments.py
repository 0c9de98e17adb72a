"""Dates with a time of day, from the index to the answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from compilers.kopl.functions import Kind
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline

READINGS = """
@prefix : <http://readings.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:a a :Sensor ; rdfs:label "A" ; :lastRead "2026-03-04T18:45:30Z"^^xsd:dateTime ;
  :installed "2020-01-02"^^xsd:date .
:b a :Sensor ; rdfs:label "B" ; :lastRead "2026-03-04T10:15:00Z"^^xsd:dateTime ;
  :installed "2021-01-02"^^xsd:date .
:c a :Sensor ; rdfs:label "C" ; :lastRead "2026-03-03T23:00:00Z"^^xsd:dateTime ;
  :installed "2022-01-02"^^xsd:date .
"""
PROGRAMS = (
    ("Find(B)->QueryAttr(last read)", ["2026-03-04T10:15:00"]),
    ("Find(B)->QueryAttr(installed)", ["2021-01-02"]),
    ("FindAll()->SelectTop(last read, largest, 1)->What()", ["A"]),
    ("FindAll()->SelectNth(last read, largest, 2)->What()", ["B"]),
    ("FindAll()->SelectAmong(last read, smallest)", ["C"]),
    ("FindAll()->QueryAttr(last read)->Maximum()", ["2026-03-04T18:45:30"]),
    ("FindAll()->FilterDate(last read, 2026-03-04, =)->What()", ["A", "B"]),
    ("FindAll()->FilterDate(last read, 2026-03-04, >)->What()", []),
    ("FindAll()->FilterDate(last read, 2026-03-04T12:00:00, >)->What()", ["A"]),
    ("Find(B)->QueryAttr(last read)->VerifyDate(2026-03-04, =)", ["yes"]),
    ("Find(B)->QueryAttr(last read)->VerifyDate(2026-03-04T10:00, >)", ["yes"]),
    (
        "Step 1: Find(B)\nStep 2: QueryAttr(last read)\nStep 3: Find(A)\nStep 4: QueryAttr(last read) <- 3\n"
        "Step 5: FilterCompare(<) <- 2, 4\nStep 6: Exists()",
        ["yes"],
    ),
)


@pytest.fixture(scope="module")
def readings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    file: Path = tmp_path_factory.mktemp("data") / "readings.ttl"
    file.write_text(READINGS, encoding="utf-8")
    with opened((file,)) as gateway:
        yield gateway


def test_the_index_knows_which_dates_have_a_time_of_day(readings: Pipeline) -> None:
    prepared = readings.endpoint(None).prepared
    assert prepared.options.moments == {"http://readings.example/lastRead"}
    item = prepared.index.item(Kind.ATTRIBUTE, "http://readings.example/installed")
    assert item is not None
    assert not item.states_moments


@pytest.mark.parametrize(("text", "expected"), PROGRAMS)
def test_programs(readings: Pipeline, text: str, expected: list[str]) -> None:
    answer = readings.run(read_program(text)).answer
    assert answer is not None
    assert sorted(answer.strings) == expected
