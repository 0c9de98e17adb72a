"""Whoever has gone is not worked for: whatever a query waits for ends, and so does its connection."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from faulty_server import FaultyServer, answer

from connectors import (
    EmbeddedOxigraph,
    EndpointCancelled,
    EndpointError,
    EndpointTimeout,
    HttpEndpoint,
    Limits,
    asking,
)
from connectors.asking import asker
from tests.clock import PROMPT_S, promptly

Serve = Callable[..., FaultyServer]
TRUE = b'{"head":{},"boolean":true}'


class HangsUp:
    """Sends something, and then nothing; `closed` is set when the client hangs up."""

    def __init__(self, first: bytes) -> None:
        self._first = first
        self.asked = threading.Event()
        self.closed = threading.Event()

    def __call__(self, connection: socket.socket, _request: bytes) -> None:
        connection.sendall(self._first)
        self.asked.set()
        connection.settimeout(60)
        # A client that has not read all that was sent resets the connection.
        with contextlib.suppress(ConnectionResetError):
            assert not connection.recv(1)
        self.closed.set()
        raise OSError


@contextlib.contextmanager
def leaving(after: float = 0.2, since: threading.Event | None = None) -> Iterator[None]:
    """The client leaves a moment after `since`, which ends the block soon."""
    gone = threading.Event()

    def leave() -> None:
        if since is not None:
            assert since.wait(PROMPT_S)
        gone.set()

    timer = threading.Timer(after, leave)
    timer.start()
    with (
        promptly(),
        asking("somebody", gone),
        pytest.raises(EndpointCancelled) as caught,
    ):
        yield
    assert not caught.value.retryable
    assert caught.value.endpoint
    timer.join()


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/sparql-results+json\r\nContent-Length: 1000\r\n\r\n"


@pytest.mark.parametrize("first", [b"", b"HTTP/1.1 200 OK\r\nX-", HEAD, HEAD + b'{"head":'])
@pytest.mark.parametrize("way", ["query", "raw"])
def test_while_the_answer_is_waited_for(serve: Serve, first: bytes, way: str) -> None:
    store = HangsUp(first)
    endpoint = HttpEndpoint(serve(store).url)
    with leaving(since=store.asked):
        endpoint.query("ASK {}") if way == "query" else endpoint.raw("ASK {}", "*/*")
    assert store.closed.wait(PROMPT_S)
    endpoint.close()


def test_while_connecting() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        endpoint = HttpEndpoint(f"https://127.0.0.1:{listener.getsockname()[1]}/")
        with leaving():
            endpoint.query("ASK {}")
        connection, _ = listener.accept()
        with connection:
            connection.settimeout(10)
            while connection.recv(4096):
                pass
        endpoint.close()


def test_between_attempts(serve: Serve) -> None:
    unavailable = answer(b"", status="503 Service Unavailable", headers="Retry-After: 20\r\n")
    asked = threading.Event()

    def handle(connection: socket.socket, _request: bytes) -> None:
        connection.sendall(unavailable)
        asked.set()

    server = serve(handle)
    endpoint = HttpEndpoint(server.url)
    with leaving(since=asked):
        endpoint.query("ASK {}")
    assert len(server.requests) == 1
    endpoint.close()


def test_in_the_queue(serve: Serve) -> None:
    """A client that leaves while it waits for a turn leaves the turn to others."""
    store = HangsUp(b"")
    endpoint = HttpEndpoint(serve(store).url, Limits(concurrency=1, query_ms=5_000))
    busy = threading.Event()

    def occupy() -> None:
        with asking(gone=busy), contextlib.suppress(EndpointCancelled):
            endpoint.query("ASK {}")

    first = threading.Thread(target=occupy)
    first.start()
    time.sleep(0.1)
    with leaving():
        endpoint.query("ASK {}")
    busy.set()
    first.join(10)
    # The turn is free again: this one gets as far as the store, which says nothing.
    with pytest.raises(EndpointTimeout, match="within the deadline"):
        endpoint.query("ASK {}", timeout_ms=100)
    endpoint.close()


def test_the_embedded_store_is_not_waited_for(large: EmbeddedOxigraph, slow: str) -> None:
    with leaving():
        large.query(slow, timeout_ms=20_000)
    assert large.query("ASK {}").boolean is True
    large.close()


def test_whoever_has_gone_asks_nothing(serve: Serve) -> None:
    server = serve(answer(TRUE))
    endpoint = HttpEndpoint(server.url)
    gone = threading.Event()
    gone.set()
    with asking(gone=gone), pytest.raises(EndpointCancelled):
        endpoint.query("ASK {}")
    assert server.requests == []
    assert endpoint.query("ASK {}").boolean is True
    endpoint.close()


def test_scopes_are_nested_and_belong_to_their_thread() -> None:
    gone = threading.Event()
    with asking("a", gone):
        with asking("b"):
            assert (asker().who, asker().gone) == ("b", gone)
        assert asker().who == "a"
        seen: list[str] = []
        thread = threading.Thread(target=lambda: seen.append(asker().who))
        thread.start()
        thread.join()
        assert seen == [""]
    assert (asker().who, asker().gone) == ("", None)


def test_the_circuit_does_not_open_for_those_who_leave(serve: Serve) -> None:
    endpoint = HttpEndpoint(serve(HangsUp(b"")).url)
    for _ in range(8):
        with leaving(0.05):
            endpoint.query("ASK {}")
    with pytest.raises(EndpointError) as caught:
        endpoint.query("ASK {}", timeout_ms=50)
    assert type(caught.value) is EndpointTimeout
    endpoint.close()
