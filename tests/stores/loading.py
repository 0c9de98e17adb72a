"""Graphs of the tests in a store, each apart from all others."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from benchmarks.stores import Server, graph_of, triples_of, triples_of_files
from connectors import HttpEndpoint
from nlq_gateway.answering import Pipeline
from nlq_gateway.settings import EndpointSettings, Settings


@contextmanager
def opened_at(server: Server, data: Path) -> Iterator[Pipeline]:
    """A gateway over what a file says in plain triples, held by the store."""
    triples = triples_of_files([data])
    source = {
        "id": data.stem,
        "url": server.query,
        "auth": server.settings,
        "default_graphs": [graph_of(triples)],
        "layout": "direct",
        "dialect": server.holding(triples).dialect,
    }
    endpoint = EndpointSettings.model_validate(source)
    with closing(Pipeline(Settings(endpoints=(endpoint,)))) as gateway:
        gateway.endpoint(None).prepare()
        yield gateway


def holding(server: Server, store: ox.Store) -> HttpEndpoint:
    """A connector that sees what an embedded store holds, its named graphs too, and nothing else."""
    if not any(store.named_graphs()):
        return server.holding(triples_of([quad.triple for quad in store]))
    return _with_named_graphs(server, store)


def _with_named_graphs(server: Server, store: ox.Store) -> HttpEndpoint:
    """The same, the named graphs under names of their own, which no other graph of a test uses."""
    content = b"".join(sorted(f"{quad}\n".encode() for quad in store))
    key = hashlib.sha256(content).hexdigest()[:16]

    def apart(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple) -> Any:
        is_graph = isinstance(term, ox.NamedNode) and store.contains_named_graph(term)
        return ox.NamedNode(f"{term.value}-{key}") if is_graph else term

    triples: dict[Any, list[ox.Triple]] = {}
    for quad in store:
        triple = ox.Triple(apart(quad.subject), quad.predicate, apart(quad.object))
        triples.setdefault(apart(quad.graph_name), []).append(triple)
    default = triples_of(triples.pop(ox.DefaultGraph()))
    _put(server, triples)
    return server.holding(default, [name.value for name in triples])


def _put(server: Server, graphs: dict[Any, list[ox.Triple]]) -> None:
    """One request where the store takes quads: a transaction for each graph takes Fuseki 30 ms."""
    if server.quads:
        quads = (ox.Quad(*triple, name) for name, held in graphs.items() for triple in held)
        server.add(ox.serialize(quads, format=ox.RdfFormat.N_QUADS))
        return
    for name, held in graphs.items():
        server.put(name.value, triples_of(held))
