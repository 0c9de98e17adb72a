"""Server-sent events (WHATWG HTML, 9.2): the progress of a request, sent to its client.

The work runs in another thread. It is cancelled when the client closes its connection, and the stream ends
only after the work: so a server of streams has at most as many as it has threads.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, wait
from contextlib import ExitStack, suppress
from contextvars import copy_context
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any

from flask import Response, json

from connectors.asking import asking
from nlq_gateway.edges.http.leaving import ASKER, watched
from nlq_gateway.trace import DoneEvent, Event, Json, Listener

MEDIA_TYPE = "text/event-stream"
HEARTBEAT_SECONDS = 10.0
# Errors within this time, in seconds, still set the status of the response.
FIRST_SECONDS = 2.0

_HEARTBEAT = b": \n\n"
# JSON may hold these as they are, but some clients take them for the end of a line.
_LINE_ENDS = {ord(letter): f"\\u{ord(letter):04x}" for letter in "\x7f\x85\u2028\u2029"}

Told = tuple[str, Json]
Work = Callable[[threading.Event, Listener], Json]


class Stream:
    """The events of one request, as bytes. The caller must close it, read or not."""

    def __init__(
        self, pool: Executor, environ: Mapping[str, Any], work: Work, problem: Callable[[Exception], Json]
    ) -> None:
        """Begin the work.

        Args:
            pool: has the threads, which are reused: an index keeps a file open for each thread that reads it.
            environ: the WSGI request's.
            work: returns the document that ends the stream; its arguments are the event that is set when the
                client has left, and the function that sends events.
            problem: makes a problem document of what `work` raises after the first event.
        """
        self._problem = problem
        self._begun = time.perf_counter()
        self._told: SimpleQueue[Told | Exception] = SimpleQueue()
        self._first: Told | Exception | None = None
        self._watch = ExitStack()
        self._gone = self._watch.enter_context(watched(environ))
        who = environ.get(ASKER, "")
        self._working = pool.submit(copy_context().run, self._work, work, who)

    def begin(self) -> None:
        """Wait for the first event, but not for long; raises what the work raises instead of one."""
        self._first = self._next(FIRST_SECONDS)
        if isinstance(self._first, Exception):
            self.close()
            raise self._first

    def __iter__(self) -> Iterator[bytes]:
        """Each event as it happens, and a comment for each while in which nothing does."""
        numbers = count(1)
        for told in self._all():
            yield _HEARTBEAT if told is None else written(next(numbers), *told)

    def close(self) -> None:
        """End the work if it is not over, and wait until it is."""
        self._gone.set()
        wait((self._working,))
        self._watch.close()

    def _all(self) -> Iterator[Told | None]:
        """Yield the events, None in pauses; `done` is last."""
        told, self._first = self._first, None
        while True:
            if isinstance(told, Exception):
                told = "error", self._problem(told)
            yield told
            if told is not None and told[0] in ("answer", "error"):
                break
            told = self._next(HEARTBEAT_SECONDS)
        name, document = told
        trace_id = document["id"] if name == "answer" else None
        done = DoneEvent(trace_id, (time.perf_counter() - self._begun) * 1000)
        yield done.name, done.as_json()

    def _next(self, seconds: float) -> Told | Exception | None:
        with suppress(Empty):
            return self._told.get(timeout=seconds)
        return None

    def _work(self, work: Work, who: str) -> None:
        try:
            with asking(who, self._gone):
                self._told.put(("answer", work(self._gone, self._tell)))
        except Exception as error:
            self._told.put(error)

    def _tell(self, event: Event) -> None:
        self._told.put((event.name, event.as_json()))


def streamed(stream: Stream) -> Response:
    """The response that a stream is sent by; raises what the work raises before the first event."""
    stream.begin()
    response = Response(stream, content_type=MEDIA_TYPE)
    # Called even if a middleware wraps the response, and never reads it.
    response.call_on_close(stream.close)
    # nginx would keep events back until it has a page of them.
    response.headers["X-Accel-Buffering"] = "no"
    response.headers["Cache-Control"] = "no-store"
    return response


def written(number: int, name: str, data: Json) -> bytes:
    """Encode one event; its data are one line."""
    line = json.dumps(data).translate(_LINE_ENDS)
    return f"id: {number}\nevent: {name}\ndata: {line}\n\n".encode()
