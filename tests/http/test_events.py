"""`text/event-stream`: what is told while a question is answered."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from connectors.errors import EndpointTimeout
from nlq_gateway.answering import Pipeline
from nlq_gateway.edges.http import events
from nlq_gateway.edges.http.events import Stream, streamed, written
from nlq_gateway.trace import StepTrace

EVENTS = {"Accept": "text/event-stream"}
QUESTION = "Who directed Pulp Fiction?"
# Its likeliest reading finds nothing, so that several programs are tried.
SEVERAL = "Which river has the largest number of cities?"
PROGRAM = "FindAll()->FilterConcept(film)->Relate(directed by, forward)->Count()"

Told = list[tuple[int, str, dict[str, Any]]]


def read(text: str) -> Told:
    """The events of a stream: number, name, data."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line and not line.startswith(":"))
        if fields:
            found.append((int(fields["id"]), fields["event"], json.loads(fields["data"])))
    return found


def asked(client: FlaskClient, question: str = QUESTION, **body: Any) -> Told:
    response = client.post("/nlq", json={"question": question, **body}, headers=EVENTS)
    assert (response.status_code, response.mimetype) == (200, "text/event-stream"), response.text
    return read(response.text)


def names(told: Told) -> list[str]:
    return [name for _, name, _ in told]


def test_a_question_is_told_stage_by_stage(client: FlaskClient) -> None:
    told = asked(client, "What is the length of the Danube?")
    assert names(told) == [
        "links",
        "program",
        "grounding",
        "sparql",
        "step",
        "step",
        "answer",
        "done",
    ]
    assert [number for number, _, _ in told] == list(range(1, len(told) + 1))


def test_what_is_told_is_what_the_document_says(client: FlaskClient) -> None:
    told = asked(client, SEVERAL)
    last = {name: data for _, name, data in told}
    document = last["answer"]
    assert last["program"]["program"] == document["program"]
    assert last["program"]["source"] == document["strategy"]
    assert last["grounding"]["bindings"] == document["bindings"]
    assert {"text": last["sparql"]["text"], "source_map": last["sparql"]["source_map"]} == document["sparql"]
    steps = [data for _, name, data in told if name == "step"]
    assert sorted(steps, key=lambda step: step["step"]) == document["steps"]
    assert last["done"] == {"id": document["id"], "total_ms": last["done"]["total_ms"]}
    assert last["done"]["total_ms"] >= document["timings_ms"]["total"]
    assert client.get(f"/traces/{document['id']}").get_json() == document


def test_links_say_where_they_stand_in_the_question(client: FlaskClient) -> None:
    (_, _, links), *_ = asked(client, "Which  films were published after 1990 and before 1995?")
    places = [*links["mentions"], *links["literals"]]
    assert links["mentions"]
    assert links["literals"]
    for place in places:
        assert links["question"][place["start"] : place["end"]] == place["text"]
    assert {"kind", "iri", "label", "score"} == set(links["mentions"][0]["alternatives"][0])


def test_the_program_that_is_taken_is_told_last(client: FlaskClient) -> None:
    """Also where one was tried after it: there are two Georgias."""
    told = asked(client, "What is the capital of Georgia?")
    *tried, taken = [data["attempt"] for _, name, data in told if name == "program"]
    assert tried == list(range(1, len(tried) + 1))
    assert len(tried) > taken == 1
    last = {name: data for _, name, data in told}
    assert last["program"]["program"] == last["answer"]["program"]
    assert last["sparql"]["attempt"] == 1


def test_a_program_is_told_without_links(client: FlaskClient) -> None:
    response = client.post("/run", json={"program": PROGRAM}, headers=EVENTS)
    told = read(response.text)
    assert names(told) == ["program", "grounding", "sparql", *["step"] * 4, "answer", "done"]
    assert told[0][2]["source"] == "given"


def test_nothing_is_counted_where_nothing_is_run(client: FlaskClient) -> None:
    assert names(asked(client, execute=False)) == [
        "links", "program", "grounding", "sparql", "answer", "done"
    ]  # fmt: skip


def test_a_question_that_nothing_states_ends_with_its_document(client: FlaskClient) -> None:
    told = asked(client, "Who is the grand vizier of Zorkmidia?")
    assert names(told)[-2:] == ["answer", "done"]
    assert told[-2][2]["status"] == "unanswerable"


def test_an_event_source_gets_the_same(client: FlaskClient) -> None:
    response = client.get("/nlq", query_string={"question": QUESTION}, headers=EVENTS)
    assert names(read(response.text))[-2:] == ["answer", "done"]
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Accel-Buffering"] == "no"
    assert "Content-Length" not in response.headers


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"question": ""}, 400, "invalid-request"),
        ({"question": QUESTION, "max_rows": 0}, 400, "invalid-request"),
        ({"question": QUESTION, "dataset": "other"}, 404, "unknown-dataset"),
        ({"question": QUESTION, "dataset": "away"}, 502, "endpoint-unreachable"),
        ({"question": QUESTION, "strategy": "steps"}, 503, "model-unavailable"),
    ],
)
def test_what_goes_wrong_before_is_a_problem(
    client: FlaskClient, body: dict[str, Any], status: int, code: str
) -> None:
    response = client.post("/nlq", json=body, headers=EVENTS)
    assert (response.status_code, response.mimetype) == (status, "application/problem+json")
    assert json.loads(response.data)["type"] == f"/problems/{code}"


