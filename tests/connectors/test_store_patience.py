"""Requests that are sent again, and those that are not."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable

import pytest
from faulty_server import FaultyServer, StopServing, answer

from connectors import (
    EndpointError,
    EndpointFailed,
    EndpointOverloaded,
    EndpointRefusedQuery,
    EndpointStoppedQuery,
    EndpointTimeout,
    EndpointUnreachable,
    HttpEndpoint,
    IncompleteResult,
    Limits,
)
from connectors.circuit import Circuit, CircuitOpen
from connectors.patience import OUTAGES

Serve = Callable[..., FaultyServer]
Connect = Callable[..., HttpEndpoint]
TRUE = answer(b'{"head":{},"boolean":true}')
LIMITS = Limits(connect_ms=500, query_ms=2_000)


def busy(status: str, seconds: str | None = None) -> bytes:
    return answer(b"", status=status, headers="" if seconds is None else f"Retry-After: {seconds}\r\n")


class Script:
    """Answers requests one after the other; None closes the connection without an answer."""

    def __init__(self, *answers: bytes | None) -> None:
        self._answers = list(answers)

    def __call__(self, connection: socket.socket, _request: bytes) -> None:
        reply = self._answers.pop(0)
        if reply is None:
            raise StopServing
        connection.sendall(reply)
        if reply.startswith(b"cut"):
            raise StopServing


@pytest.mark.parametrize(
    "failures",
    [
        [None],
        [None, None],
        [busy("429 Too Many", "0")],
        [busy("503 Busy", "0"), busy("503 Busy", "0")],
        [busy("502 Bad Gateway"), None],
    ],
)
def test_what_did_not_get_through_is_sent_again(
    serve: Serve, connect: Connect, caplog: pytest.LogCaptureFixture, failures: list[bytes | None]
) -> None:
    server = serve(Script(*failures, TRUE))
    with caplog.at_level(logging.WARNING, "connectors.patience"):
        result = connect(server.url, LIMITS).query("ASK {}")
    assert (result.boolean, result.attempts) == (True, len(failures) + 1)
    assert len(caplog.records) == len(failures)
    server = serve(Script(*failures, TRUE))
    assert connect(server.url, LIMITS).raw("ASK {}", "*/*").attempts == len(failures) + 1


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (busy("429 Too Many"), EndpointOverloaded),
        (busy("503 Busy"), EndpointFailed),
        (busy("503 Busy", "60"), EndpointFailed),
        (busy("503 Busy", "soon"), EndpointFailed),
        (answer(b"Query timed out", status="503 Busy", headers="Retry-After: 0\r\n"), EndpointStoppedQuery),
        (busy("500 Oops", "0"), EndpointFailed),
        (busy("504 Late", "0"), EndpointTimeout),
        (busy("400 Wrong", "0"), EndpointRefusedQuery),
        (busy("404 Nowhere", "0"), EndpointError),
        (TRUE[:-5], EndpointTimeout),
        (answer(b'{"head":{},"bool'), IncompleteResult),
        (answer(b"", headers="X-SQL-State: S1TAT\r\n"), EndpointStoppedQuery),
    ],
)
def test_what_is_not_safe_or_no_help_is_not(
    serve: Serve, connect: Connect, reply: bytes, kind: type[EndpointError]
) -> None:
    server = serve(Script(reply, TRUE))
    with pytest.raises(EndpointError) as caught:
        connect(server.url, Limits(query_ms=500)).query("ASK {}")
    assert (type(caught.value), caught.value.attempts, len(server.requests)) == (kind, 1, 1)


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_no_more_often_than_configured(serve: Serve, connect: Connect, retries: int) -> None:
    server = serve(Script(*[None] * 5))
    with pytest.raises(EndpointUnreachable) as caught:
        connect(server.url, Limits(retries=retries)).query("ASK {}")
    assert len(server.requests) == caught.value.attempts == retries + 1


def test_the_store_is_waited_for_as_it_asks(serve: Serve, connect: Connect) -> None:
    server = serve(Script(busy("503 Busy", "1"), TRUE))
    started = time.monotonic()
    assert connect(server.url, LIMITS).query("ASK {}").boolean is True
    assert time.monotonic() - started >= 1


def test_a_store_that_is_down_is_left_alone(serve: Serve, connect: Connect) -> None:
    server = serve(busy("500 Oops"))
    endpoint = connect(server.url)
    for _ in range(OUTAGES):
        with pytest.raises(EndpointFailed):
            endpoint.query("ASK {}")
    with pytest.raises(EndpointUnreachable, match=f"{OUTAGES} outages in a row since 0 s ago") as caught:
        endpoint.query("ASK {}")
    assert len(server.requests) == OUTAGES
    assert caught.value.endpoint == server.url
    assert caught.value.retry_after_s is not None
    assert 0 < caught.value.retry_after_s <= 10
    assert "the store failed" in caught.value.hint


@pytest.mark.parametrize("reply", [busy("400 Wrong"), busy("401 Who"), busy("429 Many"), answer(b"{")])
def test_a_store_that_answers_is_not_down(serve: Serve, connect: Connect, reply: bytes) -> None:
    server = serve(reply)
    endpoint = connect(server.url)
    for _ in range(OUTAGES + 2):
        with pytest.raises(EndpointError):
            endpoint.query("ASK {}")
    assert len(server.requests) == OUTAGES + 2


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_one_trial_closes_the_circuit_or_opens_it_again() -> None:
    clock = Clock()
    circuit = Circuit(2, 10, clock)
    circuit.failed("a")
    circuit.admit()
    circuit.failed("b")
    with pytest.raises(CircuitOpen) as caught:
        circuit.admit()
    assert (caught.value.seconds, caught.value.failures, caught.value.why) == (10, 2, "b")
    clock.now += 10
    circuit.check()
    circuit.admit()
    with pytest.raises(CircuitOpen):
        circuit.admit()
    circuit.failed("c")
    with pytest.raises(CircuitOpen, match="c"):
        circuit.check()
    clock.now += 10
    circuit.admit()
    circuit.undecided()
    circuit.admit()
    circuit.succeeded()
    circuit.admit()
    circuit.admit()
