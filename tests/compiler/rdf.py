"""Small graphs written as RDF in the shapes of the layouts, and programs bound to what is in them.

kqapro: a quantity, text or time is one node per entity, attribute and value, which all facts about it
share. Concepts without members are left out beforehand (`for_kqapro`): the shape cannot tell them from
entities. direct: no qualifiers, and one unit per attribute (`for_direct`), because a plain number
carries no unit of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pyoxigraph as ox

from compilers.answers import Answer
from compilers.compile import CompiledQuery
from compilers.grounded import Binding, GroundedProgram
from compilers.kopl.functions import SCHEMA_KINDS, Kind
from compilers.kopl.program import Program
from compilers.kopl.units import conversion_factor
from compilers.kopl.values import Date, Quantity, String, Value, Year
from compilers.layouts.vocabulary import OWL, PRED, RDF, RDFS, XSD
from compilers.read_answers import read_answer
from connectors.reading import read_json
from connectors.results import Result
from tests.oracle.calculation import commonest_units
from tests.oracle.graph import AttributeFact, Graph, RelationFact

BASE = "http://kqapro.example/"


def iri(name: str) -> str:
    """The IRI of an entity, a concept, a relation, an attribute or a qualifier."""
    return BASE + name.replace(" ", "_")


def for_kqapro(graph: Graph) -> Graph:
    """Without the concepts that have no members."""
    used = graph.with_ancestors(c for entity in graph.entities.values() for c in entity.concepts)
    return replace(graph, concepts={key: graph.concepts[key] for key in graph.concepts if key in used})


def without_conversions(graph: Graph) -> Graph:
    """Without the quantities in units that convert to another: bare names know of no other units."""
    units = {value.unit for value in _all_values(graph) if isinstance(value, Quantity)}
    kept = {unit for unit in units if not any(conversion_factor(unit, u) for u in units if u < unit)}

    def keep(value: Value) -> bool:
        return not isinstance(value, Quantity) or value.unit in kept

    def qualifiers(fact: AttributeFact | RelationFact) -> frozenset[tuple[str, Value]]:
        return frozenset((key, value) for key, value in fact.qualifiers if keep(value))

    return replace(
        graph,
        attributes=frozenset(replace(f, qualifiers=qualifiers(f)) for f in graph.attributes if keep(f.value)),
        relations=frozenset(replace(f, qualifiers=qualifiers(f)) for f in graph.relations),
    )


def for_direct(graph: Graph) -> Graph:
    """With each attribute's quantities in one unit; the qualifiers stay for the programs to ask about."""
    units: dict[str, str] = {}
    for fact in graph.attributes:
        if isinstance(fact.value, Quantity):
            units[fact.attribute] = min(units.get(fact.attribute, fact.value.unit), fact.value.unit)
    facts = (
        replace(fact, value=replace(fact.value, unit=units[fact.attribute]))
        if isinstance(fact.value, Quantity)
        else fact
        for fact in graph.attributes
    )
    return replace(graph, attributes=frozenset(facts))


def _all_values(graph: Graph) -> Iterator[Value]:
    for fact in graph.attributes:
        yield fact.value
    for other in (*graph.attributes, *graph.relations):
        yield from (value for _, value in other.qualifiers)


def as_kqapro(graph: Graph) -> ox.Store:
    """A store that holds the graph in KQA Pro's shape."""
    triples: list[tuple[ox.NamedNode | ox.BlankNode, str, ox.NamedNode | ox.BlankNode | ox.Literal]] = []
    for key, item in (*graph.entities.items(), *graph.concepts.items()):
        triples.append((_node(key), PRED + "name", ox.Literal(item.name)))
    for key, entity in graph.entities.items():
        for concept in graph.with_ancestors(entity.concepts):
            triples.append((_node(key), PRED + "instance_of", _node(concept)))
    values: dict[tuple[str, str, Value], ox.BlankNode] = {}

    def value_node(subject: str, key: str, value: Value) -> ox.BlankNode:
        if (subject, key, value) not in values:
            values[subject, key, value] = node = ox.BlankNode(f"v{len(values)}")
            triples.extend((node, PRED + part, term) for part, term in _parts(value))
        return values[subject, key, value]

    for number, fact in enumerate((*graph.attributes, *graph.relations)):
        if isinstance(fact, AttributeFact):
            head, name = _node(fact.entity), fact.attribute
            tail: ox.NamedNode | ox.BlankNode = value_node(fact.entity, name, fact.value)
        else:
            head, name, tail = _node(fact.source), fact.relation, _node(fact.target)
        node = ox.BlankNode(f"f{number}")
        triples.append((head, iri(name), tail))
        triples.extend(((node, PRED + "fact_h", head), (node, PRED + "fact_t", tail)))
        triples.append((node, PRED + "fact_r", ox.NamedNode(iri(name))))
        triples.extend((node, iri(key), value_node(node.value, key, value)) for key, value in fact.qualifiers)
    return _store(triples)


def as_direct(graph: Graph) -> ox.Store:
    """A store that holds the graph as plain RDF, its labels in English, its facts without qualifiers."""
    return _store([*schema_triples(graph), *((s, p.value, o) for s, p, o in map(triple_of, facts_of(graph)))])


def facts_of(graph: Graph) -> tuple[AttributeFact | RelationFact, ...]:
    """All facts, each once."""
    return (*graph.attributes, *graph.relations)


