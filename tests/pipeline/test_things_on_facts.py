"""Qualifiers whose values are things: they are compared, and told, by their labels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline
from nlq_gateway.core.types import Question
from nlq_gateway.drafts.drafter.naming import MentionLookup
from nlq_gateway.question.linking import Linker

PEOPLE = """
@prefix : <http://vows.example/> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:t1 a :Town ; rdfs:label "Alton" . :t2 a :Town ; rdfs:label "Belton"@en , "Belt am See"@de .
:a a :Person ; rdfs:label "Ann Lee" . :b a :Person ; rdfs:label "Bob Ray" .
:c a :Person ; rdfs:label "Cy Fox" . :d a :Person ; rdfs:label "Di Oak" .
"""
FORMS = {
    "rdf12": """
    :b :marriedTo :a {| :place :t1 ; :since 1990 |} . :c :marriedTo :d {| :place :t2 ; :since 1992 |} .
    """,
    "reification": """
    :m a rdf:Statement ; rdf:subject :b ; rdf:predicate :marriedTo ; rdf:object :a .
    :n a rdf:Statement ; rdf:subject :c ; rdf:predicate :marriedTo ; rdf:object :d .
    :m :place :t1 ; :since 1990 . :n :place :t2 ; :since 1992 .
    """,
    "singleton": """
    :b :m :a . :m rdf:singletonPropertyOf :marriedTo ; :place :t1 ; :since 1990 .
    :c :n :d . :n rdf:singletonPropertyOf :marriedTo ; :place :t2 ; :since 1992 .
    """,
}
PROGRAMS = (
    ("Find(Bob Ray)->Relate(married to, forward)->QFilterStr(place, Alton)->What()", ["Ann Lee"]),
    ("Find(Bob Ray)->Relate(married to, forward)->QFilterStr(place, Belton)->What()", []),
    ("FindAll()->Relate(married to, backward)->QFilterStr(place, Belton)->What()", ["Cy Fox"]),
    ("Find(Cy Fox)->Find(Di Oak)->QueryRelationQualifier(married to, place)", ["Belton"]),
    ("Find(Cy Fox)->Find(Di Oak)->QueryRelationQualifier(married to, since)", ["1992"]),
)
PLACES = """
Step 1: FindAll()
Step 2: FilterConcept(Person)
Step 3: FindAll()
Step 4: FilterConcept(Person)
Step 5: QueryRelationQualifier(married to, place) <- 2, 4
"""
TABLES = (
    ("Step 6: Table() <- 2, 5", [("Bob Ray", "Alton"), ("Cy Fox", "Belton")]),
    ("Step 6: Table() <- 5\nStep 7: SortTable(1, descending)", [("Belton",), ("Alton",)]),
    ("Step 6: Table() <- 2, 5\nStep 7: FilterTable(2, Belton, =)", [("Cy Fox", "Belton")]),
    ("Step 6: Count() <- 2\nStep 7: Table() <- 5, 6", [("Alton", "1"), ("Belton", "1")]),
)


@pytest.fixture(scope="module", params=FORMS)
def couples(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    file: Path = tmp_path_factory.mktemp("data") / "couples.ttl"
    file.write_text(PEOPLE + FORMS[request.param], encoding="utf-8")
    with opened((file,)) as gateway:
        assert gateway.endpoint(None).layout == request.param
        yield gateway


def test_the_index_knows_their_class(couples: Pipeline) -> None:
    ranges = {one.label: one.ranges for one in couples.endpoint(None).index.schema if one.kind == "qualifier"}
    assert ranges == {"place": (("http://vows.example/Town", 2),), "since": ()}


@pytest.mark.parametrize(("program", "expected"), PROGRAMS)
def test_programs(couples: Pipeline, program: str, expected: list[str]) -> None:
    answer = couples.run(read_program(program)).answer
    assert (list(answer.strings) if answer else []) == expected


@pytest.mark.parametrize(("steps", "expected"), TABLES)
def test_tables(couples: Pipeline, steps: str, expected: list[tuple[str, ...]]) -> None:
    answer = couples.run(read_program(PLACES + steps)).answer
    assert answer is not None
    rows = [tuple(map(str, row)) for row in answer.rows]
    assert (rows if "Sort" in steps else sorted(rows)) == expected


@pytest.mark.parametrize(("town", "name"), [("belton", "Belton"), ("Rome", None)])
def test_the_words_of_a_question_are_the_label_of_one(couples: Pipeline, town: str, name: str | None) -> None:
    index = couples.endpoint(None).index
    naming = MentionLookup(Linker(index).link(Question(f"Who married in {town}?")), index)
    assert naming.string((15, 15 + len(town)), town, "http://vows.example/place") == name
