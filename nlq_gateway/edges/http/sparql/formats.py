"""Formats of SPARQL answers, and which of them a client gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from werkzeug.exceptions import NotAcceptable

from nlq_gateway.edges.http.negotiation import negotiate

JSON = "application/sparql-results+json"
XML = "application/sparql-results+xml"
CSV = "text/csv"
TSV = "text/tab-separated-values"
TURTLE = "text/turtle"
N_TRIPLES = "application/n-triples"
RDF_XML = "application/rdf+xml"
JSON_LD = "application/ld+json"
PLAIN_JSON = "application/json"

TABLES = (JSON, XML, CSV, TSV)
TRUTHS = (JSON, XML)
GRAPHS = (TURTLE, N_TRIPLES, RDF_XML, JSON_LD)
# By the form of the query; the first is for clients that take anything.
OFFERS: Mapping[str, tuple[str, ...]] = {
    "SELECT": (*TABLES, PLAIN_JSON),
    "ASK": (*TRUTHS, PLAIN_JSON),
    "CONSTRUCT": GRAPHS,
    "DESCRIBE": GRAPHS,
}
# Names in the parameters `format`, `output` and `results`, as SPARQLWrapper, Virtuoso and Fuseki know them.
NAMES: Mapping[str, tuple[str, ...]] = {
    "json": (JSON, JSON_LD),
    "xml": (XML, RDF_XML),
    "csv": (CSV,),
    "tsv": (TSV,),
    **dict.fromkeys(("turtle", "ttl", "n3"), (TURTLE,)),
    **dict.fromkeys(("nt", "ntriples", "n-triples"), (N_TRIPLES,)),
    **dict.fromkeys(("rdf", "rdfxml", "rdf+xml"), (RDF_XML,)),
    **dict.fromkeys(("jsonld", "json-ld"), (JSON_LD,)),
    **{media_type: (media_type,) for media_type in (*TABLES, *GRAPHS)},
    PLAIN_JSON: (JSON, JSON_LD),
    "auto": (),
}


def wanted(offers: Sequence[str], formats: Sequence[str]) -> str:
    """Return the offer that the parameters name, else the one that Accept prefers.

    Clients send a format of tables with every query; a format for another kind of query is ignored.

    Raises:
        NotAcceptable: an unknown format, or none that Accept takes.
    """
    for name in formats:
        # In an address, the `+` of a media type decodes to a blank.
        known = NAMES.get(name.lower().replace(" ", "+"))
        if known is None:
            raise NotAcceptable(f"the format {name[:50]!r} is not known; this query has {', '.join(offers)}")
        for media_type in known:
            if media_type in offers:
                return media_type
    found = negotiate(offers)
    return JSON if found == PLAIN_JSON else found
