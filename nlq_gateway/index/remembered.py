"""Answers of a store, kept while an index is built, so that an interrupted build continues.

Every page of every listing is one query, so that no query with a kept text is sent again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import time
import zlib
from pathlib import Path

from connectors.base import Connector
from connectors.products import Product
from connectors.reading import read_json
from connectors.results import Result, as_json

# Pages of different days would combine to a graph that never existed.
LONGEST_SECONDS = 24 * 3600.0

_TABLE = "CREATE TABLE IF NOT EXISTS page (query BLOB PRIMARY KEY, truncated INTEGER, body BLOB)"
_FAST = "PRAGMA synchronous=OFF"


class RememberingConnector:
    """A connector that sends its store only new queries, across processes."""

    def __init__(self, store: Connector, file: Path) -> None:
        """Keep the answers in this file; a damaged one, or one older than a day, is begun anew."""
        self._store = store
        self.address, self.dialect = store.address, store.dialect
        # Answers in other formats are not kept.
        self.raw = store.raw
        self._pages = _open(file)

    @property
    def is_given_up(self) -> bool:
        """True while the store gets no queries."""
        return self._store.is_given_up

    def query(self, text: str, *, timeout_ms: int | None = None, max_rows: int | None = None) -> Result:
        """The store's answer, kept or new; errors are not kept."""
        key = hashlib.sha256(f"{max_rows} {text}".encode()).digest()
        known = self._pages.execute("SELECT truncated, body FROM page WHERE query = ?", (key,)).fetchone()
        if known is not None:
            found = read_json(zlib.decompress(known[1]), max_rows or 1 << 60, self.address)
            return Result(found.columns, found.rows, found.boolean, bool(known[0]))
        result = self._store.query(text, timeout_ms=timeout_ms, max_rows=max_rows)
        body = zlib.compress(json.dumps(as_json(result)).encode(), 1)
        self._pages.execute("INSERT OR REPLACE INTO page VALUES (?, ?, ?)", (key, result.truncated, body))
        return result

    def product(self) -> Product | None:
        """The store's product."""
        return self._store.product()

    def close(self) -> None:
        """Close the file; the store stays open, as its owner closes it."""
        self._pages.close()


def _open(file: Path) -> sqlite3.Connection:
    with contextlib.suppress(FileNotFoundError):
        if time.time() - file.stat().st_mtime > LONGEST_SECONDS:
            file.unlink()
    try:
        return _opened(file)
    except sqlite3.DatabaseError:
        os.unlink(file)
        return _opened(file)


def _opened(file: Path) -> sqlite3.Connection:
    pages = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    pages.execute(_FAST)
    pages.execute(_TABLE)
    return pages
