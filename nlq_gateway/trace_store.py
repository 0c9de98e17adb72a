"""Keeps the traces of answered questions, so that an answer can be looked at again under its id.

One SQLite file, written by all worker processes. The newest traces are kept; older ones go.
"""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path
from threading import Lock
from typing import Any

from nlq_gateway.errors import ConfigurationError
from nlq_gateway.settings import cache_folder

KEPT = 10_000
_SQLITE = "sqlite:///"
_BUSY_SECONDS = 5.0

_TABLE = """
CREATE TABLE IF NOT EXISTS traces (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  document TEXT NOT NULL
)"""
_TRIM = "DELETE FROM traces WHERE position <= (SELECT max(position) FROM traces) - ?"


class TraceStore:
    """Documents by id. Safe to share between threads; a forked process opens its own connection."""

    def __init__(self, file: Path, *, kept: int = KEPT) -> None:
        """Nothing is opened before the first use; `kept` is how many traces are kept."""
        self.file = file
        self._kept = kept
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None
        self._process = 0

    @classmethod
    def at(cls, address: str | None) -> TraceStore:
        """The store at `sqlite:///FILE`, by default in the cache folder."""
        return cls(Path(address.removeprefix(_SQLITE)) if address else cache_folder() / "traces.sqlite")

    def check(self) -> None:
        """Open the file for writing, and close it again.

        Raises:
            ConfigurationError: when that is not possible.
        """
        try:
            with self._lock, self._open() as connection:
                connection.execute(_TRIM, (self._kept,))
        except (OSError, sqlite3.Error) as error:
            message = f"traces cannot be kept in {self.file}: {error}"
            hint = "set server.trace_store to sqlite:///FILE, or NLQ_CACHE to a folder that can be written"
            raise ConfigurationError(
                message, file=str(self.file), key="server.trace_store", hint=hint
            ) from None
        finally:
            self.close()

    def put(self, trace_id: str, document: dict[str, Any]) -> None:
        """Keep a document, in place of one with the same id; raises sqlite3.Error or OSError."""
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        with self._lock, self._open() as connection:
            connection.execute("INSERT OR REPLACE INTO traces (id, document) VALUES (?, ?)", (trace_id, text))
            connection.execute(_TRIM, (self._kept,))

    def get(self, trace_id: str) -> dict[str, Any] | None:
        """The document of that id, or None; raises sqlite3.Error or OSError."""
        with self._lock:
            found = self._open().execute("SELECT document FROM traces WHERE id = ?", (trace_id,)).fetchone()
        document: dict[str, Any] | None = json.loads(found[0]) if found else None
        return document

    def close(self) -> None:
        """Close the file; a later use opens it again."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    def _open(self) -> sqlite3.Connection:
        """This process's connection: SQLite's must not be carried over a fork."""
        if self._connection is None or self._process != os.getpid():
            self.file.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.file, timeout=_BUSY_SECONDS, check_same_thread=False)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(_TABLE)
            self._connection, self._process = connection, os.getpid()
        return self._connection
