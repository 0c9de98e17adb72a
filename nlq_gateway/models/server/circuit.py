"""A circuit breaker: a server that fails again and again is not asked for a while."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from nlq_gateway.models.errors import Cancelled, ModelBusy, ModelError, ModelTimeout, ModelUnreachable

_TROUBLE = (ModelUnreachable, ModelBusy)
# A timeout is the server's fault only if it had this long.
_PATIENCE_SECONDS = 5.0


class Circuit:
    """Open after `failures` attempts in a row that failed for the server's sake, for `seconds`.

    Then one attempt is let through: it closes the circuit, or opens it for as long again. Belongs to one
    thread.
    """

    def __init__(self, failures: int = 3, seconds: float = 10.0) -> None:
        self._allowed = failures
        self._seconds = seconds
        self._failed = 0
        self._open_until = 0.0
        self._last = ""

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Around one attempt, whose outcome it takes note of.

        Raises:
            ModelBusy: the circuit is open; the attempt is not made.
        """
        self._admit()
        started = time.monotonic()
        try:
            yield
        except ModelError as error:
            self._note(error, time.monotonic() - started)
            raise
        else:
            self._failed = 0

    def check(self) -> None:
        """Raise ModelBusy while the circuit is open."""
        left = self._open_until - time.monotonic()
        if self._failed >= self._allowed and left > 0:
            raise ModelBusy(
                f"the server has failed {self._failed} times in a row and is not asked for {left:.0f} s",
                hint=f"the last failure: {self._last}",
            )

    def _admit(self) -> None:
        self.check()
        if self._failed >= self._allowed:
            # Whoever comes while the trial runs finds the circuit open.
            self._open_until = time.monotonic() + self._seconds

    def _note(self, error: ModelError, seconds: float) -> None:
        if isinstance(error, _TROUBLE) or (isinstance(error, ModelTimeout) and seconds >= _PATIENCE_SECONDS):
            self._failed += 1
            self._last = error.message
            self._open_until = time.monotonic() + self._seconds
        elif not isinstance(error, Cancelled | ModelTimeout):
            self._failed = 0
