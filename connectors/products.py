"""Which product a store is, told by the header fields of its answers (tested on the products themselves)."""

from __future__ import annotations

from collections.abc import Mapping

_SERVERS = {"virtuoso": "virtuoso", "fuseki": "fuseki", "oxigraph": "oxigraph"}
_OWN_FIELDS = {"Fuseki-Request-Id": "fuseki"}


def dialect_of(headers: Mapping[str, str]) -> str | None:
    """The dialect of the product that answered, or None where the fields tell of none."""
    for field, dialect in _OWN_FIELDS.items():
        if field in headers:
            return dialect
    server = headers.get("Server", "").lower()
    return next((dialect for name, dialect in _SERVERS.items() if name in server), None)
