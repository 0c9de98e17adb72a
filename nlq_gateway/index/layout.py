"""Which layout a graph is written in, by what it contains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from compilers.layouts.vocabulary import PRED, RDF, WIKIBASE
from connectors.base import Connector
from connectors.errors import EndpointRefusedQuery, EndpointTimeout
from nlq_gateway.index.introspect.reader import WRITABLE
from nlq_gateway.index.manifest import Layout

_TIMEOUT_MS = 10_000
_SAMPLE = 1_000
_LOOKED_AT = 3

# In this order: the first sign that the graph shows decides. Not every store knows how to ask for the quoted
# triples of RDF-star; one that answers by SPARQL 1.2 holds them as RDF 1.2 does.
_SIGNS: tuple[tuple[Layout, str], ...] = (
    ("kqapro", f"?s <{PRED}fact_h> ?o"),
    ("kqapro", f"?s <{PRED}instance_of> ?o"),
    ("wikidata", f"?property <{WIKIBASE}statementProperty> ?leads"),
    ("rdf12", f"?node <{RDF}reifies> ?triple"),
    ("reification", f"?node <{RDF}subject> ?s ; <{RDF}predicate> ?p ; <{RDF}object> ?o"),
    ("singleton", f"?node <{RDF}singletonPropertyOf> ?p"),
    ("rdf_star", "<< ?s ?p ?o >> ?q ?v"),
)


def detect_layout(connector: Connector) -> Layout:
    """The layout whose sign the graph shows, else `direct`: at most ten small queries.

    A store that refuses one of them, or needs too long for it, does not show that sign.

    Raises:
        EndpointError: the store is down.
    """
    for layout, sign in _SIGNS:
        if _holds(connector, sign):
            return layout
    return "graph_per_fact" if _has_graphs_of_facts(connector) else "direct"


def _holds(connector: Connector, pattern: str) -> bool:
    try:
        return bool(connector.query(f"ASK {{ {pattern} }}", timeout_ms=_TIMEOUT_MS).boolean)
    except (EndpointRefusedQuery, EndpointTimeout):
        return False


def _has_graphs_of_facts(connector: Connector) -> bool:
    """Whether some of the named graphs hold one triple each, and something is said about them."""
    rows = _iris(connector, f"SELECT ?g WHERE {{ GRAPH ?g {{ ?s ?p ?o }} }} LIMIT {_SAMPLE}")
    once = [graph for graph, times in Counter(rows).items() if times == 1]
    if not once:
        return False
    graphs = " ".join(f"<{graph}>" for graph in once)
    described = f"VALUES ?g {{ {graphs} }} ?g ?q ?v"
    some = _iris(connector, f"SELECT DISTINCT ?g WHERE {{ {described} }} LIMIT {_LOOKED_AT}")
    return bool(some) and all(_holds_one_triple(connector, graph) for graph in some)


def _holds_one_triple(connector: Connector, graph: str) -> bool:
    inside = f"GRAPH <{graph}> {{ ?s ?p ?o }}"
    return len(connector.query(f"SELECT ?s WHERE {{ {inside} }} LIMIT 2", timeout_ms=_TIMEOUT_MS).rows) == 1


def _iris(connector: Connector, text: str) -> Sequence[str]:
    try:
        found = connector.query(text, timeout_ms=_TIMEOUT_MS).column("g")
    except (EndpointRefusedQuery, EndpointTimeout):
        return ()
    return [term.value for term in found if term.kind == "iri" and WRITABLE.fullmatch(term.value)]
