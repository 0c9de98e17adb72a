"""Gold programs: from the file, and from gold queries over a graph of plain triples."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from compilers.kopl.notations import NOTATIONS, read_program
from nlq_gateway.answering import Pipeline
from nlq_gateway.offline.evaluation import GoldQuestion, Measurer
from nlq_gateway.offline.evaluation.gold import gold_program
from nlq_gateway.offline.evaluation.mistakes import Mistake

GRAPH = """@prefix films: <http://films.example/> .
films:f1 a films:Film ; films:title "Dune" ; films:director films:p1 .
films:f2 a films:Film ; films:title "Alien" ; films:director films:p2 .
films:p1 a films:Person ; films:name "David Lynch" .
films:p2 a films:Person ; films:name "Ridley Scott" .
"""
NAME_OF_DIRECTOR = "SELECT ?n { ?f a :Film ; :title 'Alien' ; :director ?p . ?p :name ?n }"


@pytest.fixture
def films(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pipeline]:
    monkeypatch.setenv("NLQ_CACHE", str(tmp_path / "cache"))
    (tmp_path / "films.ttl").write_text(GRAPH, encoding="utf-8")
    with opened((tmp_path / "films.ttl",)) as gateway:
        yield gateway


def test_a_gold_query_is_told_as_a_program(films: Pipeline) -> None:
    found = gold_program(GoldQuestion("1", "", "", (), NAME_OF_DIRECTOR), films.endpoint(None))
    assert found is not None
    text = NOTATIONS["chain"].write(found.program)
    assert text.startswith(
        "FindAll()->FilterConcept(film)->FilterStr(title, Alien)->Relate(director, forward)"
    )
    assert found.bindings[3, 0].iris == ("http://films.example/director",)


def test_what_cannot_be_told_has_no_program(films: Pipeline, gateway: Pipeline) -> None:
    endpoint = films.endpoint(None)
    assert gold_program(GoldQuestion("1", "", "", ("a",)), endpoint) is None
    assert gold_program(GoldQuestion("1", "", "", (), "SELECT ?p { ?f :director* ?p }"), endpoint) is None
    assert gold_program(GoldQuestion("1", "", "", (), NAME_OF_DIRECTOR), gateway.endpoint(None)) is None


def test_a_given_program_goes_before_the_query(films: Pipeline) -> None:
    given = read_program("FindAll()->FilterConcept(film)->Count()")
    found = gold_program(GoldQuestion("1", "", "", (), NAME_OF_DIRECTOR, program=given), films.endpoint(None))
    assert found is not None
    assert found.program == given


def test_a_gold_query_classes_a_wrong_answer(films: Pipeline) -> None:
    asked = GoldQuestion(
        "1", "How many persons are there?", "", ("7",), "SELECT (COUNT(*) AS ?n) { ?f a :Film }"
    )
    measured = Measurer(films).measure(asked)
    assert measured.mistake == Mistake.LINKING
    assert measured.trace is not None
    assert "FilterConcept" in measured.trace["program"]
