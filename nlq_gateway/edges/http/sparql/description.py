"""The description of `/sparql` (SPARQL 1.1 Service Description)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pyoxigraph as ox

from connectors.formats import GRAPH_FORMATS
from nlq_gateway.edges.http.sparql.formats import CSV, JSON, JSON_LD, N_TRIPLES, RDF_XML, TSV, TURTLE, XML
from nlq_gateway.settings import EndpointSettings

_SD = "http://www.w3.org/ns/sparql-service-description#"
_FORMATS = "http://www.w3.org/ns/formats/"
_TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
_PREFIXES = {"sd": _SD, "formats": _FORMATS}
# The W3C's names of formats.
_NAMES: Mapping[str, str] = {
    JSON: "SPARQL_Results_JSON",
    XML: "SPARQL_Results_XML",
    CSV: "SPARQL_Results_CSV",
    TSV: "SPARQL_Results_TSV",
    TURTLE: "Turtle",
    N_TRIPLES: "N-Triples",
    RDF_XML: "RDF_XML",
    JSON_LD: "JSON-LD",
}


def description(settings: EndpointSettings, address: str, media_type: str) -> bytes:
    """The description of an endpoint at this address, in a format of RDF graphs."""
    written = ox.serialize(_triples(settings, address), format=GRAPH_FORMATS[media_type], prefixes=_PREFIXES)
    assert written is not None
    return written


def _triples(settings: EndpointSettings, address: str) -> Iterator[ox.Triple]:
    service = ox.BlankNode("service")
    yield ox.Triple(service, _TYPE, _sd("Service"))
    yield ox.Triple(service, _sd("endpoint"), ox.NamedNode(address))
    yield ox.Triple(service, _sd("supportedLanguage"), _sd("SPARQL11Query"))
    for name in _NAMES.values():
        yield ox.Triple(service, _sd("resultFormat"), ox.NamedNode(_FORMATS + name))
    if settings.services:
        yield ox.Triple(service, _sd("feature"), _sd("BasicFederatedQuery"))
    for function in settings.functions:
        if not function.endswith(("/", "#")):
            yield ox.Triple(service, _sd("extensionFunction"), ox.NamedNode(function))
    if settings.data:
        yield ox.Triple(service, _sd("feature"), _sd("UnionDefaultGraph"))
    yield from _graphs(settings, service)


def _graphs(settings: EndpointSettings, service: ox.BlankNode) -> Iterator[ox.Triple]:
    """The dataset of a query that names none, and the graphs that one may name; none if the store decides."""
    graphs = dict.fromkeys((*settings.default_graphs, *settings.named_graphs))
    if not graphs:
        return
    dataset, default, available = (ox.BlankNode(name) for name in ("dataset", "default", "available"))
    yield ox.Triple(service, _sd("defaultDataset"), dataset)
    yield ox.Triple(dataset, _TYPE, _sd("Dataset"))
    yield ox.Triple(dataset, _sd("defaultGraph"), default)
    yield ox.Triple(default, _TYPE, _sd("Graph"))
    yield ox.Triple(service, _sd("availableGraphs"), available)
    yield ox.Triple(available, _TYPE, _sd("GraphCollection"))
    for number, graph in enumerate(graphs):
        named = ox.BlankNode(f"graph{number}")
        yield ox.Triple(named, _TYPE, _sd("NamedGraph"))
        yield ox.Triple(named, _sd("name"), ox.NamedNode(graph))
        yield ox.Triple(available, _sd("namedGraph"), named)
        if graph in settings.named_graphs:
            yield ox.Triple(dataset, _sd("namedGraph"), named)


def _sd(name: str) -> ox.NamedNode:
    return ox.NamedNode(_SD + name)
