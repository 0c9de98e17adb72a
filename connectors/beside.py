"""Queries of an embedded store in processes beside this one, which are killed when their time is over.

Work in a thread cannot be stopped, and could use a processor for hours. A process costs some 50 MB and a
quarter of a second to start, so that one is started only for queries that may run on: those that people
write, and any query while an abandoned one still runs.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterable, Mapping
from multiprocessing.connection import Connection
from typing import Any

from connectors.asking import LOOK_SECONDS, asker
from connectors.errors import EndpointFailed
from connectors.workers import DeadlinePassed

_MOST = 4
_KEPT = 1

_Reply = tuple[Any, Exception | None]


class _Evaluator:
    """One process, which opens the store first."""

    def __init__(self, settings: Mapping[str, object]) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "connectors.evaluator", str(theirs.fileno())],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
                pass_fds=(theirs.fileno(),),
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        self._connection = Connection(ours.detach())
        self._connection.send(settings)
        self._is_open = False

    def reply(self, request: object, deadline: float) -> _Reply:
        """The reply to a request.

        Raises:
            DeadlinePassed, EndpointCancelled: the request goes on.
            EOFError, OSError: the process has ended.
        """
        self._connection.send(request)
        return self._received(deadline)

    def open(self, deadline: float) -> None:
        """Wait until the store is open; raises as `reply`."""
        if not self._is_open:
            self._received(deadline)
            self._is_open = True

    def _received(self, deadline: float) -> _Reply:
        while not self._connection.poll(min(LOOK_SECONDS, max(deadline - time.monotonic(), 0.0))):
            asker().check()
            if time.monotonic() >= deadline:
                raise DeadlinePassed
        reply: _Reply = self._connection.recv()
        return reply

    def kill(self) -> None:
        """End the process, whatever its state."""
        self._process.kill()
        self._connection.close()
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


class Beside:
    """At most four such processes; one is kept for the next query. Safe to share between threads."""

    def __init__(self, settings: Mapping[str, object]) -> None:
        """`settings` are those of `EmbeddedOxigraph.open`."""
        self._settings = settings
        self._turns = threading.Semaphore(_MOST)
        self._lock = threading.Lock()
        self._free: list[_Evaluator] = []
        # A store that is dropped without being closed leaves no process behind.
        weakref.finalize(self, _end, self._free)

    def run(self, method: str, arguments: Mapping[str, object], deadline: float) -> Any:
        """Return the result of a method of the store, or raise its error.

        Raises:
            DeadlinePassed: the time is over; the query has ended.
            EndpointCancelled: the client has disconnected; the query has ended.
            EndpointFailed: the process ended.
        """
        while not self._turns.acquire(timeout=LOOK_SECONDS):
            asker().check()
            if time.monotonic() >= deadline:
                raise DeadlinePassed
        try:
            value, error = self._replied((method, arguments), deadline)
        except (EOFError, OSError) as ended:
            raise EndpointFailed("the process that evaluated the query has ended") from ended
        finally:
            self._turns.release()
        if error is not None:
            raise error
        return value

    def close(self) -> None:
        """End the processes that are not in use."""
        with self._lock:
            free = self._free.copy()
            self._free.clear()
        _end(free)

    def _replied(self, request: object, deadline: float) -> _Reply:
        evaluator = self._taken()
        is_kept = True
        try:
            # A slow start is not cut off by killing the process, which would never be ready.
            evaluator.open(deadline)
            is_kept = False
            reply = evaluator.reply(request, deadline)
            is_kept = True
        except (EOFError, OSError):
            is_kept = False
            raise
        finally:
            self._give_back(evaluator, is_kept)
        return reply

    def _taken(self) -> _Evaluator:
        with self._lock:
            return self._free.pop() if self._free else _Evaluator(self._settings)

    def _give_back(self, evaluator: _Evaluator, is_kept: bool) -> None:
        with self._lock:
            is_kept = is_kept and len(self._free) < _KEPT
            if is_kept:
                self._free.append(evaluator)
        if not is_kept:
            evaluator.kill()


def _end(evaluators: Iterable[_Evaluator]) -> None:
    for evaluator in evaluators:
        evaluator.kill()
