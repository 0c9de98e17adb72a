"""Connections to PostgreSQL that do not wait for ever for a server which neither answers nor refuses.

The server's own limits (`statement_timeout`) hold where it runs, those of the network where it is gone. One
that is frozen keeps its connections open.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any

from psycopg import Connection, OperationalError

# Longer than a statement may take there.
ANSWER_SECONDS = 7.0


class ImpatientConnection(Connection[Any]):
    """Closed where the server has said nothing for `ANSWER_SECONDS`, with an OperationalError."""

    def wait(self, gen: Generator[Any, Any, Any], *arguments: Any, **named: Any) -> Any:
        """Wait like psycopg, with a time limit."""
        return super().wait(self._until(gen, time.monotonic() + ANSWER_SECONDS), *arguments, **named)

    def _until(self, waiting: Generator[Any, Any, Any], end: float) -> Generator[Any, Any, Any]:
        """The same, step by step: psycopg takes one ten times a second, though nothing is ready."""
        wanted = next(waiting)
        while True:
            ready = yield wanted
            if not ready and time.monotonic() > end:
                # An open connection would be waited for again, for the end of its transaction.
                self.close()
                raise OperationalError(f"no answer in {ANSWER_SECONDS:g} s")
            try:
                wanted = waiting.send(ready)
            except StopIteration as done:
                return done.value
