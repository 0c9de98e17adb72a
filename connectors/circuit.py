"""A circuit breaker: after repeated failures no attempt is made for a while (M. Nygard, Release It!, 5.2)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class CircuitOpen(Exception):
    """No attempt is made for `seconds` more; `failures` in a row since `since_s` seconds ago, for `why`."""

    def __init__(self, seconds: float, failures: int, since_s: float, why: str) -> None:
        super().__init__(why)
        self.seconds = seconds
        self.failures = failures
        self.since_s = since_s
        self.why = why


class Circuit:
    """Opens after `failures` in a row, for `seconds`; then one trial closes it, or opens it again.

    Safe to share between threads: attempts during the trial find the circuit open.
    """

    def __init__(self, failures: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds."""
        self._allowed = failures
        self._seconds = seconds
        self._clock = clock
        self._failed = 0
        self._began = 0.0
        self._open_until = 0.0
        self._why = ""
        self._lock = threading.Lock()

    def check(self) -> None:
        """Raise CircuitOpen while no attempt may be made; starts no trial."""
        with self._lock:
            self._check()

    def admit(self) -> None:
        """Admit an attempt, which one of the other methods must conclude; raises CircuitOpen."""
        with self._lock:
            self._check()
            if self._failed >= self._allowed:
                self._open_until = self._clock() + self._seconds

    def succeeded(self) -> None:
        """An attempt was answered: the failures before it count no more."""
        with self._lock:
            self._failed = 0

    def failed(self, why: str) -> None:
        """An attempt failed."""
        with self._lock:
            now = self._clock()
            self._began = now if self._failed == 0 else self._began
            self._failed += 1
            self._why = why
            self._open_until = now + self._seconds

    def undecided(self) -> None:
        """An attempt ended without a finding: if it was the trial, the next attempt is the trial."""
        with self._lock:
            if self._failed >= self._allowed:
                self._open_until = self._clock()

    def _check(self) -> None:
        now = self._clock()
        if self._failed >= self._allowed and self._open_until > now:
            raise CircuitOpen(self._open_until - now, self._failed, now - self._began, self._why)
