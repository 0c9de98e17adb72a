"""What every connector offers, whatever store is behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from connectors.results import Result


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one request. Times in milliseconds, sizes in rows and bytes."""

    connect_ms: int = 3_000
    query_ms: int = 30_000
    max_rows: int = 10_000
    max_bytes: int = 64_000_000


@dataclass(frozen=True, slots=True)
class RawResponse:
    """A store's answer as it came, for clients that want nothing else."""

    content_type: str
    body: bytes


class Connector(Protocol):
    """A store that can be read. Safe to share between threads.

    Both methods take SPARQL 1.1 text that was already checked to be a read, and raise the errors of
    `connectors.errors`.
    """

    @property
    def address(self) -> str:
        """Where the store is: a URL or a folder, without secrets."""

    @property
    def dialect(self) -> str:
        """`oxigraph`, `fuseki`, `virtuoso` or `sparql11`."""

    def query(self, text: str, *, timeout_ms: int | None = None, max_rows: int | None = None) -> Result:
        """Run a SELECT or ASK and return its rows, at most `max_rows` of them (`truncated` says so)."""

    def raw(self, text: str, accept: str, *, timeout_ms: int | None = None) -> RawResponse:
        """Run any read query and return the serialised answer in (one of) the accepted formats."""

    def close(self) -> None:
        """Give back connections and files; the connector is not used after that."""
