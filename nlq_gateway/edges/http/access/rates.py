"""Limits on requests per time, counted over all worker processes of a server.

A window slides: `60/minute` is never more than 60 in any 60 seconds. Requests are counted in an SQLite file
of the server's processes: its locks are the operating system's, and end with a killed
process.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv6Address
from pathlib import Path

from limits import parse

from nlq_gateway.core.errors import RateLimited
from nlq_gateway.edges.http.access.proxies import address_in
from nlq_gateway.edges.trace_store.write_ahead import keep_log

PURGE_SECONDS = 60.0
_EACH = "and client"
# Providers give a customer a prefix of 48 to 64 bits, within which it takes addresses as it likes.
_NETWORK = 48
_BUSY_SECONDS = 5.0

_TABLES = """
CREATE TABLE IF NOT EXISTS hits (who TEXT, n INTEGER, at REAL, PRIMARY KEY (who, n)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_client ON hits (who, at);
CREATE INDEX IF NOT EXISTS by_time ON hits (at);
"""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limit:
    """A number of requests in a number of seconds, for each client or for all together."""

    amount: int
    seconds: int
    each: bool

    def whose(self, client: str) -> str:
        """Under which name a request of the client is counted; no client is called ""."""
        return client if self.each else ""


@dataclass(frozen=True, slots=True)
class Standing:
    """The number of requests that a limit still allows, and the seconds until it allows more."""

    limit: Limit
    left: int
    seconds: float

    def headers(self) -> dict[str, str]:
        """The headers about it (draft-ietf-httpapi-ratelimit-headers)."""
        name = f'"{"client" if self.limit.each else "all"}"'
        return {
            "RateLimit-Policy": f"{name};q={self.limit.amount};w={self.limit.seconds}",
            "RateLimit": f"{name};r={self.left};t={max(0, round(self.seconds))}",
        }


def limits_of(rate: str) -> tuple[Limit, ...]:
    """The limits of a setting such as `60/minute and client; 1000/hour`; none for `none`."""
    parts = () if rate == "none" else [part.strip() for part in rate.split(";")]
    parsed = [(parse(part.removesuffix(_EACH)), part.endswith(_EACH)) for part in parts]
    return tuple(Limit(item.amount, item.get_expiry(), each) for item, each in parsed)


class Rates:
    """Counts requests. Safe to share between threads; a process makes its own after it was forked."""

    def __init__(self, limits: Sequence[Limit], file: Path | None) -> None:
        """`limits` has one at least; `file` is shared by the processes that count together, None for one."""
        self._limits = limits
        self._longest = max(limit.seconds for limit in limits)
        self._lock = threading.Lock()
        self._purged = 0.0
        self._connection = sqlite3.connect(
            file or ":memory:", timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        weakref.finalize(self, self._connection.close)
        keep_log(self._connection, _BUSY_SECONDS)
        # It need not outlive the machine.
        self._connection.executescript(f"PRAGMA synchronous = OFF; {_TABLES}")

    def take(self, client: str) -> Standing | None:
        """Count a request of a client, if there is room for it.

        Returns:
            The tightest limit, after this request. None where it could not be counted, which is no reason to
            refuse it.

        Raises:
            RateLimited: there is no room; the request is not counted.
        """
        try:
            with self._alone():
                standings = self._counted(client, time.monotonic())
        except sqlite3.Error:
            _log.exception("requests cannot be counted")
            return None
        refused = [one for one in standings if one.left < 0]
        if refused:
            last = max(refused, key=lambda one: one.seconds)
            each = "of one client " if last.limit.each else ""
            said = f"{last.limit.amount} requests {each}in {last.limit.seconds} s are allowed, and were made"
            raise RateLimited(said, retry_after_s=last.seconds, hint="wait as long as Retry-After says")
        return min(standings, key=lambda one: one.left)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _counted(self, client: str, now: float) -> list[Standing]:
        execute = self._connection.execute
        standings = [self._standing(limit, limit.whose(client), now) for limit in self._limits]
        if all(one.left >= 0 for one in standings):
            for who in {limit.whose(client) for limit in self._limits}:
                execute("DELETE FROM hits WHERE who = ? AND at <= ?", (who, now - self._longest))
                execute(
                    "INSERT INTO hits SELECT ?, ifnull(max(n), 0) + 1, ? FROM hits WHERE who = ?",
                    (who, now, who),
                )
        if now - self._purged > PURGE_SECONDS:
            execute("DELETE FROM hits WHERE at <= ?", (now - self._longest,))
            self._purged = now
        return standings

    def _standing(self, limit: Limit, who: str, now: float) -> Standing:
        """The standing after one more request, with -1 left if it is refused; by look-ups in an index."""
        execute = self._connection.execute
        first = execute(
            "SELECT n, at FROM hits WHERE who = ? AND at > ? ORDER BY at LIMIT 1", (who, now - limit.seconds)
        ).fetchone()
        if first is None:
            return Standing(limit, limit.amount - 1, limit.seconds)
        last = execute("SELECT max(n) FROM hits WHERE who = ?", (who,)).fetchone()[0]
        left = limit.amount - (last - first[0] + 1) - 1
        if left >= 0:
            return Standing(limit, left, first[1] + limit.seconds - now)
        # The limit may have been higher when they were counted: then more than one has to leave the window.
        leaving = execute("SELECT at FROM hits WHERE who = ? AND n = ?", (who, last - limit.amount + 1))
        return Standing(limit, -1, leaving.fetchone()[0] + limit.seconds - now)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Around a transaction that no other thread or process interrupts."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            finally:
                self._connection.execute("COMMIT")


def address_of(remote: str | None) -> str:
    """Under which name a client without credentials is counted: its address, of IPv6 its network."""
    address = address_in(remote or "")
    if not isinstance(address, IPv6Address):
        return f"@{address or remote}"
    return f"@{IPv6Address(int(address) >> (128 - _NETWORK) << (128 - _NETWORK))}/{_NETWORK}"
