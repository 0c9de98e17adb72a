"""Texts of programs that the graph writes in other letters are taken as it has them, with a warning."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.rooms import opened
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline

CREW = """
@prefix : <http://crew.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Sailor ; rdfs:label "Ada" ; :nationality "German" ; :grade "A-" ; :rank "mid-level" ; :watch "first" .
:b a :Sailor ; rdfs:label "Bea" ; :nationality "Sámi" ; :grade "B" ; :rank "Chief" ; :watch "First" .
"""


@pytest.fixture(scope="module")
def crew(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    file = tmp_path_factory.mktemp("crew") / "crew.ttl"
    file.write_text(CREW, encoding="utf-8")
    with opened((file,)) as gateway:
        yield gateway


@pytest.mark.parametrize(
    ("program", "expected", "told"),
    [
        ("FindAll()->FilterStr(nationality, german)->What()", ["Ada"], ["'German'"]),
        ("FindAll()->FilterStr(nationality, SAMI)->What()", ["Bea"], ["'Sámi'"]),
        ("FindAll()->FilterStr(rank, Mid level)->What()", ["Ada"], ["'mid-level'"]),
        ("Find(Ada)->QueryAttr(nationality)->VerifyStr(german)", ["yes"], ["'German'"]),
        ("Find(Bea)->QueryAttr(nationality)->VerifyStr(german)", ["no"], ["'German'"]),
        ("FindAll()->FilterStr(nationality, German)->What()", ["Ada"], []),
        ("FindAll()->FilterStr(watch, first)->What()", ["Ada"], []),
        ("FindAll()->FilterStr(grade, A)->What()", [], []),
        ("FindAll()->FilterStr(grade, german)->What()", [], []),
    ],
)
def test_programs(crew: Pipeline, program: str, expected: list[str], told: list[str]) -> None:
    trace = crew.run(read_program(program))
    assert trace.answer is not None
    assert list(trace.answer.strings) == expected
    assert [one.code for one in trace.warnings] == ["name-replaced"] * len(told)
    assert [one.message.rpartition("took ")[2] for one in trace.warnings] == told
