"""Responses when the store behind the gateway breaks: its problem, never an empty answer."""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from connectors import patience
from nlq_gateway.answering import Pipeline
from nlq_gateway.edges.http import create_app
from nlq_gateway.edges.http.leaving import CONNECTION
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.settings import Settings
from tests.fault_proxy import TOXICS, FaultProxy, before_sample

pytestmark = pytest.mark.oxigraph_server

QUESTION = "Who directed Pulp Fiction?"
PROGRAM = "Find(Pulp Fiction)->Relate(directed by, forward)->What()"
SPARQL = "SELECT ?s ?p ?o { ?s ?p ?o } LIMIT 3"
WAYS: dict[str, Callable[[FlaskClient], TestResponse]] = {
    "/nlq": lambda client: client.post("/nlq", json={"question": QUESTION}),
    "/run": lambda client: client.post("/run", json={"program": PROGRAM}),
    "/sparql": lambda client: client.get("/sparql", query_string={"query": SPARQL}),
}


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FaultProxy]:
    """In front of a real store with the sample graph."""
    with before_sample(tmp_path_factory.mktemp("store") / "data") as proxy:
        yield proxy


@contextmanager
def _served(proxy: FaultProxy, query_ms: int) -> Iterator[Pipeline]:
    """Ready before anything breaks; the circuit stays closed, so that each fault is met."""
    limits = {"query_ms": query_ms, "retries": 1, "per_second": 1_000}
    endpoint = {"id": "faults", "url": proxy.url, "layout": "kqapro", "dialect": "oxigraph", "limits": limits}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(patience, "OUTAGES", 1_000)
        gateway = Pipeline(Settings.model_validate({"endpoints": [endpoint]}))
        gateway.endpoint(None).prepare()
        yield gateway
        gateway.close()


@pytest.fixture(scope="module")
def served(proxy: FaultProxy) -> Iterator[Pipeline]:
    """Gives up soon, so that faults that last are over soon."""
    with _served(proxy, 2_000) as gateway:
        yield gateway


@pytest.fixture
def app(served: Pipeline, tmp_path: Path) -> Iterator[Flask]:
    store = TraceStore(tmp_path / "traces.sqlite")
    yield create_app(served, store)
    store.close()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", TOXICS)
def test_each_fault_is_its_problem(client: FlaskClient, proxy: FaultProxy, name: str, way: str) -> None:
    toxic = TOXICS[name]
    proxy.poison(name)
    try:
        response = WAYS[way](client)
    finally:
        proxy.poison("")
    document = json.loads(response.data)
    assert (response.status_code, document["type"]) == (toxic.status, f"/problems/{toxic.problem}"), document
    assert response.mimetype == "application/problem+json"
    assert document["endpoint"] == proxy.url
    assert document["hint"]
    assert ("Retry-After" in response.headers) == (toxic.status == 503)
    assert WAYS[way](client).status_code == 200


@pytest.mark.parametrize("way", WAYS)
def test_a_client_that_leaves_is_not_worked_for(client: FlaskClient, proxy: FaultProxy, way: str) -> None:
    """The request to the store is closed long before its deadline, and nothing else is asked."""
    server, browser = socket.socketpair()
    proxy.poison("stall")
    leave = threading.Timer(0.2, browser.close)
    leave.start()
    requests = len(proxy.requests)
    client.environ_base[CONNECTION] = server
    try:
        response = WAYS[way](client)
    finally:
        proxy.poison("")
        server.close()
        leave.join()
    assert json.loads(response.data)["type"] == "/problems/cancelled"
    assert len(proxy.requests) <= requests + 1


class Told(logging.Handler):
    """Does something whenever something is logged."""

    def __init__(self, then: Callable[[], None]) -> None:
        super().__init__()
        self._then = then

    def emit(self, record: logging.LogRecord) -> None:
        del record
        self._then()


@pytest.fixture
def patient(proxy: FaultProxy, tmp_path: Path) -> Iterator[FlaskClient]:
    """A client of a gateway that does not give up, however busy the machine is."""
    store = TraceStore(tmp_path / "traces.sqlite")
    with _served(proxy, 60_000) as gateway:
        yield create_app(gateway, store).test_client()
    store.close()


def test_a_query_that_was_sent_twice_is_told(patient: FlaskClient, proxy: FaultProxy) -> None:
    log = logging.getLogger(patience.__name__)
    # The store is back as soon as the first attempt is said to have failed, however long that takes.
    back = Told(lambda: proxy.poison(""))
    log.addHandler(back)
    proxy.poison("refuse")
    try:
        document = patient.post("/run", json={"program": PROGRAM}).get_json()
    finally:
        log.removeHandler(back)
    assert document["status"] == "answered"
    assert [warning["code"] for warning in document["warnings"]] == ["endpoint-retried"]
