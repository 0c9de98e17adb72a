"""Years that a graph states as whole numbers are compared as numbers, with a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.rooms import opened
from compilers.kopl.notations import read_program

HOTELS = """
@prefix : <http://inns.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:a a :Hotel ; rdfs:label "Anker" ; :opened 1995 ; :renewed "2001"^^xsd:gYear .
:b a :Hotel ; rdfs:label "Birke" ; :opened 2004 ; :renewed "2011"^^xsd:gYear .
"""


@pytest.mark.parametrize(
    ("program", "expected", "codes"),
    [
        ("FindAll()->FilterYear(opened, 1995, =)->What()", ["Anker"], ["year-as-number"]),
        ("FindAll()->FilterYear(opened, 2000, >)->What()", ["Birke"], ["year-as-number"]),
        ("Find(Anker)->QueryAttr(opened)->VerifyYear(1995, =)", ["yes"], ["year-as-number"]),
        ("FindAll()->FilterYear(renewed, 2001, =)->What()", ["Anker"], []),
    ],
)
def test_programs(tmp_path: Path, program: str, expected: list[str], codes: list[str]) -> None:
    file = tmp_path / "inns.ttl"
    file.write_text(HOTELS, encoding="utf-8")
    with opened((file,)) as gateway:
        trace = gateway.run(read_program(program))
    assert trace.answer is not None
    assert list(trace.answer.strings) == expected
    assert [one.code for one in trace.warnings] == codes
