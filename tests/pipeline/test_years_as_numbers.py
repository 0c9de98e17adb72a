"""Years stated as numbers or texts, and numbers where years are stated, are compared so, with a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.rooms import opened
from compilers.kopl.notations import read_program

HOTELS = """
@prefix : <http://inns.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:a a :Hotel ; rdfs:label "Anker" ; :opened 1995 ; :renewed "2001"^^xsd:gYear ;
    :altered "1996" ; :listed "1999" ; :sold "2001" ; :insured "2003" ; :year_of_design "1993" ;
    :inspected "2006-01-01"^^xsd:date .
:b a :Hotel ; rdfs:label "Birke" ; :opened 2004 ; :renewed "2011"^^xsd:gYear ;
    :altered 2005 ; :listed "2006" ; :sold "2009-03-01"^^xsd:date ; :insured 2010, "unknown" ;
    :year_of_design "2002" .
"""


@pytest.mark.parametrize(
    ("program", "expected", "codes"),
    [
        ("FindAll()->FilterYear(opened, 1995, =)->What()", ["Anker"], ["year-as-number"]),
        ("FindAll()->FilterYear(opened, 2000, >)->What()", ["Birke"], ["year-as-number"]),
        ("Find(Anker)->QueryAttr(opened)->VerifyYear(1995, =)", ["yes"], ["year-as-number"]),
        ("FindAll()->FilterYear(renewed, 2001, =)->What()", ["Anker"], []),
        ("FindAll()->FilterNum(renewed, 2005, >)->What()", ["Birke"], ["number-as-year"]),
        ("FindAll()->FilterNum(inspected, 2005, >)->What()", ["Anker"], ["number-as-year"]),
        ("FindAll()->FilterNum(renewed, 2005.5, >)->What()", [], []),
        ("Find(Birke)->QueryAttr(renewed)->VerifyNum(2005, >)", ["yes"], []),
        (
            "FindAll()->FilterNum(sold, 2005, >)->What()",
            ["Birke"],
            ["number-as-year", "texts-not-compared"],
        ),
        ("FindAll()->FilterYear(altered, 1990, >)->What()", ["Anker", "Birke"], ["year-as-number"]),
        ("Find(Anker)->QueryAttr(altered)->VerifyYear(1996, =)", ["yes"], ["year-as-number"]),
        ("FindAll()->FilterYear(year of design, 2000, >)->What()", ["Birke"], ["year-as-number"]),
        ("FindAll()->FilterYear(listed, 1999, =)->What()", ["Anker"], ["year-as-text"]),
        ("Find(Birke)->QueryAttr(listed)->VerifyYear(2006, =)", ["yes"], ["year-as-text"]),
        ("FindAll()->FilterYear(listed, 2000, >)->What()", [], ["texts-not-compared"]),
        ("FindAll()->FilterYear(sold, 2000, >)->What()", ["Birke"], ["texts-not-compared"]),
        ("FindAll()->FilterDate(sold, 2000-01-01, >)->What()", ["Birke"], ["texts-not-compared"]),
        (
            "FindAll()->FilterYear(insured, 2000, >)->What()",
            ["Birke"],
            ["year-as-number", "texts-not-compared"],
        ),
    ],
)
def test_programs(tmp_path: Path, program: str, expected: list[str], codes: list[str]) -> None:
    file = tmp_path / "inns.ttl"
    file.write_text(HOTELS, encoding="utf-8")
    with opened((file,)) as gateway:
        trace = gateway.run(read_program(program))
    assert trace.answer is not None
    assert sorted(trace.answer.strings) == expected
    assert [one.code for one in trace.warnings] == codes