@pytest.fixture
def slow(gateway: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store gives up on every query."""

    def giving_up(*_: Any, **__: Any) -> None:
        raise EndpointTimeout("the store did not answer in time")

    monkeypatch.setattr(type(gateway.endpoint("sample").connector), "query", giving_up)


@pytest.mark.usefixtures("slow")
def test_what_goes_wrong_on_the_way_is_an_event(client: FlaskClient) -> None:
    response = client.post("/run", json={"program": PROGRAM}, headers=EVENTS)
    told = read(response.text)
    assert (response.status_code, names(told)) == (
        200, ["program", "grounding", "sparql", "error", "done"]
    )  # fmt: skip
    error, done = told[-2][2], told[-1][2]
    assert (error["type"], error["status"], error["retryable"]) == ("/problems/endpoint-timeout", 504, True)
    assert error["sparql"]["text"] == told[2][2]["text"]
    assert "id" not in done
    assert 'code="endpoint-timeout",route="/run"' in client.get("/metrics").text


def test_a_fault_on_the_way_is_told_without_its_words(
    client: FlaskClient, gateway: Pipeline, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(type(gateway.endpoint("sample").connector), "query", broken)
    headers = {**EVENTS, "X-Request-Id": "abc"}
    text = client.post("/run", json={"program": PROGRAM}, headers=headers).text
    assert read(text)[-2][2]["detail"] == "the gateway's log has more under abc"
    assert "secret" not in text
    assert "secret" in caplog.text


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_client_that_lost_its_connection_does_not_ask_twice(
    app: Flask, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    monkeypatch.setattr(Pipeline, "ask", lambda *_: pytest.fail("asked"))
    given = {"query_string": {"question": QUESTION}} if method == "GET" else {"json": {"question": QUESTION}}
    headers = {**EVENTS, "Last-Event-ID": "3"}
    response = app.test_client().open("/nlq", method=method, headers=headers, **given)
    assert (response.status_code, response.data) == (204, b"")


def test_head_asks_nothing(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pipeline, "ask", lambda *_: pytest.fail("asked"))
    response = client.head("/nlq", query_string={"question": QUESTION}, headers=EVENTS)
    assert (response.status_code, response.mimetype) == (200, "text/event-stream")
    assert "Content-Length" not in response.headers
    assert client.head("/nlq", headers=EVENTS).status_code == 400


def test_an_event_is_one_line_of_data_for_every_client() -> None:
    data = {"label": "a\nb\r\nc\u2028d\u2029e\x85f Ürümqi"}
    text = written(7, "step", data).decode()
    assert text.splitlines()[:2] == ["id: 7", "event: step"]
    assert len(text.splitlines()) == 4
    assert json.loads(text.splitlines()[2].removeprefix("data: ")) == data


@pytest.fixture
def waiting() -> Iterator[tuple[Stream, threading.Event, list[bool]]]:
    """A stream whose work tells one event and waits to be let go on; whether it ended because it was left."""
    go_on, left, pool = threading.Event(), list[bool](), ThreadPoolExecutor(1)

    def work(gone: threading.Event, tell: Any) -> dict[str, Any]:
        tell(StepTrace(0, "Find", 1))
        while not go_on.wait(0.01):
            if gone.is_set():
                left.append(True)
                raise InterruptedError
        return {"id": "abc"}

    stream = Stream(pool, {}, work, lambda error: {"detail": repr(error)})
    yield stream, go_on, left
    go_on.set()
    stream.close()
    pool.shutdown()


Waiting = tuple[Stream, threading.Event, list[bool]]


def test_silence_is_broken_by_comments(waiting: Waiting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "HEARTBEAT_SECONDS", 0.02)
    stream, go_on, _ = waiting
    stream.begin()
    told = iter(stream)
    assert next(told).startswith(b"id: 1\nevent: step\n")
    assert [next(told), next(told)] == [b": \n\n", b": \n\n"]
    go_on.set()
    rest = b"".join(told).replace(b": \n\n", b"")
    assert rest.startswith(b'id: 2\nevent: answer\ndata: {"id": "abc"}\n\nid: 3\nevent: done\n')


@pytest.mark.parametrize("begun", [True, False])
def test_a_stream_that_is_closed_ends_its_work(waiting: Waiting, begun: bool) -> None:
    stream, _, left = waiting
    if begun:
        stream.begin()
        next(iter(stream))
    stream.close()
    assert left == [True]


def test_a_response_that_is_wrapped_and_never_read_ends_its_work(waiting: Waiting) -> None:
    stream, _, left = waiting
    response = streamed(stream)
    response.response = (part for part in stream)
    response.close()
    assert left == [True]
