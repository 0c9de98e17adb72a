"""A sheet as an RDF graph: a node for each row, a property for each column, things by their IRIs with labels.

Source: W3C, Generating RDF from Tabular Data on the Web, 4 (minimal mode); labels are added.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote

import pyoxigraph as ox

from compilers.layouts.vocabulary import RDFS, XSD
from connectors.formats import GRAPH_FORMATS
from nlq_gateway.client.sheet import Sheet, SheetColumn

_LABEL = ox.NamedNode(f"{RDFS}label")
# The datatypes of a column's type, with the texts that they accept; other texts are strings.
_DATATYPES: Mapping[str, tuple[tuple[str, re.Pattern[str]], ...]] = {
    "number": (
        ("integer", re.compile(r"-?\d+")),
        ("decimal", re.compile(r"-?\d*\.\d+")),
        ("double", re.compile(r"-?\d+(\.\d+)?[eE][+-]?\d+")),
    ),
    "date": (
        ("date", re.compile(r"-?\d{4,}-\d\d-\d\d")),
        ("dateTime", re.compile(r"-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d")),
    ),
    "year": (("gYear", re.compile(r"-?\d{4,}")),),
}


def graph(sheet: Sheet, address: str, media_type: str) -> bytes:
    """The sheet in a format of RDF graphs; `address` is that of the table, whose columns are its parts."""
    prefixes = {"": f"{address}#", "rdfs": RDFS, "xsd": XSD}
    written = ox.serialize(_triples(sheet, address), format=GRAPH_FORMATS[media_type], prefixes=prefixes)
    assert written is not None
    return written


def _triples(sheet: Sheet, address: str) -> Iterator[ox.Triple]:
    labelled: set[tuple[str, str]] = set()
    properties = [ox.NamedNode(f"{address}#{quote(column.name, safe='')}") for column in sheet.columns]
    for number, row in enumerate(sheet.rows):
        node = ox.BlankNode(f"row{number + 1}")
        for column, property_, text in zip(sheet.columns, properties, row, strict=True):
            iri = column.iris[number] if column.iris else ""
            if thing := _named(iri):
                yield ox.Triple(node, property_, thing)
                if (iri, text) not in labelled:
                    labelled.add((iri, text))
                    yield ox.Triple(thing, _LABEL, ox.Literal(text))
            elif text:
                yield ox.Triple(node, property_, _literal(column, text))


def _named(iri: str) -> ox.NamedNode | None:
    """The node of an IRI; None without one, or if it is invalid by RFC 3987, as in some stores."""
    try:
        return ox.NamedNode(iri) if iri else None
    except ValueError:
        return None


def _literal(column: SheetColumn, text: str) -> ox.Literal:
    for name, pattern in _DATATYPES.get(column.type, ()):
        if pattern.fullmatch(text):
            return ox.Literal(text, datatype=ox.NamedNode(XSD + name))
    return ox.Literal(text)
