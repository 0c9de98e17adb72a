"""Credentials: what is taken for one, how they are compared, and that they are told to nobody."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient
from tokens import bearer

from nlq_gateway.core.errors import Unauthorized
from nlq_gateway.edges.clients import Credentials
from nlq_gateway.settings import AccessSettings
from nlq_gateway.settings.values import Expanded

Made = Callable[..., FlaskClient]
SECRET = {"question": "How many films are there?", "dataset": "secret"}
WRONG = ["", "k", "kbb", "KB", "kb,kb", "Bearer kb", "€", "â\x82¬", "kb\x00", "k" * 9_000]
KEYS = {
    "type": "header",
    "header": "X-API-Key",
    "clients": [{"name": "a", "token": Expanded("k€y of a")}, {"name": "b", "token": Expanded("kb")}],
}


def name_of(settings: dict[str, Any], headers: dict[str, str]) -> str:
    return Credentials(AccessSettings.model_validate(settings)).client(headers).name  # type: ignore[arg-type]


def as_wsgi(value: str) -> str:
    return value.encode().decode("latin-1")


def test_a_key_in_a_header_of_its_own() -> None:
    assert name_of(KEYS, {"X-API-Key": as_wsgi("k€y of a")}) == "a"
    assert name_of(KEYS, {"X-API-Key": " kb "}) == "b"


@pytest.mark.parametrize("value", WRONG)
def test_what_is_no_key(value: str) -> None:
    with pytest.raises(Unauthorized) as caught:
        name_of(KEYS, {"X-API-Key": value})
    assert caught.value.challenge == 'ApiKey realm="nlq-gateway", header="X-API-Key"'
    assert not value or value not in caught.value.message.replace("known", "")


@pytest.mark.parametrize(
    ("value", "status"),
    [
        ("Bearer t0ken-of-all", 200),
        ("bearer  t0ken-of-all", 200),
        ("Bearer", 401),
        ("Bearer ", 401),
        ("t0ken-of-all", 401),
        ("Token t0ken-of-all", 401),
        ("Bearer t0ken-of-al", 401),
        ("Bearer t0ken-of-all, Bearer t0ken-of-films", 401),
        ("Basic t0ken-of-all", 401),
        ("Bearer \x80\xff", 401),
    ],
)
def test_a_bearer_token(closed: FlaskClient, value: str, status: int) -> None:
    response = closed.get("/datasets", headers={"Authorization": value})
    assert response.status_code == status
    if status == 401:
        assert response.headers["WWW-Authenticate"].startswith('Bearer realm="nlq-gateway"')
        assert response.get_json()["type"] == "/problems/unauthorized"
        assert "t0ken" not in response.text


def test_a_token_in_the_address_is_none(closed: FlaskClient) -> None:
    assert closed.get("/datasets?access_token=t0ken-of-all&token=t0ken-of-all").status_code == 401


def test_without_credentials_the_challenge_names_no_error(closed: FlaskClient) -> None:
    """RFC 6750, 3.1."""
    assert closed.get("/datasets").headers["WWW-Authenticate"] == 'Bearer realm="nlq-gateway"'


def test_all_digests_are_compared_whichever_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[int, int]] = []

    def noted(one: bytes, other: bytes) -> bool:
        compared.append((len(one), len(other)))
        return compare(one, other)

    compare = hmac.compare_digest
    monkeypatch.setattr(hmac, "compare_digest", noted)
    for key in ("kb", as_wsgi("k€y of a"), "x", "x" * 5_000):
        compared.clear()
        try:
            name_of(KEYS, {"X-API-Key": key})
        except Unauthorized:
            assert key.startswith("x")
        assert compared == [(32, 32)] * 2


def test_tokens_are_nowhere_to_be_seen(closed: FlaskClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "nlq_gateway"):
        asked = closed.post(
            "/nlq", json={"question": "How many films are there?"}, headers=bearer("t0ken-of-films")
        )
        trace = closed.get(f"/traces/{asked.get_json()['id']}", headers=bearer("t0ken-of-films"))
        refused = [
            closed.post("/nlq", json=SECRET, headers=bearer("t0ken-of-films")),
            closed.get("/datasets", headers=bearer("t0ken-of-nobody")),
            closed.get("/metrics", headers=bearer("t0ken-of-films")),
        ]
        figures = closed.get("/metrics", headers=bearer("t0ken-of-all"))
    assert [response.status_code for response in refused] == [403, 401, 403]
    for response in (asked, trace, *refused, figures):
        assert "t0ken" not in response.text
        assert "t0ken" not in str(response.headers)
    assert "t0ken" not in caplog.text
    assert "team-films" in caplog.text


def test_nobody_writes_lines_of_the_log(closed: FlaskClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "nlq_gateway"):
        closed.get("/a%0Aforged%0D/sparql?query=%0Aforged", headers={"Authorization": "Bearer x\x85forged"})
        closed.get("/a%0Aforged/sparql?query=ASK{}", headers=bearer("t0ken-of-all"))
        closed.get("/traces/%0Aforged", headers=bearer("t0ken-of-all"))
    assert not [record for record in caplog.records if len(record.getMessage().splitlines()) > 1]


def test_an_open_gateway_takes_no_notice_of_credentials(client_with: Made) -> None:
    client = client_with()
    assert client.get("/datasets", headers=bearer("anything")).status_code == 200
    assert client.get("/metrics").status_code == 200
