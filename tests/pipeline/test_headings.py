"""The columns of a table are named after what they show, and its cells are labels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline

STAGES = """
@prefix : <http://stages.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Venue ; rdfs:label "Alder" ; :seats 260 ; :pm10 7 ; :room "12" ; :near :b .
:b a :Venue ; rdfs:label "Birch" ; :seats 530 ; :pm10 9 ; :room "14" ; :near :a .
:p a :Keeper ; rdfs:label "Pat" . :q a :Keeper ; rdfs:label "Quin" . :r a :Show ; rdfs:label "Rigoletto" .
:x :shownUnder :a ; :dur 91.5 ; :len 3 ; :value 5 . :y :shownUnder :a ; :dur 90 ; :len 4 ; :value 6 .
:z :shownUnder :b ; :dur 90 ; :len 5 ; :value 7 .
:shownUnder rdfs:label "shown under" . :dur rdfs:label "duration in minutes" .
:len rdfs:label "length of the written notes in pages" .
:Ball rdfs:subClassOf :Event . :Lesson rdfs:subClassOf :Event .
:x a :Ball ; rdfs:label "Ball" ; :bookedBy :p ; :forShow :r .
:y a :Lesson ; rdfs:label "Dance" ; :bookedBy :p ; :forShow :r .
:z a :Lesson ; rdfs:label "Song" ; :bookedBy :q ; :forShow :r .
"""
BEGIN = "Step 1: FindAll()\nStep 2: FilterConcept(Venue)\nStep 3: "
SEATS = "FilterNum(seats, 200, >)\nStep 4: QueryAttr(seats)\nStep 5: Table() <- 3, 4"


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    file: Path = tmp_path_factory.mktemp("data") / "stages.ttl"
    file.write_text(STAGES, encoding="utf-8")
    with opened((file,)) as gateway:
        yield gateway


@pytest.mark.parametrize(
    ("steps", "columns"),
    [
        (SEATS, ("venue", "seats")),
        (SEATS.replace("seats", "pm10").replace("200", "2"), ("venue", "pm10")),
        (SEATS.replace("seats", "room").replace("200", "2"), ("venue", "room")),
        (f"{SEATS}, 4", ("venue", "seats", "seats")),
        ("Relate(near, backward)\nStep 4: Table() <- 2, 3", ("venue", "venue2")),
    ],
)
def test_without_the_numbers_of_variables(stages: Pipeline, steps: str, columns: tuple[str, ...]) -> None:
    assert stages.run(read_program(BEGIN + steps)).columns == columns


def test_the_sentence_has_them_too(stages: Pipeline) -> None:
    program = read_program(f"{BEGIN}{SEATS}\nStep 6: SortTable(2, ascending)")
    assert stages.run(program).text == "2 venues, the lowest seats: Alder (260)"


@pytest.mark.parametrize(
    ("relations", "text"),
    [
        (("Relate(booked by, backward)",), "2 keepers, the most events: Pat (2)"),
        (("Relate(booked by, backward)", "Relate(for show, forward)"), "2 keepers, the most shows: 1 each"),
    ],
)
def test_what_is_counted_is_called_by_its_class(
    stages: Pipeline, relations: tuple[str, ...], text: str
) -> None:
    calls = (
        "FindAll()",
        "FilterConcept(Keeper)",
        *relations,
        "Count()",
        f"Table() <- 2, {len(relations) + 3}",
    )
    program = "\n".join(f"Step {at}: {call}" for at, call in enumerate(calls, 1))
    assert stages.run(read_program(program)).text == text


@pytest.mark.parametrize(
    ("attribute", "aggregate", "text"),
    [
        ("duration in minutes", "Average", "the highest average duration: Alder (90.75 minutes)"),
        ("duration in minutes", "Maximum", "the highest maximum duration: Alder (91.5 minutes)"),
        (
            "length of the written notes in pages",
            "Sum",
            "the highest total length of the written notes in pages: Alder (7)",
        ),
        ("value", "Maximum", "the highest maximum value: Birch (7)"),
    ],
)
def test_groups_and_measures_are_called_in_full_words(
    stages: Pipeline, attribute: str, aggregate: str, text: str
) -> None:
    program = (
        "Step 1: FindAll()\nStep 2: FilterConcept(Event)\nStep 3: Relate(shown under, forward)\n"
        f"Step 4: QueryAttr({attribute}) <- 2\nStep 5: {aggregate}()\nStep 6: Table() <- 3, 5"
    )
    trace = stages.run(read_program(program))
    assert trace.columns[0] == "shownUnder"
    assert trace.text == f"2 venues, {text}"


def test_the_row_of_a_verdict_has_the_thing_by_its_label(stages: Pipeline) -> None:
    trace = stages.run(read_program("Find(Birch)->Relate(near, backward)->Exists()"))
    assert (trace.text, trace.table.rows) == ("yes", (("Alder",),))
