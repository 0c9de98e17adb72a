"""The tables, and how those of earlier versions become them."""

from __future__ import annotations

import time
from collections.abc import Callable

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    func,
    insert,
    inspect,
    select,
    text,
    update,
)

from nlq_gateway.core.errors import ConfigurationError

_METADATA = MetaData()
# SQLite counts in a column that is exactly an INTEGER, and no row gets the place of one that was deleted.
_POSITION = BigInteger().with_variant(Integer(), "sqlite")

traces = Table(
    "traces",
    _METADATA,
    Column("position", _POSITION, primary_key=True, autoincrement=True),
    Column("id", Text, nullable=False, unique=True),
    Column("document", Text, nullable=False),
    Column("kept_at", BigInteger, nullable=False, server_default="0"),
    Column("client", Text, nullable=False, server_default=""),
    Column("size", BigInteger, nullable=False, server_default="0"),
    sqlite_autoincrement=True,
)
"""A trace as JSON, of `size` bytes, for a client; `kept_at` in seconds since 1970."""

feedback = Table(
    "feedback",
    _METADATA,
    Column("position", _POSITION, primary_key=True, autoincrement=True),
    Column("trace", Text, nullable=False),
    Column("dataset", Text, nullable=False),
    Column("question", Text, nullable=False),
    Column("correct", Integer, nullable=False),
    Column("program", Text),
    Column("comment", Text, nullable=False),
    Column("given", Text, nullable=False, server_default=func.current_timestamp()),
    Column("client", Text, nullable=False, server_default=""),
    Column("size", BigInteger, nullable=False, server_default="0"),
    Column("state", Text, nullable=False, server_default="pending"),
    Column("decision", BigInteger, nullable=False, server_default="0"),
    Column("decided_by", Text, nullable=False, server_default=""),
    sqlite_autoincrement=True,
)
"""A client's feedback on an answer; `program` is the JSON of its demonstration.

`state` is pending, approved or rejected; `decision` counts all decisions, 0 before there is one.
"""

_version = Table("trace_store_version", _METADATA, Column("version", Integer, nullable=False))
_by_age = Index("traces_by_age", traces.c.kept_at)
# All that trimming reads of the traces that stay.
_by_client = Index("traces_by_client", traces.c.client, traces.c.position, traces.c.size)


def bring_up_to_date(connection: Connection) -> None:
    """Make the tables, or the present ones of earlier ones; the caller's transaction holds a lock.

    Raises:
        ConfigurationError: the tables are of a later version.
    """
    version = _found(connection)
    if version > VERSION:
        raise ConfigurationError(
            f"the trace store has the tables of a later version ({version}, known are up to {VERSION})",
            key="server.trace_store",
            hint="upgrade the gateway, or name another place",
        )
    if version == VERSION:
        return
    if version:
        for step in _STEPS[version - 1 :]:
            step(connection)
    _METADATA.create_all(connection)
    connection.execute(_version.delete())
    connection.execute(insert(_version).values(version=VERSION))


def _found(connection: Connection) -> int:
    """The version of the existing tables; 0 if there are none."""
    names = inspect(connection).get_table_names()
    if _version.name in names:
        return connection.execute(select(func.max(_version.c.version))).scalar() or 0
    return 1 if traces.name in names else 0


def _note_ages(connection: Connection) -> None:
    """Move version 1, without ages, to 2: existing traces get the current time."""
    connection.execute(text("ALTER TABLE traces ADD COLUMN kept_at BIGINT NOT NULL DEFAULT 0"))
    connection.execute(update(traces).values(kept_at=int(time.time())))
    _by_age.create(connection)


def _note_clients(connection: Connection) -> None:
    """Move version 2, without clients, to 3: existing rows belong to one client, no feedback is approved."""
    for table in (traces, feedback):
        connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN client TEXT NOT NULL DEFAULT ''"))
        connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN size BIGINT NOT NULL DEFAULT 0"))
    for column in ("state TEXT NOT NULL DEFAULT 'pending'", "decision BIGINT NOT NULL DEFAULT 0"):
        connection.execute(text(f"ALTER TABLE feedback ADD COLUMN {column}"))
    connection.execute(text("ALTER TABLE feedback ADD COLUMN decided_by TEXT NOT NULL DEFAULT ''"))
    connection.execute(update(traces).values(size=func.length(traces.c.document)))
    _by_client.create(connection)


_STEPS: tuple[Callable[[Connection], None], ...] = (_note_ages, _note_clients)
VERSION = len(_STEPS) + 1
