"""Stores that behave badly, on purpose."""

from __future__ import annotations

import re

from connectors.base import RawResponse
from connectors.oxigraph import EmbeddedOxigraph
from connectors.results import Result


class Slow:
    """A store that gives up on the queries of a pattern, or refuses them."""

    address = "slow"
    dialect = "sparql11"

    def __init__(self, store: EmbeddedOxigraph, pattern: str, error: type[Exception]) -> None:
        self.store, self.pattern, self.error = store, re.compile(pattern), error

    def query(self, text: str, *, timeout_ms: int | None = None, max_rows: int | None = None) -> Result:
        if self.pattern.search(text):
            raise self.error("no", endpoint=self.address)
        return self.store.query(text, timeout_ms=timeout_ms, max_rows=max_rows)

    def raw(self, text: str, accept: str, *, timeout_ms: int | None = None) -> RawResponse:
        raise NotImplementedError

    def close(self) -> None:
        """Do nothing: it holds no resources."""
