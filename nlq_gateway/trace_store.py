"""Keeps the traces of answered questions, so that an answer can be looked at again under its id, and judged.

One SQLite file, written by all worker processes. The newest traces are kept; older ones go. What people said
of answers stays: the pairs of question and program that they confirm are demonstrations.
"""

from __future__ import annotations

import json
import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from nlq_gateway.demonstrations.files import demonstrations_of, record_of
from nlq_gateway.errors import ConfigurationError
from nlq_gateway.settings import cache_folder
from nlq_gateway.types import Demonstration

KEPT = 10_000
_SQLITE = "sqlite:///"
_BUSY_SECONDS = 5.0

_TABLE = """
CREATE TABLE IF NOT EXISTS traces (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  document TEXT NOT NULL
)"""
_FEEDBACK = """
CREATE TABLE IF NOT EXISTS feedback (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  trace TEXT NOT NULL,
  dataset TEXT NOT NULL,
  question TEXT NOT NULL,
  correct INTEGER NOT NULL,
  program TEXT,
  comment TEXT NOT NULL,
  given TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
)"""
_TRIM = "DELETE FROM traces WHERE position <= (SELECT max(position) FROM traces) - ?"
_JUDGE = (
    "INSERT INTO feedback (trace, dataset, question, correct, program, comment) VALUES (?, ?, ?, ?, ?, ?)"
)
_CONFIRMED = "SELECT question, program FROM feedback WHERE dataset = ? ORDER BY position"


@dataclass(frozen=True, slots=True)
class Feedback:
    """What somebody said of an answer; `right` is the question with its program, where that is known."""

    trace: str
    dataset: str
    question: str
    correct: bool
    right: Demonstration | None = None
    comment: str = ""


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

    def judge(self, feedback: Feedback) -> None:
        """Keep what somebody said of an answer; raises sqlite3.Error or OSError."""
        program = json.dumps(record_of(feedback.right), ensure_ascii=False) if feedback.right else None
        row = (
            feedback.trace,
            feedback.dataset,
            feedback.question,
            feedback.correct,
            program,
            feedback.comment,
        )
        with self._lock, self._open() as connection:
            connection.execute(_JUDGE, row)

    def feedback_version(self) -> int:
        """A number that grows with every feedback; raises sqlite3.Error or OSError."""
        with self._lock:
            return int(self._open().execute("SELECT ifnull(max(position), 0) FROM feedback").fetchone()[0])

    def confirmed(self, dataset: str) -> tuple[Demonstration, ...]:
        """The questions of a dataset whose right program is known, oldest first; the last word counts.

        Raises:
            sqlite3.Error: the file cannot be read, as OSError.
        """
        with self._lock:
            rows = self._open().execute(_CONFIRMED, (dataset,)).fetchall()
        last: dict[str, str | None] = dict(rows)
        records = (json.loads(program) for program in last.values() if program)
        return tuple(found for record in records for found in demonstrations_of(record))

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
            connection.execute(_FEEDBACK)
            self._connection, self._process = connection, os.getpid()
        return self._connection
