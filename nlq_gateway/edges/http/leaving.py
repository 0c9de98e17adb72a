"""Detects disconnected clients, so that stores and models stop working for them."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from connectors.asking import asking

# gunicorn's name for the connection; other servers have none, and their clients are waited for.
CONNECTION = "gunicorn.socket"
# The key under which the gate stores the client (access/gate.py).
ASKER = "nlq.asker"
LOOK_SECONDS = 0.25

# A stopping process ends all work at once, of whichever request it is.
_running: set[threading.Event] = set()
_given_up = threading.Event()


@contextmanager
def served(environ: Mapping[str, Any]) -> Iterator[threading.Event]:
    """Around the work for a WSGI request: stores are asked in its client's name, until the event is set."""
    with watched(environ) as gone, asking(environ.get(ASKER, ""), gone):
        yield gone


@contextmanager
def watched(environ: Mapping[str, Any]) -> Iterator[threading.Event]:
    """An event that is set when the client of a WSGI request closes its connection meanwhile."""
    gone, done = threading.Event(), threading.Event()
    connection = environ.get(CONNECTION)
    if isinstance(connection, socket.socket):
        threading.Thread(
            target=_look, args=(connection, gone, done), name="client-watch", daemon=True
        ).start()
    _running.add(gone)
    if _given_up.is_set():
        gone.set()
    try:
        yield gone
    finally:
        _running.discard(gone)
        done.set()


def give_up() -> None:
    """End the work for every request that is being answered, and for those to come: the process stops."""
    _given_up.set()
    for gone in tuple(_running):
        gone.set()


def has_given_up() -> bool:
    """True if work ends because the process stops."""
    return _given_up.is_set()


def _look(connection: socket.socket, gone: threading.Event, done: threading.Event) -> None:
    while not done.wait(LOOK_SECONDS):
        if has_hung_up(connection):
            gone.set()
            return


def has_hung_up(connection: socket.socket) -> bool:
    """True if the other side has closed; unread bytes stay in the buffer."""
    try:
        readable, _, _ = select.select([connection], [], [], 0)
        return bool(readable) and not connection.recv(1, socket.MSG_PEEK)
    except (OSError, ValueError):
        return True
