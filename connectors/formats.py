"""The serialisation for a client: its Accept field against the available formats (RFC 9110, 12.5.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import pyoxigraph as ox

from connectors.errors import EndpointRefusedQuery

Format = TypeVar("Format")

# The first of each is for a client that accepts anything.
RESULT_FORMATS: Mapping[str, ox.QueryResultsFormat] = {
    "application/sparql-results+json": ox.QueryResultsFormat.JSON,
    "application/json": ox.QueryResultsFormat.JSON,
    "application/sparql-results+xml": ox.QueryResultsFormat.XML,
    "application/xml": ox.QueryResultsFormat.XML,
    "text/csv": ox.QueryResultsFormat.CSV,
    "text/tab-separated-values": ox.QueryResultsFormat.TSV,
}
GRAPH_FORMATS: Mapping[str, ox.RdfFormat] = {
    "text/turtle": ox.RdfFormat.TURTLE,
    "application/n-triples": ox.RdfFormat.N_TRIPLES,
    "application/rdf+xml": ox.RdfFormat.RDF_XML,
    "application/ld+json": ox.RdfFormat.JSON_LD,
}


def choose(accept: str, formats: Mapping[str, Format]) -> tuple[str, Format]:
    """The media type and format that the client likes best; the first one when it names none.

    Raises:
        EndpointRefusedQuery: it accepts none of them.
    """
    ranges = _ranges(accept)
    if not ranges:
        return next(iter(formats.items()))
    weights = {media_type: _weight(media_type, ranges) for media_type in formats}
    best = max(weights, key=lambda media_type: weights[media_type])
    if weights[best] <= 0:
        raise EndpointRefusedQuery(
            f"the answer cannot be given as {accept:.200}", hint=f"this query's formats: {', '.join(formats)}"
        )
    return best, formats[best]


def _ranges(accept: str) -> dict[str, float]:
    """Media range to weight, 0 to 1."""
    found = {}
    for item in accept.split(","):
        media_range, *parameters = (part.strip().lower() for part in item.split(";"))
        if media_range:
            weights = [parameter[2:] for parameter in parameters if parameter.startswith("q=")]
            found[media_range] = _number(weights[0]) if weights else 1.0
    return found


def _number(text: str) -> float:
    try:
        return min(max(float(text), 0.0), 1.0)
    except ValueError:
        return 0.0


def _weight(media_type: str, ranges: Mapping[str, float]) -> float:
    """The weight of the most specific range that names the type."""
    for media_range in (media_type, f"{media_type.partition('/')[0]}/*", "*/*"):
        if media_range in ranges:
            return ranges[media_range]
    return 0.0
