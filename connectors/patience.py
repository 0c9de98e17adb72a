"""Sending a query to a store: in its turn, not while the store is down, and again where that is safe.

Reads change nothing, so that one may be sent again if it did not get through, or if the store asks for it
(429 and 503 with Retry-After). Never after a timeout, nor once a part of an answer was used. Pauses have full
jitter (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
"""

from __future__ import annotations

import logging
import math
import random
import time
from collections.abc import Callable
from itertools import count
from typing import TypeVar

from connectors.asking import asker
from connectors.base import Limits
from connectors.circuit import Circuit, CircuitOpen
from connectors.errors import EndpointError, EndpointUnreachable
from connectors.gate import Gate

Value = TypeVar("Value")

OUTAGES = 5
OPEN_SECONDS = 10.0
_FIRST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 5.0

_log = logging.getLogger(__name__)


class Patience:
    """The turns, the circuit and the retries of one store. Safe to share between threads."""

    def __init__(self, address: str, limits: Limits) -> None:
        """`address` is for messages."""
        self._address = address
        self._retries = limits.retries
        self._gate = Gate(limits.concurrency, limits.per_second)
        self._circuit = Circuit(OUTAGES, OPEN_SECONDS)

    @property
    def is_given_up(self) -> bool:
        """True while no query is sent, after outages."""
        try:
            self._circuit.check()
        except CircuitOpen:
            return True
        return False

    def carry_out(self, once: Callable[[], Value], deadline: float) -> tuple[Value, int]:
        """The result of `once`, and its number of calls, all until `deadline` (`time.monotonic`).

        Raises:
            EndpointError: that of the last attempt; EndpointUnreachable at once while the store is down;
                EndpointOverloaded, EndpointTimeout and EndpointCancelled while the query waits.
        """
        pause = 0.0
        for attempt in count(1):
            try:
                asker().sleep(pause)
                self._admitted(self._circuit.check)
                with self._gate.turn(deadline):
                    return self._attempted(once), attempt
            except EndpointError as error:
                error.endpoint = error.endpoint or self._address
                error.attempts = attempt
                pause = self._pause(error, attempt)
                if time.monotonic() + pause >= deadline:
                    raise
                _log.warning(
                    "%s: attempt %d failed (%s); again in %.2f s",
                    self._address,
                    attempt,
                    error.message,
                    pause,
                )
        raise AssertionError("the last attempt returns or raises")

    def _attempted(self, once: Callable[[], Value]) -> Value:
        """One attempt, whose outcome the circuit records."""
        self._admitted(self._circuit.admit)
        outage: bool | None = None
        why = ""
        try:
            value = once()
            outage = False
        except EndpointError as error:
            outage, why = error.outage, error.message
            raise
        finally:
            self._note(outage, why)
        return value

    def _note(self, outage: bool | None, why: str) -> None:
        if outage is None:
            self._circuit.undecided()
        elif outage:
            self._circuit.failed(why)
        else:
            self._circuit.succeeded()

    def _admitted(self, admit: Callable[[], None]) -> None:
        try:
            admit()
        except CircuitOpen as circuit:
            error = EndpointUnreachable(
                f"the store is not asked for {circuit.seconds:.0f} s more:"
                f" {circuit.failures} outages in a row since {circuit.since_s:.0f} s ago",
                hint=f"check the store; the last outage: {circuit.why}",
            )
            error.retry_after_s = circuit.seconds
            raise error from None

    def _pause(self, error: EndpointError, attempt: int) -> float:
        """Seconds until the query is sent again; infinite if it is not."""
        if not error.resend or attempt > self._retries:
            return math.inf
        jitter = random.uniform(0, min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2 ** (attempt - 1)))
        return (error.retry_after_s or 0.0) + jitter
