"""Graphs of the tests in a store, each apart from all others."""

from __future__ import annotations

import hashlib

import pyoxigraph as ox

from benchmarks.stores import Server, triples_of
from connectors import HttpEndpoint
from tests.compiler.rdf import BASE


def holding(server: Server, store: ox.Store) -> HttpEndpoint:
    """A connector that sees what an embedded store holds, its named graphs too, and nothing else."""
    if not any(store.named_graphs()):
        return server.holding(triples_of([quad.triple for quad in store]))
    return _with_named_graphs(server, store)


def _with_named_graphs(server: Server, store: ox.Store) -> HttpEndpoint:
    """The same, the named graphs under names of their own, which no other graph of a test uses."""
    content = b"".join(sorted(f"{quad}\n".encode() for quad in store))
    key = hashlib.sha256(content).hexdigest()[:16]

    def apart(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple) -> object:
        is_graph = isinstance(term, ox.NamedNode) and store.contains_named_graph(term)
        return ox.NamedNode(f"{term.value}-{key}") if is_graph else term

    triples: dict[object, list[ox.Triple]] = {}
    for quad in store:
        triple = ox.Triple(apart(quad.subject), quad.predicate, apart(quad.object))
        triples.setdefault(apart(quad.graph_name), []).append(triple)
    default = triples_of(triples.pop(ox.DefaultGraph()))
    for name, held in triples.items():
        server.put(name.value, triples_of(held))
    return server.holding(default, [name.value for name in triples])
