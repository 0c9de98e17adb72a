"""The interface of every connector, independent of the store."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from connectors.dataset import Dataset
from connectors.products import Product
from connectors.results import Result


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on queries to a store. Times in milliseconds, sizes in rows and bytes.

    At most `concurrency` queries run at a time, and `per_second` are begun in a second. `retries` bounds the
    resends of a query where they are safe.
    """

    connect_ms: int = 3_000
    query_ms: int = 30_000
    max_rows: int = 10_000
    max_bytes: int = 64_000_000
    concurrency: int = 8
    per_second: float = math.inf
    retries: int = 2


@dataclass(frozen=True, slots=True)
class RawResponse:
    """A store's answer as it came, for clients that read it themselves.

    `attempts` is the number of times the query was sent.
    """

    content_type: str
    body: bytes
    attempts: int = 1


class Connector(Protocol):
    """A store that can be read. Safe to share between threads.

    Both methods take SPARQL 1.1 text that was already checked to be a read, and raise the errors of
    `connectors.errors`.
    """

    @property
    def address(self) -> str:
        """The place of the store: a URL or a folder, without secrets."""

    @property
    def dialect(self) -> str:
        """`oxigraph`, `fuseki`, `virtuoso` or `sparql11`."""

    @property
    def is_given_up(self) -> bool:
        """True while the store gets no queries, after outages."""

    def query(self, text: str, *, timeout_ms: int | None = None, max_rows: int | None = None) -> Result:
        """Run a SELECT or ASK and return its rows, at most `max_rows` of them (`truncated` says so)."""

    def raw(
        self, text: str, accept: str, *, timeout_ms: int | None = None, dataset: Dataset | None = None
    ) -> RawResponse:
        """Run any read query and return the serialised answer in (one of) the accepted formats.

        `dataset` takes the place of the connector's own graphs, and no other graph is seen.
        """

    def product(self) -> Product | None:
        """The store's product, or None if the store does not name it; sends a request."""

    def close(self) -> None:
        """Give back connections and files; the connector is not used after that."""
