"""`/text2sparql`: what the challenge's clients send, and what they get."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from nlq_gateway.answering import Pipeline
from nlq_gateway.judging.confidence import ENOUGH

QUESTION = "Who directed Pulp Fiction?"
UNKNOWN = "zzz qqq xxx"


def asked(client: FlaskClient, **arguments: str) -> Any:
    return client.get("/text2sparql", query_string={"question": QUESTION, **arguments})


def test_a_question_gets_its_query(client: FlaskClient, gateway: Pipeline) -> None:
    response = asked(client, dataset="sample")
    document = response.get_json()
    assert set(document) == {"dataset", "question", "query"}
    assert (document["dataset"], document["question"]) == ("sample", QUESTION)
    result = gateway.endpoint("sample").connector.query(document["query"])
    assert [[term.value for term in row] for row in result.rows] == [
        ["http://world.example/Quentin_Tarantino"]
    ]
    trace = client.get(response.headers["Link"].removeprefix("<").partition(">")[0]).get_json()
    assert trace["question"] == QUESTION


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Is the Danube longer than 2000 km?", True),
        ("Is the Danube longer than 5000 km?", False),
        ("Is Mont Blanc more than 15,000 feet high?", True),
        ("Was Inception published in 2010?", True),
        ("Did Quentin Tarantino direct Pulp Fiction?", True),
    ],
)
def test_a_question_of_yes_or_no_is_an_ask(
    client: FlaskClient, gateway: Pipeline, question: str, verdict: bool
) -> None:
    query = asked(client, question=question).get_json()["query"]
    answer = gateway.endpoint("sample").connector.raw(query, "application/sparql-results+json")
    assert json.loads(answer.body)["boolean"] is verdict


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which city has the most inhabitants?", [["http://world.example/Shanghai"]]),
        ("How long is the Danube?", [["2850"]]),
        ("How many films did Christopher Nolan direct?", [["3"]]),
    ],
)
def test_the_result_is_the_answer_and_nothing_beside_it(
    client: FlaskClient, gateway: Pipeline, question: str, rows: list[list[str]]
) -> None:
    result = gateway.endpoint("sample").connector.query(asked(client, question=question).get_json()["query"])
    assert [[term.value for term in row if term] for row in result.rows] == rows


def test_a_dataset_is_named_by_its_alias_and_answers_by_that_name(
    client: FlaskClient, gateway: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    alias = "https://text2sparql.aksw.org/2025/dbpedia/"
    endpoint = gateway.endpoint("sample")
    monkeypatch.setattr(endpoint, "settings", endpoint.settings.model_copy(update={"aliases": (alias,)}))
    assert asked(client, dataset=alias).get_json()["dataset"] == alias


def test_without_a_dataset_the_first_answers(client: FlaskClient) -> None:
    assert asked(client).get_json()["dataset"] == "sample"


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer is sure enough."""
    monkeypatch.setitem(ENOUGH, "normal", 1.0)


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("question", [QUESTION, UNKNOWN])
def test_a_question_that_no_query_fits_is_a_problem_that_is_never_taken_for_an_answer(
    client: FlaskClient, question: str
) -> None:
    response = asked(client, question=question)
    document = response.get_json()
    assert (response.status_code, document["type"]) == (422, "/problems/unanswerable")
    assert document["detail"]
    assert not {"dataset", "question", "query"} <= set(document)
    assert client.get(f"/traces/{document['trace']}").get_json()["status"] == "unanswerable"


@pytest.mark.usefixtures("strict")
def test_the_closest_query_comes_where_it_is_asked_for(client: FlaskClient) -> None:
    refused = asked(client).get_json()
    assert refused["sparql"]["text"]
    assert "guess=true" in refused["hint"]
    assert asked(client, guess="true").get_json()["query"].startswith("PREFIX")


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        ({"dataset": "other"}, 404, "unknown-dataset"),
        ({"question": " "}, 400, "invalid-request"),
        ({"quetsion": "x"}, 400, "invalid-request"),
        ({"dataset": "away"}, 502, "endpoint-unreachable"),
        ({"guess": "perhaps"}, 400, "invalid-request"),
    ],
)
def test_failures_are_problems(
    client: FlaskClient, arguments: dict[str, str], status: int, code: str
) -> None:
    response = asked(client, **arguments)
    assert (response.status_code, response.get_json()["type"]) == (status, f"/problems/{code}")
