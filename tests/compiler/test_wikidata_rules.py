"""The layout of Wikidata on a store: what other shapes of RDF do not have, by hand-made examples."""

from __future__ import annotations

import re
from typing import Any

import pyoxigraph as ox
import pytest

from compilers.compile import compile_program
from compilers.dialects import DIALECTS
from compilers.errors import UnsupportedProgram
from compilers.grounded import Binding, GroundedProgram
from compilers.kopl.notations import read_program
from compilers.layouts import Options
from tests.compiler.rdf import answer

WD = "http://www.wikidata.org/"
TURTLE = """
PREFIX wd: <http://www.wikidata.org/entity/>
PREFIX p: <http://www.wikidata.org/prop/>
PREFIX ps: <http://www.wikidata.org/prop/statement/>
PREFIX psv: <http://www.wikidata.org/prop/statement/value/>
PREFIX pq: <http://www.wikidata.org/prop/qualifier/>
PREFIX pqv: <http://www.wikidata.org/prop/qualifier/value/>
PREFIX wdt: <http://www.wikidata.org/prop/direct/>
PREFIX wikibase: <http://wikiba.se/ontology#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>

wd:Q1 wdt:P31 wd:Q9 ; rdfs:label "Ann"@en ; wdt:P26 wd:Q3 ;
  p:P26 wd:s1, wd:s2 ; p:P569 wd:s3 ; p:P2048 wd:s4 .
wd:Q2 wdt:P31 wd:Q9 ; rdfs:label "Bo"@en, "Bob"@mul .
wd:Q3 wdt:P31 wd:Q9 ; rdfs:label "Cyd"@mul, "Syd"@de .
wd:Q4 rdfs:label "Rome"@en, "Roma"@it .
wd:s1 wikibase:rank wikibase:NormalRank ; ps:P26 wd:Q2 ;
  pq:P2842 wd:Q4, "Oslo", "+5"^^xsd:decimal ; pqv:P2842 wd:v5 ;
  pq:P580 "1990-01-01T00:00:00Z"^^xsd:dateTime, "1995-05-05T00:00:00Z"^^xsd:dateTime ;
  pqv:P580 wd:v1, wd:v2 .
wd:s2 wikibase:rank wikibase:PreferredRank ; a wikibase:BestRank ; ps:P26 wd:Q3 ; pq:P2842 wd:Q5 .
wd:s3 wikibase:rank wikibase:NormalRank ; a wikibase:BestRank ;
  ps:P569 "1950-01-01T00:00:00Z"^^xsd:dateTime ; psv:P569 wd:v3 .
wd:s4 wikibase:rank wikibase:NormalRank ; a wikibase:BestRank ;
  ps:P2048 "+1.80"^^xsd:decimal ; psv:P2048 wd:v4 .
wd:v1 wikibase:timeValue "1990-01-01T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 9 .
wd:v2 wikibase:timeValue "1995-05-05T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 11 .
wd:v3 wikibase:timeValue "1950-01-01T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 8 .
wd:v4 wikibase:quantityAmount "+1.80"^^xsd:decimal ; wikibase:quantityUnit wd:Q11573 .
wd:v5 wikibase:quantityAmount "+5"^^xsd:decimal ; wikibase:quantityUnit wd:Q11573 .
wd:Q11573 rdfs:label "metre"@en, "Meter"@de .
wd:P26 rdfs:label "spouse"@en ; wikibase:claim p:P26 ; wikibase:statementProperty ps:P26 .
"""
ANN, BO, NOBODY = "Find(<Q1>)", "Find(<Q2>)", ()


def _store() -> ox.Store:
    store = ox.Store()
    store.load(TURTLE.encode(), format=ox.RdfFormat.TURTLE)
    return store


def _answers(program: str, **options: Any) -> tuple[str, ...]:
    """The answers of a program with items and properties in angle brackets, in order."""
    grounded = GroundedProgram(read_program(re.sub("<(?=[PQ])", f"<{WD}entity/", program)))
    query = compile_program(grounded, "wikidata", Options(**options))
    return tuple(sorted(answer(_store(), query).strings))


