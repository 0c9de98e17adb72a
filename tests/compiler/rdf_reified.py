"""Small graphs written as RDF in the layouts that say something about plain triples.

Each attribute and each qualifier has one unit (`for_reified`), because a plain number carries none. In
`rdf_star` facts that state the same are one fact, with the qualifiers of all of them (`for_rdf_star`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import pyoxigraph as ox

from compilers.kopl.values import Quantity
from compilers.layouts.vocabulary import RDF
from tests.compiler.rdf import BASE, facts_of, for_direct, iri, literal, schema_triples, triple_of
from tests.oracle.graph import AttributeFact, Graph, Qualifiers, RelationFact

Fact = AttributeFact | RelationFact
FACT_CLASS = BASE + "Fact"


def for_reified(graph: Graph) -> Graph:
    """With the quantities of each attribute and of each qualifier in one unit."""
    graph = for_direct(graph)
    units: dict[str, str] = {}
    for fact in facts_of(graph):
        for key, value in fact.qualifiers:
            if isinstance(value, Quantity):
                units[key] = min(units.get(key, value.unit), value.unit)

    def in_one_unit(qualifiers: Qualifiers) -> Qualifiers:
        return frozenset(
            (key, replace(value, unit=units[key]) if isinstance(value, Quantity) else value)
            for key, value in qualifiers
        )

    return replace(
        graph,
        attributes=frozenset(replace(f, qualifiers=in_one_unit(f.qualifiers)) for f in graph.attributes),
        relations=frozenset(replace(f, qualifiers=in_one_unit(f.qualifiers)) for f in graph.relations),
    )


def for_rdf_star(graph: Graph) -> Graph:
    """With one fact for each triple."""
    graph = for_reified(graph)
    return replace(
        graph,
        attributes=frozenset(_merged(graph.attributes)),
        relations=frozenset(_merged(graph.relations)),
    )


def _merged(facts: Iterable[Fact]) -> Iterator[Fact]:
    qualifiers: dict[Fact, Qualifiers] = {}
    for fact in facts:
        bare = replace(fact, qualifiers=frozenset())
        qualifiers[bare] = qualifiers.get(bare, frozenset()) | fact.qualifiers
    return (replace(fact, qualifiers=found) for fact, found in qualifiers.items())


def as_reification(graph: Graph) -> ox.Store:
    """A store with an `rdf:Statement` for each fact."""
    return _with_nodes(graph, ox.BlankNode, _statement, plain=True)


def as_statements_alone(graph: Graph) -> ox.Store:
    """The same without the facts' triples."""
    return _with_nodes(graph, ox.BlankNode, _statement, plain=False)


def as_rdf12(graph: Graph) -> ox.Store:
    """A store with a reifier for each fact."""
    return _with_nodes(graph, ox.BlankNode, _reifier, plain=True)


def as_singleton(graph: Graph) -> ox.Store:
    """A store with a predicate for each fact."""
    return _with_nodes(graph, lambda name: ox.NamedNode(f"{BASE}predicate-{name}"), _singleton, plain=False)


def as_graph_per_fact(graph: Graph) -> ox.Store:
    """A store with a named graph for each fact."""
    return _with_nodes(graph, _graph_name, _named_graph, plain=False)


def as_graph_per_fact_among_others(graph: Graph) -> ox.Store:
    """The same, the facts' graphs being told by their class from one that is not of this data."""
    store = as_graph_per_fact(graph)
    for node in store.named_graphs():
        store.add(ox.Quad(node, ox.NamedNode(RDF + "type"), ox.NamedNode(FACT_CLASS)))
    for head in graph.entities:
        for fact in facts_of(graph):
            _, predicate, tail = triple_of(fact)
            store.add(ox.Quad(ox.NamedNode(BASE + head), predicate, tail, _graph_name("other")))
    return store


def as_rdf_star(graph: Graph) -> ox.Store:
    """A store that has read `s p o . << s p o >> q v .`; for facts that `for_rdf_star` made one."""
    lines: list[str] = []
    for subject, predicate, object_ in schema_triples(graph):
        lines.append(f"{subject} <{predicate}> {object_} .")
    for fact in facts_of(graph):
        triple = " ".join(map(str, triple_of(fact)))
        lines.append(f"{triple} .")
        pairs = " ; ".join(f"<{iri(key)}> {literal(value)}" for key, value in fact.qualifiers)
        if pairs:
            lines.append(f"<< {triple} >> {pairs} .")
    store = ox.Store()
    store.load("\n".join(lines).encode(), format=ox.RdfFormat.TURTLE)
    return store


def _with_nodes(
    graph: Graph,
    node_of: Callable[[str], ox.NamedNode | ox.BlankNode],
    state: Callable[..., Iterable[ox.Quad]],
    *,
    plain: bool,
) -> ox.Store:
    store = ox.Store()
    store.extend(ox.Quad(s, ox.NamedNode(p), o) for s, p, o in schema_triples(graph))
    for number, fact in enumerate(facts_of(graph)):
        node, triple = node_of(f"f{number}"), triple_of(fact)
        if plain:
            store.add(ox.Quad(*triple))
        store.extend(state(node, *triple))
        store.extend(ox.Quad(node, ox.NamedNode(iri(k)), literal(value)) for k, value in fact.qualifiers)
    return store


def _graph_name(name: str) -> ox.NamedNode:
    return ox.NamedNode(f"{BASE}graph-{name}")


def _statement(
    node: ox.BlankNode, head: ox.NamedNode, predicate: ox.NamedNode, tail: ox.NamedNode | ox.Literal
) -> Iterator[ox.Quad]:
    parts = {"type": ox.NamedNode(RDF + "Statement"), "subject": head, "predicate": predicate, "object": tail}
    return (ox.Quad(node, ox.NamedNode(RDF + part), term) for part, term in parts.items())


def _reifier(
    node: ox.BlankNode, head: ox.NamedNode, predicate: ox.NamedNode, tail: ox.NamedNode | ox.Literal
) -> Iterator[ox.Quad]:
    yield ox.Quad(node, ox.NamedNode(RDF + "reifies"), ox.Triple(head, predicate, tail))


def _singleton(
    node: ox.NamedNode, head: ox.NamedNode, predicate: ox.NamedNode, tail: ox.NamedNode | ox.Literal
) -> Iterator[ox.Quad]:
    yield ox.Quad(head, node, tail)
    yield ox.Quad(node, ox.NamedNode(RDF + "type"), ox.NamedNode(RDF + "SingletonProperty"))
    yield ox.Quad(node, ox.NamedNode(RDF + "singletonPropertyOf"), predicate)


def _named_graph(
    node: ox.NamedNode, head: ox.NamedNode, predicate: ox.NamedNode, tail: ox.NamedNode | ox.Literal
) -> Iterator[ox.Quad]:
    yield ox.Quad(head, predicate, tail, node)
