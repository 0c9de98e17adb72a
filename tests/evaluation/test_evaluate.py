"""The loop over the sample graph."""

from __future__ import annotations

from typing import Any

import pytest

from compilers.kopl.notations import read_program
from connectors.errors import EndpointRefusedQuery
from connectors.results import Result, Term
from nlq_gateway.answering import Pipeline
from nlq_gateway.offline.evaluation import GoldQuestion, Measurer, Tally, score
from nlq_gateway.offline.evaluation.gold import gold_of, gold_of_result
from nlq_gateway.offline.evaluation.measure import predicted

WHO = "Who directed Pulp Fiction?"
DIRECTOR = "SELECT ?d { <http://world.example/Pulp_Fiction> <http://world.example/directed_by> ?d }"
XSD = "http://www.w3.org/2001/XMLSchema#"


def report_of(gateway: Pipeline, questions: list[GoldQuestion]) -> dict[str, Any]:
    return Tally(list(map(Measurer(gateway).measure, questions))).report()


def test_right_and_wrong_answers_are_told_apart(gateway: Pipeline) -> None:
    questions = [
        GoldQuestion("1", WHO, "one", ("Quentin Tarantino",)),
        GoldQuestion("2", WHO, "one", ("Stanley Kubrick",)),
        GoldQuestion("3", WHO, "two", None, DIRECTOR),
        GoldQuestion("4", WHO, "two", None, DIRECTOR.replace("Pulp", "No")),
        GoldQuestion("5", WHO, "two", ()),
        GoldQuestion("6", "zzz qqq xxx", "two", ("a",)),
    ]
    report = report_of(gateway, questions)
    assert (report["n"], report["hits_at_1"], report["exact"], report["answered"]) == (4, 0.5, 0.5, 0.75)
    assert report["by_kind"]["one"] == {"n": 2, "hits_at_1": 0.5, "f1": 0.5, "exact": 0.5, "answered": 1.0}
    assert (report["empty_gold"], report["errors"]) == (2, 0)
    assert 0 < report["latency_ms"]["p50"] <= report["latency_ms"]["p95"] <= report["latency_ms"]["p99"]


def test_failures_are_counted_as_wrong_and_told(gateway: Pipeline) -> None:
    questions = [
        GoldQuestion("1", "", "a", ("x",)),
        GoldQuestion("2", "x" * 100_000, "a", ("x",)),
        GoldQuestion("3", WHO, "a", None, "DROP ALL"),
    ]
    report = report_of(gateway, questions)
    assert (report["n"], report["f1"], report["answered"]) == (2, 0, 0)
    assert report["errors"] == 3
    assert report["errors_by_code"] == {"invalid-request": 1, "too-large": 1, "query-refused": 1}


def test_questions_are_grouped_by_kind_and_by_their_gold_program(gateway: Pipeline) -> None:
    count = read_program("FindAll()->FilterConcept(film)->Count()")
    made = read_program("Find(Pulp Fiction)->Relate(directed by, forward)->What()")
    questions = [
        GoldQuestion("1", "How many films are there?", "level 10", ("7",), program=count),
        GoldQuestion("2", WHO, "level 2", ("Quentin Tarantino",), program=made),
        GoldQuestion("3", WHO, "level 2", ("Quentin Tarantino",)),
    ]
    report = report_of(gateway, questions)
    assert list(report["by_kind"]) == ["level 2", "level 10"]
    assert {name: group["n"] for name, group in report["by_hops"].items()} == {"0 hops": 1, "1 hop": 1}
    assert list(report["by_function"]) == ["lookup", "count"]
    assert report["by_function"]["lookup"]["exact"] == 1
    assert sum(report["error_table"].values()) == 1
    assert report["error_table"]["execution"] == 1


def test_no_questions_make_a_report_of_zeros(gateway: Pipeline) -> None:
    report = report_of(gateway, [])
    assert (report["n"], report["by_kind"], report["latency_ms"]["p99"]) == (0, {}, 0)


def test_gold_of_a_query(gateway: Pipeline) -> None:
    connector = gateway.endpoint(None).connector
    assert gold_of(GoldQuestion("1", "", "", None, DIRECTOR), connector) == (
        "http://world.example/Quentin_Tarantino",
    )
    assert gold_of(GoldQuestion("1", "", "", None, "ASK { ?s ?p ?o }"), connector) == ("yes",)
    rows = gold_of(GoldQuestion("1", "", "", None, "SELECT (1 AS ?a) (2 AS ?b) (?x AS ?c) {}"), connector)
    assert rows == (("1", "2", ""),)
    with pytest.raises(EndpointRefusedQuery):
        gold_of(GoldQuestion("1", "", "", None, "CLEAR ALL"), connector)


def test_booleans_of_a_result_are_yes_and_no() -> None:
    result = Result(
        ("x",), ((Term("literal", "true", XSD + "boolean"),), (Term("literal", "true"),), (None,))
    )
    assert gold_of_result(result) == ("yes", "true")


LARGEST = """PREFIX w: <http://world.example/>
SELECT ?film ?director ?cost { ?film w:directed_by ?director ; w:production_cost/<pred:value> ?cost }
ORDER BY DESC(?cost) LIMIT 3"""
COSTLY = """Step 1: FindAll()
Step 2: FilterConcept(film)
Step 3: Relate(directed by, forward)
Step 4: QueryAttr(production cost) <- 2
Step 5: Table() <- 3, 2, 4
Step 6: SortTable(3, descending)
Step 7: LimitTable(3)"""


def test_a_table_is_compared_with_the_rows_of_a_gold_query(gateway: Pipeline) -> None:
    gold = gold_of(GoldQuestion("1", "", "", None, LARGEST), gateway.endpoint(None).connector)
    answer = gateway.run(read_program(COSTLY)).answer
    assert answer is not None
    assert [len(row) for row in predicted(answer)] == [3, 3, 3]
    names = [(row[0][-1], row[1][-1]) for row in predicted(answer)]
    assert names == [(director, film) for film, director, _ in gold]
    bare = [row[:2] for row in predicted(answer)]
    assert score(bare, [item[:2] for item in gold]).exact == 1
