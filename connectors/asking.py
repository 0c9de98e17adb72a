"""The client of a request and its cancellation: an ambient scope around all work for the request.

It is ambient (a context variable), as cancel scopes are in trio and anyio: a request passes through many
stages that are independent of stores, and each would have to pass both on. A thread that is started inside
the scope does not inherit it; run its work by `contextvars.copy_context().run` if it asks stores.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from connectors.errors import EndpointCancelled

# The longest delay until a disconnected client is noticed.
LOOK_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Asker:
    """The client of a query: a name for fair queueing, and the event that is set when it disconnects."""

    who: str = ""
    gone: threading.Event | None = None

    def check(self) -> None:
        """Raise EndpointCancelled if the client has disconnected."""
        if self.gone is not None and self.gone.is_set():
            raise EndpointCancelled("the client has disconnected")

    def wait(self, event: threading.Event, seconds: float) -> bool:
        """True if `event` is set within `seconds`; raises EndpointCancelled if the client disconnects."""
        if self.gone is None:
            return event.wait(max(seconds, 0.0))
        end = time.monotonic() + seconds
        while True:
            self.check()
            left = end - time.monotonic()
            if event.wait(max(min(left, LOOK_SECONDS), 0.0)):
                return True
            if left <= 0:
                return False

    def sleep(self, seconds: float) -> None:
        """Pause; raises EndpointCancelled if the client disconnects meanwhile."""
        self.wait(threading.Event(), seconds)


_NOBODY = Asker()
_current: ContextVar[Asker] = ContextVar("asker", default=_NOBODY)


def asker() -> Asker:
    """The client of the innermost scope; outside of any, an unnamed client that never disconnects."""
    return _current.get()


@contextmanager
def asking(who: str | None = None, gone: threading.Event | None = None) -> Iterator[None]:
    """Queries of this block are for `who`, and end when `gone` is set; None keeps the outer value."""
    outer = _current.get()
    inner = Asker(outer.who if who is None else who, outer.gone if gone is None else gone)
    token = _current.set(inner)
    try:
        yield
    finally:
        _current.reset(token)