def schema_triples(graph: Graph) -> list[tuple[ox.NamedNode, str, ox.NamedNode | ox.Literal]]:
    """Labels in English, classes, and what class is below which."""
    triples: list[tuple[ox.NamedNode, str, ox.NamedNode | ox.Literal]] = []
    for key, item in (*graph.entities.items(), *graph.concepts.items()):
        triples.append((_node(key), RDFS + "label", ox.Literal(item.name, language="en")))
    for key, entity in graph.entities.items():
        classes = [_node(concept) for concept in entity.concepts] or [ox.NamedNode(OWL + "Thing")]
        triples.extend((_node(key), RDF + "type", concept) for concept in classes)
    for key, concept in graph.concepts.items():
        triples.append((_node(key), RDF + "type", ox.NamedNode(OWL + "Class")))
        triples.extend((_node(key), RDFS + "subClassOf", _node(parent)) for parent in concept.parents)
    return triples


def triple_of(
    fact: AttributeFact | RelationFact,
) -> tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode | ox.Literal]:
    """The fact as plain RDF states it."""
    if isinstance(fact, AttributeFact):
        return _node(fact.entity), ox.NamedNode(iri(fact.attribute)), literal(fact.value)
    return _node(fact.source), ox.NamedNode(iri(fact.relation)), _node(fact.target)


def _node(key: str) -> ox.NamedNode:
    return ox.NamedNode(BASE + key)


def _store(triples: list) -> ox.Store:
    store = ox.Store()
    store.extend(
        ox.Quad(subject, ox.NamedNode(predicate), object_) for subject, predicate, object_ in triples
    )
    return store


def _typed(text: str, datatype: str) -> ox.Literal:
    return ox.Literal(text, datatype=ox.NamedNode(XSD + datatype))


def _parts(value: Value) -> tuple[tuple[str, ox.Literal], ...]:
    match value:
        case Quantity():
            return ("value", _typed(repr(value.number), "double")), ("unit", ox.Literal(value.unit))
        case Year():
            return (("year", _typed(str(value.year), "integer")),)
        case Date():
            return ("year", _typed(str(value.year), "integer")), ("date", _typed(str(value), "date"))
        case String():
            return (("value", ox.Literal(value.text)),)


def literal(value: Value) -> ox.Literal:
    """The value as plain RDF states it, without its unit."""
    match value:
        case Quantity():
            whole = value.number == int(value.number)
            return _typed(
                str(int(value.number)) if whole else repr(value.number), "integer" if whole else "double"
            )
        case Year():
            return _typed(f"{'-' * (value.year < 0)}{abs(value.year):04d}", "gYear")
        case Date():
            return _typed(str(value), "dateTime" if value.second else "date")
        case String():
            return ox.Literal(value.text)


def asks_for_qualifiers(program: Program) -> bool:
    """True if a step takes a qualifier, which plain RDF does not have."""
    kinds = {parameter.kind for step in program.steps for parameter in step.signature.parameters}
    return Kind.QUALIFIER in kinds


def mixes_concepts_in(program: Program, graph: Graph) -> bool:
    """True if FindAll has to keep out a concept that Find names; the compiler leaves it in."""
    concepts = {concept.name for concept in graph.concepts.values()}
    named = any(step.function == "Find" and step.inputs[0] in concepts for step in program.steps)
    return named and any(step.function == "FindAll" for step in program.steps)


def bound(program: Program, graph: Graph) -> GroundedProgram:
    """The program with every name bound to what bears it; names that nothing bears stay bare."""
    bindings: dict[tuple[int, int], Binding] = {}
    for index, step in enumerate(program.steps):
        for position, parameter in enumerate(step.signature.parameters):
            found = _binding(graph, parameter.kind, step.inputs[position])
            if found is not None:
                bindings[index, position] = found
    return GroundedProgram(program, bindings)


def _binding(graph: Graph, kind: Kind, name: str) -> Binding | None:
    if kind == Kind.ENTITY:
        nodes = sorted(graph.nodes_by_name.get(name, ()))
        return Binding(tuple(BASE + node for node in nodes), name) if nodes else None
    if kind == Kind.CONCEPT:
        same = {key for key, concept in graph.concepts.items() if concept.name == name}
        below = {key for key in graph.concepts if graph.with_ancestors([key]) & same} - same
        return Binding(_iris(same), name, subconcepts=_iris(below)) if same else None
    if kind not in SCHEMA_KINDS:
        return None
    values = {Kind.ATTRIBUTE: _attribute_values, Kind.QUALIFIER: _qualifier_values}.get(kind)
    held = list(values(graph, name)) if values else []
    types = {Kind.ATTRIBUTE: graph.attribute_types, Kind.QUALIFIER: graph.qualifier_types}.get(kind, {})
    return Binding((iri(name),), name, (), types.get(name, ()), commonest_units(held))


def _iris(keys: set[str]) -> tuple[str, ...]:
    return tuple(BASE + key for key in sorted(keys))


def _attribute_values(graph: Graph, name: str) -> Iterator[Value]:
    return (fact.value for fact in graph.by_attribute.get(name, ()))


def _qualifier_values(graph: Graph, name: str) -> Iterator[Value]:
    facts = (*graph.attributes, *graph.relations)
    return (value for fact in facts for key, value in fact.qualifiers if key == name)


def run(store: ox.Store, text: str) -> Result:
    """The result of a SELECT as a connector gives it."""
    body = store.query(text).serialize(format=ox.QueryResultsFormat.JSON)
    return read_json(body, max_rows=100_000, endpoint="test")


def answer(store: ox.Store, query: CompiledQuery) -> Answer:
    """The answer that the store gives to a compiled program."""
    result = run(store, query.text)
    return read_answer(query, result.columns, result.rows)
