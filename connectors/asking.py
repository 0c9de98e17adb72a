"""Who asks, and whether they still wait: an ambient scope around everything that is done for one request.

It is ambient (a context variable), as cancel scopes are in trio and anyio: a request passes through many
stages that know nothing of stores, and each would have to hand both facts on. A thread that is started inside
the scope does not inherit it; run its work by `contextvars.copy_context().run` where it asks stores.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from connectors.errors import EndpointCancelled

# How long it may take until one sees that whoever asked has gone.
LOOK_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Asker:
    """Whoever a query is for: a name to be fair by, and the event that is set when they go."""

    who: str = ""
    gone: threading.Event | None = None

    def check(self) -> None:
        """Raise EndpointCancelled where they have gone."""
        if self.gone is not None and self.gone.is_set():
            raise EndpointCancelled("whoever asked has gone")

    def wait(self, event: threading.Event, seconds: float) -> bool:
        """Whether an event is set within some seconds; raises EndpointCancelled where they go meanwhile."""
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
        """Pause; raises EndpointCancelled where they go meanwhile."""
        self.wait(threading.Event(), seconds)


_NOBODY = Asker()
_current: ContextVar[Asker] = ContextVar("asker", default=_NOBODY)


def asker() -> Asker:
    """Whoever the innermost scope names; nobody, who never goes, outside of any."""
    return _current.get()


@contextmanager
def asking(who: str | None = None, gone: threading.Event | None = None) -> Iterator[None]:
    """Queries of this block are for `who`, and end when `gone` is set; what is None stays as it was."""
    outer = _current.get()
    inner = Asker(outer.who if who is None else who, outer.gone if gone is None else gone)
    token = _current.set(inner)
    try:
        yield
    finally:
        _current.reset(token)
