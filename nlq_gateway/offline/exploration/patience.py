"""Queries one after the other, slower to a store that is busy, until it does not answer for long."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from connectors.errors import EndpointError, EndpointTimeout, IncompleteResult
from connectors.results import Result
from nlq_gateway.answering.execution import QuerySender

ATTEMPTS = 6
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 60.0
LONGEST_TOLD_S = 300.0
# Queries without an answer, one after the other, after which the store is believed to be away.
FAILURES = 3
TIMEOUTS = 10
_SLOWER, _FASTER = 2.0, 0.8
_LEAST_PAUSE_S, _LONGEST_PAUSE_S = 0.1, 10.0


class GivesUp(EndpointError):
    """The store does not answer any more, or no query is left to ask."""

    code = "exploration-stopped"
    retryable = True


class ExplorationBudgetSpent(GivesUp):
    """A budget is used up: `of` is queries or seconds."""

    def __init__(self, of: str) -> None:
        """Name the spent budget."""
        super().__init__(f"the budget of {of} is used up")
        self.of = of


@dataclass
class PatientSender:
    """Sends queries through `send`; `most` bounds them, `until` is the time (as of `clock`) to be done by."""

    send: QuerySender
    most: int
    until: float | None = None
    clock: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep
    queries: int = 0
    pause_s: float = 0.0
    _unanswered: float = 0.0
    _chance: random.Random = field(default_factory=random.Random)

    def __call__(self, text: str, *, timeout_ms: int | None = None, max_rows: int | None = None) -> Result:
        """Return the rows.

        Raises:
            EndpointError: the store cannot answer this query; another one may well be answered.
            GivesUp: it has not answered several, or the budget is spent.
        """
        for attempt in range(ATTEMPTS):
            try:
                result = self._send(text, timeout_ms, max_rows)
            except EndpointError as error:
                if not error.retryable or isinstance(error, GivesUp):
                    raise
                if attempt + 1 >= _attempts(error):
                    self._note_unanswered(error)
                    raise
                self._back_off(error, attempt)
            else:
                self._unanswered = 0.0
                self.pause_s = self.pause_s * _FASTER if self.pause_s > _LEAST_PAUSE_S / 2 else 0.0
                return result
        raise AssertionError("the last attempt answers or raises")

    def _send(self, text: str, timeout_ms: int | None, max_rows: int | None) -> Result:
        if self.queries >= self.most:
            raise ExplorationBudgetSpent("queries")
        self._wait(self.pause_s)
        self.queries += 1
        return self.send(text, timeout_ms=timeout_ms, max_rows=max_rows)

    def _back_off(self, error: EndpointError, attempt: int) -> None:
        """Wait as long as the store says, else twice as long as before, more or less."""
        self.pause_s = min(max(self.pause_s * _SLOWER, _LEAST_PAUSE_S), _LONGEST_PAUSE_S)
        wait_s = min(FIRST_WAIT_S * 2**attempt, LONGEST_WAIT_S) * (0.5 + self._chance.random())
        told_s = min(error.retry_after_s or 0.0, LONGEST_TOLD_S)
        self._wait(max(wait_s, told_s))

    def _wait(self, seconds: float) -> None:
        if self.until is not None and self.clock() + seconds >= self.until:
            raise ExplorationBudgetSpent("seconds")
        if seconds:
            self.sleep(seconds)

    def _note_unanswered(self, error: EndpointError) -> None:
        self._unanswered += 1 / (TIMEOUTS if isinstance(error, EndpointTimeout) else FAILURES)
        # A third taken three times is a little less than the whole.
        if self._unanswered > 1 - 1e-9:
            raise GivesUp(
                f"the store does not answer: {error.message}",
                endpoint=error.endpoint,
                hint="run the same command again later: it resumes where it stopped",
                detail=error.detail,
            ) from error


def _attempts(error: EndpointError) -> int:
    """The number of attempts: a query that is too expensive, or cut, will fail again."""
    return 2 if isinstance(error, EndpointTimeout | IncompleteResult) else ATTEMPTS
