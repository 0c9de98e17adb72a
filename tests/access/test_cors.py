"""Pages of other origins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient
from tokens import BEARER

Made = Callable[..., FlaskClient]
PAGE, OTHER = "https://page.example", "https://other.example"


def preflight(client: FlaskClient, origin: str, path: str = "/nlq", **headers: str) -> Any:
    return client.options(
        path, headers={"Origin": origin, "Access-Control-Request-Method": "POST", **headers}
    )


@pytest.fixture
def client(client_with: Made) -> FlaskClient:
    return client_with(cors=[PAGE])


def test_a_page_that_may_ask_can_read_the_answer(client: FlaskClient) -> None:
    response = client.get("/datasets", headers={"Origin": PAGE})
    assert response.headers["Access-Control-Allow-Origin"] == PAGE
    exposed = set(response.headers["Access-Control-Expose-Headers"].split(", "))
    assert {"Link", "X-Request-Id", "Retry-After"} <= exposed
    assert "Origin" in response.vary
    assert "Access-Control-Allow-Credentials" not in response.headers


@pytest.mark.parametrize(
    "origin",
    [OTHER, "null", "*", f"{PAGE}.evil.example", f"{PAGE}:8443", "http://page.example", f"{PAGE}, {OTHER}"],
)
def test_others_cannot(client: FlaskClient, origin: str) -> None:
    for response in (client.get("/datasets", headers={"Origin": origin}), preflight(client, origin)):
        assert "Access-Control-Allow" not in str(response.headers)
        assert "Origin" in response.vary


def test_an_answer_to_nobody_varies_too(client: FlaskClient) -> None:
    """A cache must not hand the answer to another origin's page."""
    assert "Origin" in client.get("/datasets").vary


def test_a_preflight_needs_no_credentials_and_names_what_may_be_sent(client_with: Made) -> None:
    client = client_with(cors=[PAGE], auth=BEARER, rate="1/hour and client")
    for _ in range(3):
        response = preflight(client, PAGE, **{"Access-Control-Request-Headers": "authorization"})
        assert response.status_code == 204
    assert response.headers["Access-Control-Allow-Origin"] == PAGE
    assert "POST" in response.headers["Access-Control-Allow-Methods"]
    sent = response.headers["Access-Control-Allow-Headers"].split(", ")
    assert {"Authorization", "Content-Type", "Last-Event-ID"} <= set(sent)
    refused = client.post("/nlq", json={"question": "?"}, headers={"Origin": PAGE})
    assert refused.status_code == 401
    assert refused.headers["Access-Control-Allow-Origin"] == PAGE


def test_a_key_in_a_header_of_its_own_may_be_sent(client_with: Made) -> None:
    auth = {**BEARER, "type": "header", "header": "X-API-Key"}
    response = preflight(client_with(cors=[PAGE], auth=auth), PAGE)
    assert "X-API-Key" in response.headers["Access-Control-Allow-Headers"]


def test_everybody_may_ask_an_open_gateway_that_says_so(client_with: Made) -> None:
    response = client_with(cors=["*"]).get("/datasets", headers={"Origin": OTHER})
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert preflight(client_with(cors=["*"]), OTHER).headers["Access-Control-Allow-Origin"] == "*"


def test_without_the_setting_nothing_is_said(client_with: Made) -> None:
    client = client_with()
    for response in (client.get("/datasets", headers={"Origin": PAGE}), preflight(client, PAGE)):
        assert "Access-Control-Allow" not in str(response.headers)
