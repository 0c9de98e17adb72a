"""Gateways over two small datasets, closed to those without a token."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from tokens import BEARER

from nlq_gateway.answering import Pipeline
from nlq_gateway.edges.http import create_app
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.settings import EndpointSettings, ServerSettings, Settings
from tests.slow_store import GRAPH

Made = Callable[..., FlaskClient]
MadeApp = Callable[..., Flask]


@pytest.fixture(scope="session")
def gateway(cache: Path) -> Iterator[Pipeline]:
    """`secret`, the default, with the alias `hidden`, and `films`."""
    file = cache.parent / "access_films.ttl"
    file.write_text(GRAPH, encoding="utf-8")
    secret = EndpointSettings(id="secret", aliases=("hidden",), data=(str(file),))
    gateway = Pipeline(Settings(endpoints=(secret, EndpointSettings(id="films", data=(str(file),)))))
    for endpoint in gateway.endpoints.values():
        endpoint.prepare()
    yield gateway
    gateway.close()


@pytest.fixture
def app_with(
    gateway: Pipeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Flask]]:
    """Applications with these settings of the server, which share their traces."""
    store = TraceStore(tmp_path / "traces.sqlite")

    def made(shared: Path | None = None, **server: Any) -> Flask:
        settings = gateway.settings.model_copy(update={"server": ServerSettings.model_validate(server)})
        monkeypatch.setattr(gateway, "settings", settings)
        return create_app(gateway, store, shared=shared)

    yield made
    store.close()


@pytest.fixture
def client_with(app_with: MadeApp) -> Made:
    """Clients of such applications."""
    return lambda **server: app_with(**server).test_client()


@pytest.fixture
def closed(client_with: Made) -> FlaskClient:
    """A client of a gateway that asks for tokens."""
    return client_with(auth=BEARER)
