"""Which product a store is, told by the header fields of its answers (tested on the products themselves)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

_NAMES = {"virtuoso": "Virtuoso", "fuseki": "Apache Jena Fuseki", "oxigraph": "Oxigraph"}
_OWN_FIELDS = {"Fuseki-Request-Id": "fuseki"}
_VERSION = re.compile(r"(?:virtuoso|fuseki|oxigraph)[/ (]+v?([0-9][\w.-]*)", re.I)


@dataclass(frozen=True, slots=True)
class Product:
    """A store's name and version, "" where it tells none, and the dialect that it understands."""

    name: str
    version: str
    dialect: str


def product_of(headers: Mapping[str, str]) -> Product | None:
    """The product that answered, or None where the fields tell of none."""
    dialect = dialect_of(headers)
    if dialect is None:
        return None
    version = _VERSION.search(headers.get("Server", ""))
    return Product(_NAMES[dialect], version[1] if version else "", dialect)


def dialect_of(headers: Mapping[str, str]) -> str | None:
    """The dialect of the product that answered, or None where the fields tell of none."""
    for field, dialect in _OWN_FIELDS.items():
        if field in headers:
            return dialect
    server = headers.get("Server", "").lower()
    return next((dialect for dialect in _NAMES if dialect in server), None)


def fuseki_version(body: bytes) -> str:
    """The version in what Fuseki's `/$/server` answers, "" where there is none."""
    try:
        document = json.loads(body)
    except ValueError:
        return ""
    version = document.get("version", "") if isinstance(document, dict) else ""
    return version if isinstance(version, str) else ""
