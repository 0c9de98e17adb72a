"""A name that resolves to this machine is no reason to answer under it (DNS rebinding)."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from flask import Flask
from tokens import BEARER

from nlq_gateway.edges.http.access.hosts import Hosts
from tests.cli.serving import running

MadeApp = Callable[..., Flask]

STRANGE = (
    "evil.example",
    "evil.example:8080",
    "localhost.evil.example",
    "127.0.0.1.nip.io",
    "127.0.0.1@evil",
)
OWN = (
    "localhost",
    "localhost:8080",
    "LOCALHOST.",
    "127.0.0.1:1",
    "127.9.9.9",
    "[::1]:80",
    "::1",
    "[::ffff:127.0.0.1]",
)
ROUTES = ("/", "/datasets", "/healthz", "/metrics", "/nowhere", "/static/page.css", "/sparql?query=ASK%7B%7D")


def status(app: Flask, path: str, host: str, method: str = "GET") -> int:
    return app.test_client().open(path, method=method, headers={"Host": host}).status_code


@pytest.mark.parametrize("host", STRANGE)
def test_a_strange_host_is_answered_nowhere(app_with: MadeApp, host: str) -> None:
    app = app_with(cors=["https://pages.example"])
    assert {status(app, path, host) for path in ROUTES} == {421}
    assert status(app, "/nlq", host, "OPTIONS") == 421
    response = app.test_client().get("/datasets", headers={"Host": host})
    assert response.content_type == "application/problem+json"
    assert response.get_json()["type"] == "/problems/misdirected"
    assert host not in response.get_data(as_text=True)


@pytest.mark.parametrize("host", OWN)
def test_loopback_is_answered(app_with: MadeApp, host: str) -> None:
    assert status(app_with(), "/datasets", host) == 200


def test_listed_names_are_answered_with_or_without_credentials(app_with: MadeApp) -> None:
    app = app_with(hosts=["KG.example.org"])
    assert status(app, "/datasets", "kg.example.org:443") == 200
    assert status(app, "/datasets", "evil.example") == 421
    assert status(app_with(hosts=["kg.example.org"], auth=BEARER), "/healthz", "evil.example") == 421
    assert status(app_with(auth=BEARER), "/healthz", "evil.example") == 200


@pytest.mark.parametrize(
    ("bound", "host", "right"),
    [
        ("10.0.0.7", "10.0.0.7:8080", True),
        ("10.0.0.7", "10.0.0.8", False),
        ("kg.local", "kg.local", True),
        ("0.0.0.0", "192.168.1.5:8080", True),
        ("::", "[2001:db8::1]:8080", True),
        ("0.0.0.0", "evil.example", False),
        ("fe80::1", "[fe80::1]:80", True),
        ("127.0.0.1", "0.0.0.0", False),
    ],
)
def test_the_address_listened_at_is_a_name(bound: str, host: str, right: bool) -> None:
    assert Hosts(bound, ()).has(host) is right


def test_a_running_server_knows_where_it_listens() -> None:
    with running(dict(os.environ), "serve", "--data", "builtin:sample", "--workers", "1") as (_, address):
        place = urlsplit(address)

        def answered(host: str) -> bytes:
            with socket.create_connection((place.hostname, place.port), timeout=60) as connection:
                connection.sendall(f"GET /datasets HTTP/1.0\r\nHost: {host}\r\n\r\n".encode())
                return connection.makefile("rb").readline().split()[1]

        assert answered(place.netloc) == b"200"
        assert answered("evil.example") == b"421"
        assert answered("localhost\r\nHost: evil.example") in (b"400", b"421")
