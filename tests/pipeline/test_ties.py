"""Rows that tie with the last one of a table that is cut are told of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline

CHOIR = """
@prefix : <http://choir.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:x a :Section ; rdfs:label "alto" . :y a :Section ; rdfs:label "bass" . :z a :Section ; rdfs:label "tenor" .
:a a :Singer ; rdfs:label "Ann" ; :singsIn :x . :b a :Singer ; rdfs:label "Bob" ; :singsIn :y .
:c a :Singer ; rdfs:label "Cy" ; :singsIn :x . :d a :Singer ; rdfs:label "Di" ; :singsIn :y .
:e a :Singer ; rdfs:label "Eve" ; :singsIn :z .
:a :solos 3 . :b :solos 5 .
"""
COUNTED = """
Step 1: FindAll()
Step 2: FilterConcept(section)
Step 3: Relate(sings in, backward)
Step 4: Count()
Step 5: Table() <- 2, 4
"""


@pytest.fixture(scope="module")
def choir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    file: Path = tmp_path_factory.mktemp("data") / "choir.ttl"
    file.write_text(CHOIR, encoding="utf-8")
    with opened((file,)) as gateway:
        yield gateway


@pytest.mark.parametrize(
    ("steps", "messages"),
    [
        (
            "Step 6: SortTable(2, descending)\nStep 7: LimitTable(1)",
            ["step 7 cuts off what ties with the last row (2): bass"],
        ),
        (
            "Step 6: SortTable(2, descending)\nStep 7: LimitTable(1)\nStep 8: DropColumn(2)",
            ["step 7 cuts off what ties with the last row (2): bass"],
        ),
        ("Step 6: SortTable(2, descending)\nStep 7: LimitTable(2)", []),
        ("Step 6: SortTable(2, ascending)\nStep 7: LimitTable(1)", []),
        ("Step 6: SortTable(2, ascending)\nStep 7: LimitTable(9)", []),
        ("Step 6: SortTable(2, descending)", []),
        ("Step 6: LimitTable(1)", []),
    ],
)
def test_a_warning_names_them(choir: Pipeline, steps: str, messages: list[str]) -> None:
    trace = choir.run(read_program(COUNTED + steps))
    assert [one.message for one in trace.warnings if one.code == "tied"] == messages


@pytest.mark.parametrize(
    ("other", "answer", "messages"),
    [
        ("Bob", "Bob", []),
        ("Eve", "Ann", ["step 3: the graph states no “solos” for Eve, which is not compared"]),
    ],
)
def test_a_warning_names_what_has_no_value_to_compare(
    choir: Pipeline, other: str, answer: str, messages: list[str]
) -> None:
    program = f"Step 1: Find(Ann)\nStep 2: Find({other})\nStep 3: SelectBetween(solos, greater) <- 1, 2"
    trace = choir.run(read_program(program))
    assert trace.answer is not None
    assert trace.answer.strings == (answer,)
    assert [one.message for one in trace.warnings if one.code == "not-compared"] == messages