@pytest.mark.parametrize(
    ("program", "answers"),
    [
        (f"{ANN}->Relate(<P26>, forward)->What()", ("Bo", "Cyd")),
        (f"{ANN}->Relate(<P26>, forward)->QFilterStr(<P2842>, Rome)->What()", ("Bo",)),
        (f"{ANN}->Relate(<P26>, forward)->QFilterStr(<P2842>, Oslo)->What()", ("Bo",)),
        (f"{ANN}->Relate(<P26>, forward)->QFilterStr(<P2842>, Roma)->What()", NOBODY),
        (f"{ANN}->Relate(<P26>, forward)->QFilterYear(<P580>, 1990, =)->What()", ("Bo",)),
        ("Find(Bob)->What()", ("Bo",)),
        ("Find(Syd)->What()", NOBODY),
        ("FindAll()->FilterYear(<P569>, 1950, =)->Count()", ("0",)),
        ("FindAll()->FilterYear(<P569>, 1960, <)->Count()", ("0",)),
        ("FindAll()->FilterDate(<P569>, 1960-01-01, !=)->Count()", ("0",)),
        ("FindAll()->FilterNum(<P2048>, 1.8 metre, =)->Count()", ("1",)),
        (f"{ANN}->QueryAttr(<P2048>)", ("1.8 metre",)),
        (f"{ANN}->QueryAttr(<P569>)", ("1950",)),
    ],
)
def test_what_only_a_wikibase_has(program: str, answers: tuple[str, ...]) -> None:
    """Ranks, items as values, decades, and labels for all languages."""
    assert _answers(program) == answers


def test_a_moment_that_is_asked_for_is_its_day() -> None:
    program = f"{ANN}->Relate(<P26>, forward)->QFilterDate(<P580>, 1995-05-04T09:00, >)->What()"
    assert _answers(program, dialect=DIALECTS["oxigraph"]) == ("Bo",)


def test_only_the_best_rank_is_found_on_request() -> None:
    program = f"{ANN}->Relate(<P26>, forward)->What()"
    assert _answers(program, best_rank=True) == ("Cyd",)
    qualified = f"{ANN}->Relate(<P26>, forward)->QFilterStr(<P2842>, Rome)->Count()"
    assert _answers(qualified) == ("1",)
    assert _answers(qualified, best_rank=True) == ("0",)


@pytest.mark.parametrize(
    ("qualifier", "answers"),
    [("<P580>", {"1990", "1995-05-05"}), ("<P2842>", {"Rome", "Oslo", "5 metre"}), ("<P1534>", set())],
)
def test_qualifiers_are_read_as_what_they_are(qualifier: str, answers: set[str]) -> None:
    assert set(_answers(f"{ANN}->{BO}->QueryRelationQualifier(<P26>, {qualifier})")) == answers


def test_relations_are_read_by_name() -> None:
    assert _answers(f"{ANN}->{BO}->QueryRelation()") == ("spouse",)


@pytest.mark.parametrize(
    ("test", "verdict"),
    [("Rome", "not sure"), ("Roma", "no")],
)
def test_an_item_is_compared_by_its_label(test: str, verdict: str) -> None:
    program = f"{ANN}->{BO}->QueryRelationQualifier(<P26>, <P2842>)->VerifyStr({test})"
    assert _answers(program) == (verdict,)


def test_several_properties_are_one_choice() -> None:
    program = read_program("FindAll()->Relate(related, forward)->What()")
    bindings = {(1, 0): Binding((f"{WD}entity/P26", f"{WD}prop/direct/P26", f"{WD}entity/P19"), "spouse")}
    query = compile_program(GroundedProgram(program, bindings), "wikidata", Options())
    assert "(p:P26|p:P19) ?spouseStatement" in query.text
    assert set(answer(_store(), query).strings) == {"Bo", "Cyd"}


@pytest.mark.parametrize("iri", ["http://example.org/height", f"{WD}entity/Q5", f"{WD}entity/P05", "urn:P5"])
def test_what_is_no_property_is_refused(iri: str) -> None:
    program = read_program(f"FindAll()->QueryAttr(<{iri}>)")
    with pytest.raises(UnsupportedProgram, match=r"step 2: .* is no property of a Wikibase") as caught:
        compile_program(GroundedProgram(program), "wikidata", Options())
    assert "http://www.wikidata.org/entity/P31" in caught.value.hint
