"""SQLite's write-ahead log, for a file that several processes open at the same time."""

from __future__ import annotations

import sqlite3
import time
from typing import Any

_AGAIN_SECONDS = 0.02


def keep_log(connection: Any, seconds: float) -> None:
    """Turn the log of a connection's file on.

    SQLite refuses that at once, without the timeout of the connection, while another process does the same.

    Raises:
        sqlite3.OperationalError: it refused for so many seconds.
    """
    until = time.monotonic() + seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(_AGAIN_SECONDS)
