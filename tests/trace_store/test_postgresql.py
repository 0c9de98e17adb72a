"""Faults of PostgreSQL alone: it goes away, comes back, and ends connections."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import psycopg
import pytest
from judging import said
from sqlalchemy import make_url

from nlq_gateway.core.errors import ConfigurationError, TracesUnavailable
from nlq_gateway.edges.trace_store import TraceStore, store, waiting
from nlq_gateway.edges.trace_store.databases import database_at
from tests.clock import promptly

pytestmark = [pytest.mark.stores, pytest.mark.postgresql]

END_CONNECTIONS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'nlq-gateway'"
)


class Relay:
    """Passes connections on to a server, until it goes away; it can come back at the same port."""

    def __init__(self, host: str, port: int) -> None:
        self._server = (host, port)
        self._open: list[socket.socket] = []
        self._flows = threading.Event()
        self._flows.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._serve()

    def go_away(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            connection.close()
        self._open.clear()

    def come_back(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self._serve()

    def freeze(self) -> None:
        """Keep all connections open, take new ones, and pass nothing on."""
        self._flows.clear()

    def thaw(self) -> None:
        self._flows.set()

    def _serve(self) -> None:
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            server = socket.create_connection(self._server)
            self._open += [client, server]
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self._pump, args=(source, sink), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65_536):
                self._flows.wait()
                sink.sendall(data)
        except OSError:
            pass
        finally:
            for end in (source, sink):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def relay(schema: str) -> Iterator[Relay]:
    url = make_url(schema)
    assert url.host is not None
    relay = Relay(url.host, url.port or 5432)
    yield relay
    relay.thaw()
    relay.go_away()


@pytest.fixture
def traces(schema: str, relay: Relay, monkeypatch: pytest.MonkeyPatch) -> Iterator[TraceStore]:
    monkeypatch.setattr(store, "PAUSE_SECONDS", 0.2)
    url = make_url(schema).set(host="127.0.0.1", port=relay.port)
    traces = TraceStore(database_at(url.render_as_string(hide_password=False)))
    yield traces
    traces.close()


def eventually(work: Callable[[], object]) -> object:
    deadline = time.monotonic() + 10
    while True:
        try:
            return work()
        except TracesUnavailable:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_it_goes_away_and_comes_back(traces: TraceStore, relay: Relay) -> None:
    traces.put("a", {"n": 1})
    relay.go_away()
    with promptly(), ThreadPoolExecutor(8) as pool:
        outcomes = [pool.submit(traces.put, f"lost{n}", {}) for n in range(16)]
        assert all(isinstance(one.exception(), TracesUnavailable) for one in outcomes)
    relay.come_back()
    assert eventually(lambda: traces.get("a")) == {"n": 1}
    traces.put("b", {"n": 2})
    assert traces.get("b") == {"n": 2}


def test_it_is_away_at_first(traces: TraceStore, relay: Relay) -> None:
    relay.go_away()
    with pytest.raises(TracesUnavailable):
        traces.put("a", {})
    relay.come_back()
    eventually(lambda: traces.put("a", {"n": 1}))
    assert traces.get("a") == {"n": 1}


def test_connections_that_it_has_ended_are_not_used(traces: TraceStore, schema: str) -> None:
    """As after a restart: nobody notices."""
    traces.put("a", {})
    for number in range(3):
        with psycopg.connect(schema, autocommit=True) as connection:
            connection.execute(END_CONNECTIONS)
        traces.put(f"b{number}", {})
        assert traces.get(f"b{number}") == {}


def test_tables_that_are_gone_are_made_again(traces: TraceStore, schema: str) -> None:
    """As where the server came back with an empty database."""
    traces.put("a", {})
    with psycopg.connect(schema, autocommit=True) as connection:
        connection.execute("DROP TABLE traces, feedback, trace_store_version")
    with pytest.raises(TracesUnavailable):
        traces.put("b", {})
    traces.put("c", {"n": 3})
    assert traces.get("c") == {"n": 3}


def test_a_wrong_password_is_told_without_it(schema: str) -> None:
    wrong = make_url(schema).set(password="s3cret-and-wrong").render_as_string(hide_password=False)
    with pytest.raises(ConfigurationError, match="password authentication failed") as caught:
        TraceStore(database_at(wrong)).check()
    assert "s3cret" not in f"{caught.value.message} {caught.value.hint}"


def test_feedback_becomes_visible_in_the_order_of_its_versions(traces: TraceStore, schema: str) -> None:
    """One that is being written keeps later ones back, so that no version stands for two states."""
    traces.judge(said(1), by="curator")
    with psycopg.connect(schema) as connection, ThreadPoolExecutor(1) as pool:
        connection.execute("LOCK TABLE feedback IN SHARE ROW EXCLUSIVE MODE")
        connection.execute(
            "INSERT INTO feedback (trace, dataset, question, correct, comment) VALUES ('x', 'y', 'x', 0, '')"
        )
        later = pool.submit(traces.judge, said(2), by="curator")
        time.sleep(0.3)
        assert not later.done()
        assert traces.feedback_version() == 1
        connection.commit()
        later.result(10)
    assert traces.feedback_version() == 2


def test_a_server_that_is_frozen_is_not_waited_for(
    traces: TraceStore, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "ANSWER_SECONDS", 0.5)
    traces.put("a", {"n": 1})
    relay.freeze()
    # Whoever waits for it after all gets an answer, and fails the test.
    thawing = threading.Timer(6, relay.thaw)
    thawing.start()
    with pytest.raises(TracesUnavailable):
        traces.put("lost", {})
    thawing.cancel()
    relay.thaw()
    assert eventually(lambda: traces.get("a")) == {"n": 1}
