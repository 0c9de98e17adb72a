"""A client that hangs up ends the model's work for it."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

import pytest

from nlq_gateway.edges.http.leaving import CONNECTION, LOOK_SECONDS, has_hung_up, watched

Ends = tuple[socket.socket, socket.socket]


@pytest.fixture
def ends() -> Iterator[Ends]:
    """The server's and the client's end of a connection."""
    server, client = socket.socketpair()
    yield server, client
    server.close()
    client.close()


def test_a_client_that_waits_or_sends_more_is_there(ends: Ends) -> None:
    server, client = ends
    assert not has_hung_up(server)
    client.sendall(b"more")
    assert not has_hung_up(server)
    assert server.recv(4) == b"more"


@pytest.mark.parametrize("end", [0, 1])
def test_a_connection_that_is_closed_is_seen(ends: Ends, end: int) -> None:
    ends[end].close()
    assert has_hung_up(ends[0])


def test_the_event_is_set_while_the_request_is_worked_on(ends: Ends) -> None:
    server, client = ends
    with watched({CONNECTION: server}) as gone:
        assert not gone.wait(2 * LOOK_SECONDS)
        client.close()
        assert gone.wait(20 * LOOK_SECONDS)


def test_nobody_is_watched_afterwards_or_where_the_connection_is_not_known(ends: Ends) -> None:
    server, client = ends
    with watched({CONNECTION: server}) as gone:
        pass
    client.close()
    time.sleep(2 * LOOK_SECONDS)
    assert not gone.is_set()
    with watched({}) as gone:
        assert not gone.is_set()
