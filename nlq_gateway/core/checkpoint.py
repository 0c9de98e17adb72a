"""Points at which the work for a question ends once its client has left or its processor time is spent.

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
from dataclasses import dataclass
from typing import TypeVar

from connectors.asking import asker
from nlq_gateway.core.errors import QuestionTimeout

# The least processor time of a question, however short its deadline: any question can be read in a fifth of
# it (`python -m benchmarks worst`), and the first one of a process also loads networks and units.
LEAST_MS = 5_000

Item = TypeVar("Item")

# Reading a thread's processor time is a system call; it is repeated after this interval.
_LOOK_SECONDS = 0.02


@dataclass(slots=True)
class _WorkTime:
    """The processor time of a thread at which its work ends, and the time of the last comparison."""

    ends: float
    looked: float = -math.inf

    def is_over(self) -> bool:
        now = time.monotonic()
        if now - self.looked < _LOOK_SECONDS:
            return False
        self.looked = now
        return time.thread_time() > self.ends


_work: ContextVar[_WorkTime | None] = ContextVar("work", default=None)


@contextmanager
def working(milliseconds: float) -> Iterator[None]:
    """Stages of this block have this much processor time of this thread, and at least LEAST_MS."""
    token = _work.set(_WorkTime(time.thread_time() + max(milliseconds, LEAST_MS) / 1000))
    try:
        yield
    finally:
        _work.reset(token)


def checkpoint() -> None:
    """Return while the client waits and time is left.

    Raises:
        EndpointCancelled: the client has left.
        QuestionTimeout: the processor time is spent.
    """
    asker().check()
    work = _work.get()
    if work is not None and work.is_over():
        raise QuestionTimeout(
            "reading the question takes longer than its deadline",
            hint="ask in fewer words, or raise timeout_ms",
        )


def interruptible(items: Iterable[Item]) -> Iterator[Item]:
    """The items, with a checkpoint before each."""
    for item in items:
        checkpoint()
        yield item
