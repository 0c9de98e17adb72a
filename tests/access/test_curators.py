"""Curators decide which feedback teaches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient
from tokens import ALL, BEARER, CURATOR, FILMS, bearer

Made = Callable[..., FlaskClient]
QUESTION = "How many films are there?"


def asked(client: FlaskClient, dataset: str = "films", token: str = "") -> str:
    headers = bearer(token) if token else {}
    trace = client.post("/nlq", json={"question": QUESTION, "dataset": dataset}, headers=headers).get_json()
    return str(trace["id"])


def judged(client: FlaskClient, trace: str, token: str = "") -> Any:
    headers = bearer(token) if token else {}
    return client.post(f"/traces/{trace}/feedback", json={"correct": True}, headers=headers)


def decided(client: FlaskClient, number: int, verdict: str = "approve", token: str = "") -> Any:
    return client.post(f"/feedback/{number}/{verdict}", headers=bearer(token) if token else {})


def test_a_curator_approves_and_undoes_it(client_with: Made) -> None:
    client = client_with(auth=BEARER)
    number = judged(client, asked(client, token=FILMS), FILMS).get_json()["feedback"]
    told = decided(client, number, token=CURATOR).get_json()
    assert (told["feedback"], told["state"], told["demonstration"]) == (number, "approved", True)
    told = decided(client, number, "reject", token=CURATOR).get_json()
    assert (told["state"], told["demonstration"]) == ("rejected", False)


def test_nobody_else_decides(client_with: Made) -> None:
    client = client_with(auth=BEARER)
    number = judged(client, asked(client, token=FILMS), FILMS).get_json()["feedback"]
    assert decided(client, number).status_code == 401
    for token in (FILMS, ALL):
        assert decided(client, number, token=token).status_code == 403
        # Whether there is such feedback is not told.
        assert decided(client, 10_000, token=token).status_code == 403
    assert decided(client_with(), number).status_code == 403


def test_a_curator_decides_on_no_other_dataset(client_with: Made) -> None:
    client = client_with(auth=BEARER)
    number = judged(client, asked(client, "secret", ALL), ALL).get_json()["feedback"]
    assert decided(client, number, token=CURATOR).status_code == 404
    assert decided(client, 10_000, token=CURATOR).status_code == 404


@pytest.mark.parametrize(
    ("mode", "token", "state"),
    [
        ("review", FILMS, "pending"),
        ("review", CURATOR, "pending"),
        ("trusted", FILMS, "pending"),
        ("trusted", CURATOR, "approved"),
    ],
)
def test_whose_feedback_teaches_at_once(client_with: Made, mode: str, token: str, state: str) -> None:
    client = client_with(auth=BEARER, feedback=mode)
    assert judged(client, asked(client, token=token), token).get_json()["state"] == state


def test_without_credentials_nobody_is_trusted(client_with: Made) -> None:
    client = client_with(feedback="trusted")
    assert judged(client, asked(client)).get_json()["state"] == "pending"


@pytest.mark.parametrize("off", ["off", False])
def test_feedback_that_is_off_is_not_there(client_with: Made, off: object) -> None:
    client = client_with(auth=BEARER, feedback=off)
    reply = judged(client, asked(client, token=CURATOR), CURATOR)
    assert (reply.status_code, reply.get_json()["type"]) == (404, "/problems/not-found")
    assert decided(client, 1, token=CURATOR).status_code == 404
    assert client.get("/datasets", headers=bearer(CURATOR)).get_json()["feedback"] == "off"
