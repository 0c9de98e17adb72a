"""A graph with things that are named in German alone, beside others, and questions in English."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.rooms import opened
from compilers.answers import AnswerValue
from compilers.kopl.notations import NOTATIONS
from connectors.errors import EndpointTimeout
from connectors.results import Result
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.answering.execution import Store
from nlq_gateway.answering.labels import labelled
from nlq_gateway.trace import Trace

MOUNTAINS = "http://mountains.example/"
GRAPH = f"""
@prefix : <{MOUNTAINS}> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Mountain a rdfs:Class ; rdfs:label "mountain"@en .
:Region a rdfs:Class ; rdfs:label "region"@en .
:locatedIn rdfs:label "located in"@en .
:height rdfs:label "height"@en .
:m1 a :Mountain ; rdfs:label "Big Hill"@en , "Grosser Berg"@de ; :height 900 ; :locatedIn :r1 .
:m2 a :Mountain ; :height 800 ; :locatedIn :r1 .
:m3 a :Mountain ; rdfs:label "Hoher Stein"@de , "Haute Pierre"@fr ; :height 700 ; :locatedIn :r2 .
:r1 a :Region ; rdfs:label "Seeland"@de , "Lakeland"@en-GB .
:r2 a :Region ; rdfs:label "Heide"@de .
"""
STONE = AnswerValue(MOUNTAINS + "m3", "iri", "Hoher Stein", language="de")


@pytest.fixture(scope="module")
def mountains(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    file = tmp_path_factory.mktemp("mountains") / "mountains.ttl"
    file.write_text(GRAPH, encoding="utf-8")
    with opened((file,)) as gateway:
        yield gateway


def run(gateway: Pipeline, chain: str, language: str = "en") -> Trace:
    return gateway.run(NOTATIONS["chain"].read(chain), language=language)


@pytest.mark.parametrize(
    "question", ["Which mountain is located in Heide?", "Which mountain has a height of 700?"]
)
def test_a_question_is_answered_by_any_label_with_its_language(mountains: Pipeline, question: str) -> None:
    trace = mountains.ask(Ask(question))
    assert trace.answer is not None
    assert trace.answer.values == (STONE,)
    assert trace.text == "Hoher Stein (de)"
    assert trace.as_json()["answer"]["values"][0]["lang"] == "de"


def test_a_wanted_language_comes_before_others_and_an_iri_last(mountains: Pipeline) -> None:
    answer = run(mountains, "FindAll()->FilterConcept(mountain)->What()").answer
    assert answer is not None
    assert {value.label: value.language for value in answer.values} == {
        "Big Hill": None,
        "m2": None,
        "Hoher Stein": "de",
    }


@pytest.mark.parametrize(("language", "name"), [("en", "Lakeland"), ("de", "Seeland"), ("fr", "Lakeland")])
def test_regions_of_a_language_are_that_language(mountains: Pipeline, language: str, name: str) -> None:
    answer = run(mountains, "Find(Big Hill)->Relate(located in, forward)->What()", language).answer
    assert answer is not None
    assert [(value.label, value.language) for value in answer.values] == [(name, None)]


def test_cells_of_a_table_have_them_and_the_rows_are_those_of_the_query(mountains: Pipeline) -> None:
    trace = run(mountains, "FindAll()->FilterConcept(mountain)->QueryAttr(height)")
    assert STONE in [row[0] for row in trace.cells]
    assert "Hoher Stein (de) (700)" in trace.text
    assert trace.result is not None
    assert trace.query is not None
    assert trace.result.rows == mountains.endpoint(None).select(trace.query.text).rows


def test_a_store_that_does_not_tell_them_leaves_the_result(mountains: Pipeline) -> None:
    def late(*_arguments: object, **_limits: object) -> Result:
        raise EndpointTimeout("the store took too long")

    trace = run(mountains, "FindAll()->FilterConcept(mountain)->What()")
    assert trace.query is not None
    assert trace.query.origin is not None
    assert trace.result is not None
    store = Store(late, "direct", trace.query.origin.options)
    assert labelled(trace.query, trace.result, store) == trace.result
