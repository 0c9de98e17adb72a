"""`POST /traces/ID/feedback`: what is confirmed is a demonstration for the next question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from nlq_gateway.answering import Pipeline
from nlq_gateway.core.errors import TracesUnavailable
from nlq_gateway.drafts.demonstrations import collection
from nlq_gateway.edges.http import create_app
from nlq_gateway.edges.trace_store import TraceStore

HELMED = "Find(Pulp Fiction)->Relate(directed by, forward)->What()"


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """New feedback is looked for at every question."""
    monkeypatch.setattr(collection, "LOOK_SECONDS", 0.0)


def ask(client: FlaskClient, question: str) -> Any:
    return client.post("/nlq", json={"question": question}).get_json()


def judge(client: FlaskClient, trace: Any, **body: Any) -> Any:
    return client.post(f"/traces/{trace['id']}/feedback", json=body)


@pytest.fixture
def kept(client: FlaskClient, tmp_path: Path) -> Iterator[TraceStore]:
    """The application's store, as another process has it."""
    del client
    store = TraceStore(tmp_path / "traces.sqlite")
    yield store
    store.close()


def approve(kept: TraceStore, reply: Any) -> None:
    kept.decide(reply.get_json()["feedback"], "approved", "operator")


def test_anonymous_feedback_teaches_nothing(client: FlaskClient, kept: TraceStore) -> None:
    """However often it is given, and by whomever: a wrong program would spoil answers for all."""
    before = ask(client, "Who directed Inception?")
    for film in ("Pulp Fiction", "Jurassic Park"):
        for _ in range(3):
            trace = ask(client, f"Who directed {film}?")
            wrong = f"Find({film})->Relate(cast member, forward)->What()"
            reply = judge(client, trace, correct=False, program=wrong).get_json()
            assert (reply["state"], reply["demonstration"]) == ("pending", False)
    after = ask(client, "Who directed Inception?")
    assert "demonstrations" not in after
    assert after["answer"] == before["answer"]
    assert kept.confirmed("sample") == ()
    assert len(kept.reviews(state="pending")) == 6


def test_what_is_approved_teaches_until_it_is_rejected(client: FlaskClient, kept: TraceStore) -> None:
    reply = judge(client, ask(client, "Who helmed Pulp Fiction?"), correct=False, program=HELMED)
    assert reply.status_code == 200
    approve(kept, reply)
    after = ask(client, "Who helmed Inception?")
    assert after["demonstrations"][0]["source"] == "confirmed"
    assert [value["label"] for value in after["answer"]["values"]] == ["Christopher Nolan"]
    kept.decide(reply.get_json()["feedback"], "rejected", "operator")
    assert "demonstrations" not in ask(client, "Who helmed Inception?")
    approve(kept, reply)
    assert ask(client, "Who helmed Inception?")["demonstrations"]


def test_a_confirmed_answer_is_a_demonstration(
    gateway: Pipeline, client: FlaskClient, kept: TraceStore
) -> None:
    trace = ask(client, "Who directed Pulp Fiction?")
    approve(kept, judge(client, trace, correct=True, comment="yes"))
    assert ask(client, "Who directed Inception?")["demonstrations"][0]["question"] == trace["question"]
    assert len(gateway.endpoint("sample").demonstrations) == 1


def test_the_last_decision_counts(client: FlaskClient, kept: TraceStore) -> None:
    trace = ask(client, "Who directed Pulp Fiction?")
    approve(kept, judge(client, trace, correct=True))
    withdrawn = judge(client, trace, correct=False, comment="no")
    assert ask(client, "Who directed Inception?")["demonstrations"], "it waits for a decision"
    approve(kept, withdrawn)
    assert "demonstrations" not in ask(client, "Who directed Inception?")
    kept.decide(withdrawn.get_json()["feedback"], "rejected", "operator")
    assert ask(client, "Who directed Inception?")["demonstrations"]


def test_another_process_sees_it(
    client: FlaskClient, gateway: Pipeline, kept: TraceStore, tmp_path: Path
) -> None:
    approve(kept, judge(client, ask(client, "Who helmed Pulp Fiction?"), correct=False, program=HELMED))
    other = Pipeline(gateway.settings.only("sample"))
    other.endpoint("sample").prepare()
    store = TraceStore(tmp_path / "traces.sqlite")
    try:
        assert ask(create_app(other, store).test_client(), "Who helmed Inception?")["demonstrations"]
    finally:
        store.close()
        other.close()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "invalid-request"),
        ({"correct": "yes"}, "invalid-request"),
        ({"correct": True, "program": HELMED}, "invalid-request"),
        ({"correct": False, "program": "Find(Pulp Fiction"}, "invalid-program"),
        ({"correct": False, "program": "Seek(Pulp Fiction)"}, "invalid-program"),
        ({"correct": True, "comment": "x" * 3_000}, "invalid-request"),
        ({"correct": True, "rating": 5}, "invalid-request"),
        ({"correct": True, "comment": "a\0b"}, "invalid-request"),
    ],
)
def test_wrong_feedback_is_a_problem(client: FlaskClient, body: dict[str, Any], code: str) -> None:
    reply = judge(client, ask(client, "Who directed Pulp Fiction?"), **body)
    assert reply.content_type == "application/problem+json"
    assert reply.status_code == 400
    assert reply.get_json()["type"] == f"/problems/{code}"


def test_feedback_on_no_trace_or_on_a_program_is_a_problem(client: FlaskClient) -> None:
    assert judge(client, {"id": "nothing"}, correct=True).status_code == 404
    trace = client.post("/run", json={"program": HELMED}).get_json()
    reply = judge(client, trace, correct=True)
    assert reply.status_code == 400
    assert "question" in reply.get_json()["detail"]


def test_an_answer_without_a_program_cannot_be_correct(client: FlaskClient) -> None:
    trace = ask(client, "How tall is Xaver Unbekannt?")
    assert trace["program"] is None
    assert judge(client, trace, correct=True).status_code == 400


def test_feedback_that_cannot_be_read_does_not_cost_the_answer(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> int:
        raise TracesUnavailable("the disk is full")

    monkeypatch.setattr(TraceStore, "feedback_version", broken)
    assert ask(client, "Who directed Pulp Fiction?")["status"] == "answered"
