"""Limits on concurrent and waiting requests of a worker process.

Further requests are refused at once: an answer that comes after its client has left only delays the
others.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from nlq_gateway.core.errors import Overloaded

Release = Callable[[], None]
LONGEST_SECONDS = 60.0
# The weight of the last request in the moving average of durations.
_WEIGHT = 0.1


class Turns:
    """Turns of one process: how many are `taken`, and `waiting`. Safe to share between threads."""

    def __init__(self, concurrency: int, queue: int, wait_s: float) -> None:
        """Limit concurrent and waiting requests, and seconds; longer expected waits are refused."""
        self._concurrency = concurrency
        self._queue = queue
        self._wait_s = wait_s
        self._free = threading.Semaphore(concurrency)
        self._lock = threading.Lock()
        self.waiting = 0
        self.taken = 0
        self._mean_s = 0.0

    def take(self) -> Release:
        """Wait for a turn.

        Returns:
            What ends it; only the first call counts.

        Raises:
            Overloaded: too many wait already, or it did not come in time.
        """
        if not self._free.acquire(blocking=False):
            self._wait()
        with self._lock:
            self.taken += 1
        return self._release(time.monotonic())

    def _wait(self) -> None:
        with self._lock:
            due = (self.waiting + 1) * self._mean_s / self._concurrency
            if self.waiting >= self._queue or due > self._wait_s:
                raise self._overloaded(f"{self.waiting} requests wait already")
            self.waiting += 1
        try:
            if not self._free.acquire(timeout=self._wait_s):
                raise self._overloaded(f"no turn came in {self._wait_s:g} s")
        finally:
            with self._lock:
                self.waiting -= 1

    def _overloaded(self, why: str) -> Overloaded:
        """Return the error with the time after which all present requests should have had their turn."""
        ahead = self.taken + self.waiting
        seconds = min(LONGEST_SECONDS, max(1.0, ahead * self._mean_s / self._concurrency))
        hint = "ask again after as long as Retry-After says"
        return Overloaded(f"too much is asked at once: {why}", retry_after_s=seconds, hint=hint)

    def _release(self, begun: float) -> Release:
        once = threading.Lock()

        def release() -> None:
            if not once.acquire(blocking=False):
                return
            with self._lock:
                self.taken -= 1
                took = time.monotonic() - begun
                self._mean_s = took if not self._mean_s else self._mean_s + _WEIGHT * (took - self._mean_s)
            self._free.release()

        return release
