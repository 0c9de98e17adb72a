"""`/nlq`, `/run`, `/compile`, `/traces`: what a right request gets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from compilers.kopl.notations import read_program
from connectors.base import Connector
from connectors.errors import EndpointTooComplex
from nlq_gateway.answering import Pipeline
from nlq_gateway.edges.http.answers import OFFERS

QUESTION = "Who directed Pulp Fiction?"
ANSWER = "Quentin Tarantino"
PROGRAM = "Find(Pulp Fiction)->Relate(directed by, forward)->What()"
RESULTS = "application/sparql-results+json"
MEMBERS = {
    "id", "question", "dataset", "status", "answer", "table", "truncated", "program", "bindings", "sparql",
    "steps", "confidence", "strategy", "attempts", "warnings", "timings_ms", "usage", "index_version",
}  # fmt: skip


def asked(client: FlaskClient, **body: Any) -> dict[str, Any]:
    response = client.post("/nlq", json={"question": QUESTION, **body})
    assert response.status_code == 200, response.text
    document: dict[str, Any] = response.get_json()
    return document


def test_a_question_gets_its_answer_and_the_whole_trace(client: FlaskClient) -> None:
    document = asked(client)
    assert set(document) >= MEMBERS
    assert (document["status"], document["dataset"], document["question"]) == ("answered", "sample", QUESTION)
    assert [value["label"] for value in document["answer"]["values"]] == [ANSWER]
    for place in document["sparql"]["source_map"]:
        assert all(0 <= start < end <= len(document["sparql"]["text"]) for start, end in place["spans"])


def test_get_takes_the_question_from_the_address(client: FlaskClient) -> None:
    response = client.get("/nlq", query_string={"question": QUESTION, "dataset": "sample", "max_rows": "5"})
    assert response.get_json()["answer"]["text"] == ANSWER


def test_labels_come_in_the_language_that_is_asked_for(client: FlaskClient) -> None:
    body = {"program": "Find(Adriatic Sea)->What()"}
    answers = [client.post("/run", json={**body, "lang": lang}).get_json() for lang in ("en", "de")]
    assert [answer["answer"]["text"] for answer in answers] == ["Adriatic Sea", "Adria"]


def test_without_execution_there_is_a_query_and_no_answer(client: FlaskClient) -> None:
    document = asked(client, execute=False)
    assert document["sparql"]["text"]
    assert document["answer"]["values"] == []


def test_the_stores_own_result_comes_untouched_with_a_link_to_the_trace(
    client: FlaskClient, gateway: Pipeline
) -> None:
    response = client.post("/nlq", json={"question": QUESTION}, headers={"Accept": RESULTS})
    assert response.mimetype == RESULTS
    target = response.headers["Link"].removeprefix("<").partition(">")[0]
    trace = client.get(target).get_json()
    assert trace["answer"]["text"] == ANSWER
    raw = gateway.endpoint("sample").connector.raw(trace["sparql"]["text"], RESULTS)
    assert response.data == raw.body


@pytest.fixture
def gives_up(gateway: Pipeline, monkeypatch: pytest.MonkeyPatch) -> str:
    """A program whose one query the store gives up on, however it is sent."""
    program = "Find(Nile)->Find(Danube)->Or()->What()"
    endpoint = gateway.endpoint("sample")
    connector = type(endpoint.connector)
    refused = gateway.run(read_program(program), "sample", probes=False).query
    assert refused is not None

    def giving_up(send: Callable[..., Any]) -> Callable[..., Any]:
        def sent(self: Connector, text: str, *arguments: Any, **bounds: Any) -> Any:
            if text == refused.text:
                raise EndpointTooComplex("the store expects the query to take too long")
            return send(self, text, *arguments, **bounds)

        return sent

    for name in ("query", "raw"):
        monkeypatch.setattr(connector, name, giving_up(getattr(connector, name)))
    return program


def test_a_result_that_came_in_parts_is_put_together(client: FlaskClient, gives_up: str) -> None:
    response = client.post("/run", json={"program": gives_up}, headers={"Accept": RESULTS})
    assert (response.status_code, response.mimetype) == (200, RESULTS)
    document = response.get_json(force=True)
    labels = [name for name in document["head"]["vars"] if name.endswith("Label")]
    rows = document["results"]["bindings"]
    assert {row[labels[0]]["value"] for row in rows} == {"Nile", "Danube"}


@pytest.mark.parametrize("rows", [1, 2, 50])
def test_a_result_has_no_more_rows_than_were_asked_for(client: FlaskClient, rows: int) -> None:
    body = {"program": "FindAll()->FilterConcept(river)->What()", "max_rows": rows}
    found = client.post("/run", json=body).get_json()["answer"]["values"]
    response = client.post("/run", json=body, headers={"Accept": RESULTS})
    bindings = response.get_json(force=True)["results"]["bindings"]
    (entity,) = (name for name in bindings[0] if not name.endswith("Label"))
    assert [row[entity]["value"] for row in bindings] == [value["value"] for value in found]
    assert len(bindings) == rows or rows == 50


def test_a_question_that_no_query_fits_has_no_rows_and_says_why(client: FlaskClient) -> None:
    response = client.post("/nlq", json={"question": "zzz qqq xxx"}, headers={"Accept": RESULTS})
    assert response.get_json(force=True)["results"]["bindings"] == []
    trace = client.get(response.headers["Link"].removeprefix("<").partition(">")[0]).get_json()
    assert trace["status"] == "unanswerable"
    assert trace["diagnosis"]


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        (None, "application/json"),
        ("*/*", "application/json"),
        ("application/json; charset=utf-8", "application/json"),
        ("text/html, application/json;q=0.9", "application/json"),
        (f"application/json;q=0.5, {RESULTS}", RESULTS),
        (f"{RESULTS};q=0.1, application/json;q=0.2", "application/json"),
        ("*/*, application/json;q=0", RESULTS),
        (f"{RESULTS};charset=utf-8", RESULTS),
        ("image/png, text/*;q=0.1", "text/csv"),
    ],
)
def test_accept_chooses_the_form(client: FlaskClient, accept: str | None, media_type: str) -> None:
    headers = {"Accept": accept} if accept else {}
    assert client.post("/nlq", json={"question": QUESTION}, headers=headers).mimetype == media_type


@pytest.mark.parametrize("accept", ["image/png", "application/json;q=0"])
def test_what_is_not_offered_is_not_acceptable(client: FlaskClient, accept: str) -> None:
    response = client.post("/nlq", json={"question": QUESTION}, headers={"Accept": accept})
    assert (response.status_code, response.mimetype) == (406, "application/problem+json")
    assert response.get_json()["detail"] == f"this address offers {', '.join(OFFERS)}"


@pytest.mark.parametrize(
    "program",
    [
        PROGRAM,
        "Step 1: Find(Pulp Fiction)\nStep 2: Relate(directed by, forward)\nStep 3: What()",
        [
            {"function": "Find", "inputs": ["Pulp Fiction"], "dependencies": []},
            {"function": "Relate", "inputs": ["directed by", "forward"], "dependencies": [0]},
            {"function": "QueryName", "inputs": [], "dependencies": [1]},
        ],
    ],
)
def test_a_program_in_any_notation_runs(client: FlaskClient, program: object) -> None:
    document = client.post("/run", json={"program": program}).get_json()
    assert document["answer"]["text"] == ANSWER
    assert [step["count"] for step in document["steps"][:2]] == [1, 1]


def test_the_program_of_an_answer_runs_again(client: FlaskClient) -> None:
    document = client.post("/run", json={"program": asked(client)["program"]}).get_json()
    assert document["answer"]["text"] == ANSWER


def test_a_pin_wins_over_the_name(client: FlaskClient) -> None:
    iri = next(
        b["iri"]
        for b in asked(client, question="Who directed The Shining?")["bindings"]
        if b["kind"] == "entity"
    )
    pins = [{"step": 1, "argument": 0, "iri": iri}]
    assert (
        client.post("/run", json={"program": PROGRAM, "pins": pins}).get_json()["answer"]["text"]
        == "Stanley Kubrick"
    )
    text = client.post("/compile", json={"program": PROGRAM, "pins": pins}).get_json()["sparql"]["text"]
    assert "Shining" in text
    assert "Pulp_Fiction" not in text


def test_a_program_compiles_without_being_run(client: FlaskClient) -> None:
    document = client.post("/compile", json={"program": PROGRAM, "dialect": "virtuoso"}).get_json()
    assert document["sparql"]["text"].count("# step") == 3
    assert [column["role"] for column in document["columns"]] == ["entity", "label"]
    assert [probe["steps"] for probe in document["probes"]] == [[2], [2]]
    for probe in document["probes"]:
        rows = client.post("/sparql", data={"query": probe["sparql"]}).get_json()["results"]["bindings"]
        assert {row["step"]["value"] for row in rows} == {"2"}


def test_a_strict_program_of_kqa_pro_runs_and_compiles(client: FlaskClient) -> None:
    body = {"program": PROGRAM, "strict": True}
    assert client.post("/run", json=body).get_json()["answer"]["text"] == ANSWER
    assert client.post("/compile", json=body).status_code == 200


def test_datasets_are_listed_with_the_default_first(client: FlaskClient) -> None:
    sample, away = client.get("/datasets").get_json()["datasets"]
    assert (sample["id"], sample["status"], sample["layout"]) == ("sample", "ready", "kqapro")
    assert (away["id"], away["status"], away["aliases"]) == ("away", "down", ["https://away.example/"])
    assert away["detail"]


def test_a_thing_with_labels_in_two_languages_has_one_row(client: FlaskClient) -> None:
    """By the label in the question's language."""
    body = {"question": "Welcher Fluss ist der längste?", "lang": "de"}
    assert client.post("/nlq", json=body).get_json()["table"]["rows"] == [["Nil", "6650 kilometre"]]
