from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nlq_gateway.answering import Pipeline
from nlq_gateway.settings import SAMPLE, EndpointSettings, Settings
from tests.oxigraph_store import Store

CINEMA = Path(__file__).parent / "fixtures" / "cinema.ttl"


@pytest.fixture(scope="session")
def settings() -> Settings:
    """The sample graph, and `cinema`: a small graph with names that are hard to read."""
    endpoints = (Settings.for_data([source]).endpoints[0] for source in (SAMPLE, CINEMA))
    return Settings(endpoints=tuple(endpoints))


@pytest.fixture(scope="session")
def gateway(settings: Settings) -> Iterator[Pipeline]:
    """Both graphs, ready."""
    gateway = Pipeline(settings)
    for endpoint in gateway.endpoints.values():
        endpoint.prepare()
    yield gateway
    gateway.close()


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    store = Store(tmp_path_factory.mktemp("store") / "graph", [CINEMA])
    try:
        yield store
    finally:
        store.stop()


@pytest.fixture(scope="session")
def served(store: Store, settings: Settings) -> Iterator[Pipeline]:
    """The cinema graph behind the server, and the embedded sample graph beside it."""
    store.start()
    kg = EndpointSettings.model_validate({"id": "kg", "url": store.url, "limits": {"query_ms": 1000}})
    gateway = Pipeline(Settings(endpoints=(kg, settings.endpoints[0])))
    for endpoint in gateway.endpoints.values():
        endpoint.prepare()
    yield gateway
    gateway.close()
