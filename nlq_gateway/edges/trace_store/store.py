"""The operations of the store of traces."""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import Connection, Engine, delete, select
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError, TimeoutError

from nlq_gateway.core.errors import ConfigurationError, TracesUnavailable
from nlq_gateway.core.types import Demonstration
from nlq_gateway.edges.trace_store import reviews
from nlq_gateway.edges.trace_store.databases import KEY, SQLite, TraceDatabase, database_at
from nlq_gateway.edges.trace_store.reviews import Feedback, Review, State
from nlq_gateway.edges.trace_store.shares import Bounds, trim
from nlq_gateway.edges.trace_store.tables import bring_up_to_date, traces
from nlq_gateway.settings import ServerSettings, database_file
from nlq_gateway.settings.values import NEVER

KEPT = 10_000
MOST_BYTES = 1_000_000_000
TRIM_SECONDS = 60.0
# Seconds after a failure during which requests do not wait for the database.
PAUSE_SECONDS = 2.0
# A process deletes old traces when it has added 1/N of the bound.
_BATCHES = 10

_LATER = "ask again in a few seconds"
_OUTAGES = (OSError, OperationalError, InterfaceError, TimeoutError)

_log = logging.getLogger(__name__)


class TraceStore:
    """Documents by id. Safe to share between threads; a forked process opens connections of its own.

    While the database is down, every method but `close` raises TracesUnavailable, soon.
    """

    def __init__(
        self,
        place: Path | TraceDatabase,
        *,
        kept: int = KEPT,
        age: timedelta = NEVER,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        """Keep traces in a file or a database, which is opened at the first use.

        Args:
            place: a file of SQLite, or a database.
            kept: the number of traces; old ones go in batches, so each process may keep a tenth more.
            age: the maximum age of a trace; NEVER for no bound.
            most_bytes: the maximum total size, with the same tenth.
        """
        self._database = SQLite(place) if isinstance(place, Path) else place
        self._bounds = Bounds(kept, most_bytes)
        self._age = age
        self._lock = Lock()
        self._engine: Engine | None = None
        self._inherited: Engine | None = None
        self._process = 0
        self._refused_until = 0.0
        self._added = Bounds(0, 0)
        self._trimmed = 0.0

    @classmethod
    def of(cls, server: ServerSettings) -> TraceStore:
        """The store of the settings, by default a file in the data folder; raises ConfigurationError."""
        address = server.trace_store.get_secret_value() if server.trace_store else None
        place = database_at(address) if address else database_file("traces.sqlite")
        bounds = server.traces
        return cls(place, kept=bounds.max_count, age=bounds.max_age, most_bytes=bounds.max_bytes)

    @property
    def place(self) -> str:
        """Its address, without a password."""
        return self._database.place

    def check(self) -> None:
        """Connect and make the tables, and disconnect again; a server that is away may come later.

        Raises:
            ConfigurationError: traces cannot be kept there.
        """
        try:
            with self._opened().begin() as connection:
                self._trim(connection)
        except (OSError, SQLAlchemyError) as error:
            message = f"traces cannot be kept in {self.place}: {_reason(error)}"
            if not self._database.is_away(error):
                hint = self._database.hint
                raise ConfigurationError(message, file=self.place, key=KEY, hint=hint) from None
            _log.warning("%s", message)
        finally:
            self.close()

    def is_there(self) -> bool:
        """True if something may have been stored; creates no file."""
        return self._database.is_there()

    def put(self, trace_id: str, document: dict[str, Any], client: str = "") -> None:
        """Keep a document, in place of one with the same id; raises TracesUnavailable.

        Where there is no room, those make it of whose clients most is kept.
        """
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        size = len(text.encode())
        values = {"document": text, "kept_at": int(time.time()), "client": client, "size": size}
        adding = self._database.insert(traces).values(id=trace_id, **values)
        with self._begun() as connection:
            connection.execute(adding.on_conflict_do_update(index_elements=["id"], set_=values))
        self._added = Bounds(self._added.rows + 1, self._added.size + size)
        if self._is_time():
            with self._begun() as connection:
                self._trim(connection)

    def get(self, trace_id: str) -> dict[str, Any] | None:
        """The document of that id, or None; raises TracesUnavailable."""
        if "\0" in trace_id:
            return None
        wanted = select(traces.c.document).where(traces.c.id == trace_id)
        if self._age:
            wanted = wanted.where(traces.c.kept_at >= self._oldest())
        with self._begun() as connection:
            found = connection.execute(wanted).scalar()
        document: dict[str, Any] | None = json.loads(found) if found else None
        return document

    def judge(self, said: Feedback, *, by: str = "") -> int:
        """Keep what a client said of an answer, and return its number; raises TracesUnavailable.

        Args:
            said: the feedback.
            by: the curator who gave it, so that it is approved at once; "" has it wait for a decision.
        """
        with self._begun() as connection:
            self._database.lock_feedback(connection)
            return reviews.add(connection, said, by)

    def decide(self, number: int, state: State, by: str) -> None:
        """Approve or reject feedback, whatever was decided before; raises TracesUnavailable."""
        with self._begun() as connection:
            self._database.lock_feedback(connection)
            reviews.decide(connection, number, state, by)

    def reviews(self, *, state: State | None = None, number: int | None = None) -> tuple[Review, ...]:
        """The feedback in a state or with a number, else all, oldest first; raises TracesUnavailable."""
        with self._begun() as connection:
            return reviews.reviews(connection, state, number)

    def feedback_version(self) -> int:
        """A number that grows with every decision on feedback; raises TracesUnavailable."""
        with self._begun() as connection:
            return reviews.version(connection)

    def confirmed(self, dataset: str) -> tuple[Demonstration, ...]:
        """The questions of a dataset whose right program is approved; the last decision on each counts.

        Raises:
            TracesUnavailable: the database is down.
        """
        with self._begun() as connection:
            return reviews.confirmed(connection, dataset)

    def close(self) -> None:
        """Close all connections; a later use opens others."""
        with self._lock:
            if self._engine is not None and self._process == os.getpid():
                self._engine.dispose()
            self._engine = None

    def _is_time(self) -> bool:
        """True if enough rows, bytes or seconds have passed since the bounds were last checked."""
        return (
            self._added.rows * _BATCHES >= self._bounds.rows
            or self._added.size * _BATCHES >= self._bounds.size
            or time.monotonic() - self._trimmed > TRIM_SECONDS
        )

    def _trim(self, connection: Connection) -> None:
        """Delete traces beyond the bounds, by indexes: the documents are not read."""
        self._added, self._trimmed = Bounds(0, 0), time.monotonic()
        if not self._database.may_trim(connection):
            return
        if self._age:
            connection.execute(delete(traces).where(traces.c.kept_at < self._oldest()))
        trim(connection, traces, self._bounds)

    def _oldest(self) -> int:
        """The time of the oldest trace that is kept, in seconds since 1970."""
        return int(time.time() - self._age.total_seconds())

    @contextmanager
    def _begun(self) -> Iterator[Connection]:
        """A connection in a transaction, which is committed in the end.

        Raises:
            TracesUnavailable: the database cannot be reached, or refuses; the log says where, and why.
        """
        try:
            with self._opened().begin() as connection:
                yield connection
        except (OSError, SQLAlchemyError) as error:
            if isinstance(error, _OUTAGES):
                self._refused_until = time.monotonic() + PAUSE_SECONDS
            _log.error("traces cannot be kept in %s: %s", self.place, _reason(error))
            # After an outage the database may be a new one, without the tables.
            self.close()
            raise TracesUnavailable("the store of traces does not answer", hint=_LATER) from None

    def _opened(self) -> Engine:
        """This process's pool of connections, to migrated tables."""
        with self._lock:
            if time.monotonic() < self._refused_until:
                raise TracesUnavailable("the store of traces did not answer a moment ago", hint=_LATER)
            if self._process != os.getpid():
                # Kept, as the end of the object would close connections of the process that forked this one.
                self._inherited, self._engine = self._engine, None
            if self._engine is None:
                self._engine, self._process = self._connected(), os.getpid()
            return self._engine

    def _connected(self) -> Engine:
        engine = self._database.engine()
        try:
            with engine.begin() as connection:
                self._database.lock_schema(connection)
                bring_up_to_date(connection)
        except BaseException as error:
            engine.dispose()
            if isinstance(error, _OUTAGES):
                # Noted before the lock is free, so that threads waiting for it do not try again.
                self._refused_until = time.monotonic() + PAUSE_SECONDS
            raise
        return engine


def _reason(error: OSError | SQLAlchemyError) -> str:
    """The database's own words, on one line; never a statement or a value."""
    said = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    with suppress(IndexError):
        return said.strip().splitlines()[0]
    return type(error).__name__
