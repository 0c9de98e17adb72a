"""The product of a store, from the header fields of its answers (tested on the products themselves)."""

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
    """A store's name and version, "" if unknown, and its dialect."""

    name: str
    version: str
    dialect: str


def product_of(headers: Mapping[str, str]) -> Product | None:
    """The product that answered, or None if the fields name none."""
    dialect = dialect_of(headers)
    if dialect is None:
        return None
    version = _VERSION.search(headers.get("Server", ""))
    return Product(_NAMES[dialect], version[1] if version else "", dialect)


def dialect_of(headers: Mapping[str, str]) -> str | None:
    """The dialect of the product that answered, or None if the fields name none."""
    for field, dialect in _OWN_FIELDS.items():
        if field in headers:
            return dialect
    server = headers.get("Server", "").lower()
    return next((dialect for dialect in _NAMES if dialect in server), None)


def fuseki_version(body: bytes) -> str:
    """The version in the reply of Fuseki's `/$/server`, "" if there is none."""
    try:
        document = json.loads(body)
    except ValueError:
        return ""
    version = document.get("version", "") if isinstance(document, dict) else ""
    return version if isinstance(version, str) else ""
