"""Points at which the work for a question ends where its client has left or its processor time is spent.

Stages pass a checkpoint in their loops and between the layers of a network. Both facts are ambient, as in
`connectors.asking`, which has the client; the time is the thread's own, so that it does not count while a
store or another thread works.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from connectors.asking import asker
from nlq_gateway.errors import QuestionTimeout

# However short its deadline is, a question has so much time: any can be read in a fifth of it
# (`python -m benchmarks worst`), and the first one of a process loads networks and units besides.
LEAST_MS = 5_000

Item = TypeVar("Item")

_ends: ContextVar[float] = ContextVar("ends", default=math.inf)


@contextmanager
def working(milliseconds: float) -> Iterator[None]:
    """Stages of this block have so much processor time of this thread, and at least LEAST_MS."""
    token = _ends.set(time.thread_time() + max(milliseconds, LEAST_MS) / 1000)
    try:
        yield
    finally:
        _ends.reset(token)


def checkpoint() -> None:
    """Return while the client waits and time is left.

    Raises:
        EndpointCancelled: the client has left.
        QuestionTimeout: the processor time is spent.
    """
    asker().check()
    if time.thread_time() > _ends.get():
        raise QuestionTimeout(
            "reading the question takes longer than its deadline",
            hint="ask in fewer words, or raise timeout_ms",
        )


def interruptible(items: Iterable[Item]) -> Iterator[Item]:
    """The items, with a checkpoint before each."""
    for item in items:
        checkpoint()
        yield item
