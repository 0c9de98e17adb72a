"""The graph of a laboratory that describes itself, and what an index of it says, in a readable form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index import Index

GRAPH = Path(__file__).parent / "fixtures" / "described" / "graph.ttl"


def shown(index: Index) -> dict[str, Any]:
    """The schema by kind and IRI, without what is empty."""
    found: dict[str, Any] = {}
    for item in sorted(index.schema, key=lambda one: (one.kind, one.iri)):
        found.setdefault(item.kind.value, {})[_short(item.iri)] = _fields(item)
    return found


def _fields(item: SchemaItem) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "label": item.label,
        "count": item.count,
        "aliases": list(item.aliases),
        "description": item.description,
        "domains": [[_short(iri), count] for iri, count in item.domains],
        "ranges": [[_short(iri), count] for iri, count in item.ranges],
        "value_types": [one.value for one in item.value_types],
        "units": list(item.units),
        "examples": list(item.examples),
        "functional": item.functional,
        "inverse": [_short(iri) for iri in item.inverse],
    }
    return {name: one for name, one in fields.items() if one}


def _short(iri: str) -> str:
    return iri.rpartition("/")[2]
