"""SQLite and PostgreSQL: their connections, and their differences."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, OperationalError

from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.edges.trace_store.write_ahead import keep_log

KEY = "server.trace_store"
BUSY_SECONDS = 5
CONNECT_SECONDS = 3
_SQLITE = "sqlite:///"
_POSTGRESQL = "postgresql+psycopg"
# Any number that other programs on the same database are unlikely to lock.
_LOCK = 0x6E6C715F74726163
_LOST_MS = 5_000
# Messages of temporary refusals of a connection, for which libpq has no codes.
_REFUSES, _NOT_NOW = "FATAL:", ("starting up", "shutting down", "too many")


@dataclass(frozen=True, slots=True)
class SQLite:
    """A file that the processes of one machine share.

    `hint` is the remedy if nothing can be stored; `insert` is SQLAlchemy's with ON CONFLICT.
    """

    file: Path
    hint = "set server.trace_store to sqlite:///FILE, or NLQ_DATA to a folder that can be written"
    insert = staticmethod(sqlite.insert)

    @property
    def place(self) -> str:
        """The file's path."""
        return str(self.file)

    def is_away(self, _: Exception) -> bool:
        """Never: a file can be used, or it cannot."""
        return False

    def is_there(self) -> bool:
        """True if the file exists."""
        return self.file.is_file()

    def engine(self) -> Engine:
        """One connection, which threads use in turns: SQLite writes one transaction at a time anyway."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        # Questions are private to this user; SQLite's other files get the mode of this one.
        os.close(os.open(self.file, os.O_CREAT | os.O_RDWR, 0o600))
        engine = create_engine(
            URL.create("sqlite", database=str(self.file)),
            pool_size=1,
            max_overflow=0,
            pool_timeout=2 * BUSY_SECONDS,
            connect_args={"timeout": BUSY_SECONDS},
        )
        event.listen(engine, "connect", _durable_enough)
        return engine

    def lock_schema(self, connection: Connection) -> None:
        """Begin with the only lock there is, until the transaction ends."""
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    lock_feedback = lock_schema

    def may_trim(self, _: Connection) -> bool:
        """Always: a transaction that writes is alone."""
        return True


def _durable_enough(connection: Any, _: object) -> None:
    """Readers beside a writer; a crash of the machine may cost the last traces, and nothing else."""
    keep_log(connection, BUSY_SECONDS)
    connection.execute("PRAGMA synchronous = NORMAL")


@dataclass(frozen=True, slots=True)
class PostgreSQL:
    """A database that several servers share."""

    url: URL
    hint = "see that the address is right, and that its user may make tables there (docs/access.md)"
    insert = staticmethod(postgresql.insert)

    @property
    def place(self) -> str:
        """The address with stars for its password."""
        return self.url.set(drivername="postgresql").render_as_string(hide_password=True)

    def is_away(self, error: Exception) -> bool:
        """True if no connection was made; not if the server refuses the user or the database."""
        said = str(error)
        refused = _REFUSES in said and not any(words in said for words in _NOT_NOW)
        return isinstance(error, OperationalError) and not refused

    def is_there(self) -> bool:
        """True: whether it is empty is unknown before it is asked."""
        return True

    def engine(self) -> Engine:
        """A pool that looks whether a connection is alive before it is used."""
        engine = create_engine(
            self.url,
            pool_size=4,
            max_overflow=12,
            pool_timeout=BUSY_SECONDS,
            pool_pre_ping=True,
            hide_parameters=True,
            connect_args={
                "connect_timeout": CONNECT_SECONDS,
                "tcp_user_timeout": _LOST_MS,
                "keepalives_idle": CONNECT_SECONDS,
                "options": f"-c statement_timeout={BUSY_SECONDS}s",
                "application_name": "nlq-gateway",
            }
            | dict(self.url.query),
        )
        event.listen(engine, "do_connect", _impatient)
        return engine

    def lock_schema(self, connection: Connection) -> None:
        """Keep others from the tables while the transaction lasts, or the connection of a killed process."""
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})

    def lock_feedback(self, connection: Connection) -> None:
        """Keep others from feedback: its numbers are given out before the rows that have them can be seen."""
        connection.execute(text("LOCK TABLE feedback IN SHARE ROW EXCLUSIVE MODE"))

    def may_trim(self, connection: Connection) -> bool:
        """True for one process at a time, until its transaction ends; the others do not wait."""
        found = connection.execute(text("SELECT pg_try_advisory_xact_lock(:lock)"), {"lock": _LOCK + 1})
        return bool(found.scalar())


def _impatient(_dialect: object, _record: object, arguments: Any, named: Any) -> object:
    """A connection in place of the driver's own kind."""
    # The driver is in an extra.
    from nlq_gateway.edges.trace_store.waiting import ImpatientConnection

    return ImpatientConnection.connect(*arguments, **named)


TraceDatabase: TypeAlias = SQLite | PostgreSQL


def database_at(address: str) -> TraceDatabase:
    """The database of an address, `sqlite:///FILE` or `postgresql://...`; opens nothing.

    Raises:
        ConfigurationError: it is neither, or the driver of PostgreSQL is not installed.
    """
    # Not parsed as an address: a path may contain its special characters, such as `?`.
    if address.startswith(_SQLITE):
        return SQLite(Path(address.removeprefix(_SQLITE)))
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise ConfigurationError("the trace store has no address that can be read", key=KEY) from None
    if url.drivername == "postgresql":
        _require_driver()
        return PostgreSQL(url.set(drivername=_POSTGRESQL))
    hint = "write sqlite:///FILE or postgresql://USER:${PASSWORD}@HOST/DATABASE"
    raise ConfigurationError(f"there is no trace store {url.drivername!r}", key=KEY, hint=hint)


def _require_driver() -> None:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        hint = "pip install '.[postgresql]' in the gateway's source folder"
        raise ConfigurationError("traces in PostgreSQL need the driver psycopg", key=KEY, hint=hint) from None
