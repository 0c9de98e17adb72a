"""The first so many of a ranking, and what they lead to, are told best first, and ties are told of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline

SHELF = """
@prefix : <http://shelf.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Disk ; rdfs:label "Ash" ; :size 30 ; :rack :w . :b a :Disk ; rdfs:label "Box" ; :size 90 ; :rack :y .
:c a :Disk ; rdfs:label "Cup" ; :size 60 ; :rack :z . :d a :Disk ; rdfs:label "Dot" ; :size 10 ; :rack :x .
:e a :Disk ; rdfs:label "Elk" ; :size 40 ; :rack :w . :f a :Disk ; rdfs:label "Fig" ; :size 40 ; :rack :z .
:w a :Rack ; rdfs:label "Rack W" . :x a :Rack ; rdfs:label "Rack X" . :y a :Rack ; rdfs:label "Rack Y" .
:z a :Rack ; rdfs:label "Rack Z" .
:a :largest 7 . :b :largest 3 . :c :largest 5 .
"""
DISKS = "FindAll()->FilterConcept(disk)->SelectTop(size, {}, 2)->"
TIED = "step 3 gives 4, not 3: all that tie for the last place are given"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    file: Path = tmp_path_factory.mktemp("data") / "shelf.ttl"
    file.write_text(SHELF, encoding="utf-8")
    with opened((file,)) as gateway:
        yield gateway


@pytest.mark.parametrize(
    ("extreme", "end", "text"),
    [
        ("largest", "What()", "Box, Cup"),
        ("largest", "QueryAttr(size)", "Box (90), Cup (60)"),
        ("largest", "Relate(rack, forward)->What()", "Rack Y, Rack Z"),
        ("smallest", "QueryAttr(size)", "Dot (10), Ash (30)"),
        ("smallest", "Relate(rack, forward)->What()", "Rack X, Rack W"),
    ],
)
def test_the_best_comes_first(shelf: Pipeline, extreme: str, end: str, text: str) -> None:
    assert shelf.run(read_program(DISKS.format(extreme) + end)).text == text


def test_the_name_of_an_attribute_is_no_direction(shelf: Pipeline) -> None:
    program = "FindAll()->FilterConcept(disk)->SelectTop(largest, smallest, 2)->What()"
    assert shelf.run(read_program(program)).text == "Box, Cup"


@pytest.mark.parametrize(
    ("program", "messages"),
    [
        ("SelectTop(size, largest, 3)->What()", [TIED]),
        ("SelectTop(size, largest, 3)->QueryAttr(size)", [TIED]),
        ("SelectTop(size, largest, 3)->Relate(rack, forward)->Count()", [TIED]),
        ("SelectTop(size, largest, 4)->What()", []),
        ("SelectTop(size, largest, 9)->What()", []),
    ],
)
def test_a_warning_says_that_there_are_more(shelf: Pipeline, program: str, messages: list[str]) -> None:
    trace = shelf.run(read_program(f"FindAll()->FilterConcept(disk)->{program}"))
    assert [one.message for one in trace.warnings if one.code == "tied"] == messages
