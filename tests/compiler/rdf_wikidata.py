"""Small graphs written as RDF in Wikidata's shape, and programs bound to what is in them.

Beside the graph the store holds what must not be found: deprecated statements with other values,
statements that a value is lacking, and labels in a language that nobody asks for. A value is one node
for all statements. Every fourth label holds in all languages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pyoxigraph as ox

from compilers.grounded import Binding, GroundedProgram
from compilers.kopl.program import Program
from compilers.kopl.values import NO_UNIT, Date, Quantity, String, Value, Year
from compilers.layouts.vocabulary import RDF, RDFS, WIKIBASE, WIKIDATA, XSD
from tests.compiler import rdf
from tests.oracle.graph import AttributeFact, Graph

THING = "Q35120"
CLASSES = ("P31", "P279")
_Node = ox.NamedNode | ox.BlankNode
_Triple = tuple[_Node, str, _Node | ox.Literal]


class _Names:
    """The numbers of items and properties: of a graph always the same."""

    def __init__(self, graph: Graph, base: str, classes: tuple[str, str] = CLASSES) -> None:
        facts = (*graph.attributes, *graph.relations)
        values = [fact.value for fact in graph.attributes]
        values += [value for fact in facts for _, value in fact.qualifiers]
        units = {value.unit for value in values if isinstance(value, Quantity)} - {NO_UNIT}
        words = {fact.attribute for fact in graph.attributes} | {fact.relation for fact in graph.relations}
        words |= {key for fact in facts for key, _ in fact.qualifiers}
        self.base, self.classes = base, classes
        self.items = {key: f"Q{n}" for n, key in enumerate(sorted({*graph.entities, *graph.concepts}), 1001)}
        self.units = {unit: f"{base}entity/Q{n}" for n, unit in enumerate(sorted(units), 2001)}
        self.units[NO_UNIT] = WIKIDATA + "entity/Q199"
        self.properties = {word: f"P{number}" for number, word in enumerate(sorted(words), 1001)}

    def item(self, key: str) -> ox.NamedNode:
        return ox.NamedNode(f"{self.base}entity/{self.items[key]}")

    def property(self, word: str, place: str) -> str:
        return f"{self.base}{place}/{self.properties[word]}"


def iri_of(graph: Graph, base: str = WIKIDATA) -> Callable[[str], str]:
    """The IRI of an entity or a concept by its id in the graph."""
    names = _Names(graph, base)
    return lambda key: str(names.item(key).value)


def as_wikidata(graph: Graph, base: str = WIKIDATA, classes: tuple[str, str] = CLASSES) -> ox.Store:
    """A store that holds the graph in Wikidata's shape, its IRIs behind `base`.

    `classes` are the properties that lead from an entity to its class, and to the class above.
    """
    names = _Names(graph, base, classes)
    store = ox.Store()
    triples = (*_labels(graph, names), *_classes(graph, names), *_properties(names), *_facts(graph, names))
    store.extend(
        ox.Quad(subject, ox.NamedNode(predicate), object_) for subject, predicate, object_ in triples
    )
    return store


def bound(program: Program, graph: Graph, base: str = WIKIDATA, place: str = "entity") -> GroundedProgram:
    """The program with every name bound; properties by one of their forms, such as `prop/direct`."""
    names = _Names(graph, base)
    iris = {rdf.BASE + key: names.item(key).value for key in names.items}
    iris |= {rdf.iri(word): names.property(word, place) for word in names.properties}

    # For an attribute or a qualifier that nothing in the graph has.
    unused = f"{base}{place}/P9999"

    def moved(binding: Binding) -> Binding:
        return replace(
            binding,
            iris=tuple(iris.get(iri, unused) for iri in binding.iris),
            subconcepts=tuple(iris[iri] for iri in binding.subconcepts),
        )

    bindings = rdf.bound(program, graph).bindings
    return GroundedProgram(program, {key: moved(binding) for key, binding in bindings.items()})


def _labels(graph: Graph, names: _Names) -> Iterator[_Triple]:
    things = {names.item(key): item.name for key, item in (*graph.entities.items(), *graph.concepts.items())}
    for number, (node, name) in enumerate(things.items()):
        yield node, RDFS + "label", ox.Literal(name, language="en" if number % 4 else "mul")
        yield node, RDFS + "label", ox.Literal(f"{name}?", language="de")
    for unit, iri in names.units.items():
        yield ox.NamedNode(iri), RDFS + "label", ox.Literal(unit, language="en")
        yield ox.NamedNode(iri), RDFS + "label", ox.Literal(f"{unit}?", language="de")


def _classes(graph: Graph, names: _Names) -> Iterator[_Triple]:
    instance_of, subclass_of = (names.base + f"prop/direct/{number}" for number in names.classes)
    for key, entity in graph.entities.items():
        classes = [names.item(concept) for concept in entity.concepts]
        for item in classes or [ox.NamedNode(f"{names.base}entity/{THING}")]:
            yield names.item(key), instance_of, item
            yield from _statement(
                names, names.classes[0], names.item(key), item, "Normal", f"c{key}{item.value[-4:]}"
            )
    for key, concept in graph.concepts.items():
        for parent in concept.parents:
            yield names.item(key), subclass_of, names.item(parent)


def _properties(names: _Names) -> Iterator[_Triple]:
    for number, word in (*((n, w) for w, n in names.properties.items()), (names.classes[0], "instance of")):
        entity = ox.NamedNode(f"{names.base}entity/{number}")
        yield entity, RDFS + "label", ox.Literal(word, language="en")
        yield entity, RDF + "type", ox.NamedNode(WIKIBASE + "Property")
        for predicate, place in (
            ("claim", "prop"),
            ("directClaim", "prop/direct"),
            ("statementProperty", "prop/statement"),
            ("statementValue", "prop/statement/value"),
            ("qualifier", "prop/qualifier"),
            ("qualifierValue", "prop/qualifier/value"),
        ):
            yield entity, WIKIBASE + predicate, ox.NamedNode(f"{names.base}{place}/{number}")


def _facts(graph: Graph, names: _Names) -> Iterator[_Triple]:
    for count, fact in enumerate((*graph.attributes, *graph.relations)):
        if isinstance(fact, AttributeFact):
            subject, word, value, wrong = fact.entity, fact.attribute, fact.value, _other(fact.value)
        else:
            subject, word, value, wrong = (
                fact.source,
                fact.relation,
                names.item(fact.target),
                names.item(fact.source),
            )
        head = names.item(subject)
        for rank, held in (("Normal", value), ("Deprecated", wrong)) if count % 2 else (("Normal", value),):
            node = f"{count}{rank}"
            yield from _statement(names, names.properties[word], head, held, rank, node)
            for key, qualifier in fact.qualifiers:
                yield from _value(
                    names, names.properties[key], _node(names, node), "prop/qualifier", qualifier
                )
        if count % 3 == 0:
            lacking = _node(names, f"{count}novalue")
            yield head, names.property(word, "prop"), lacking
            yield lacking, WIKIBASE + "rank", ox.NamedNode(WIKIBASE + "NormalRank")
            yield lacking, RDF + "type", ox.NamedNode(names.property(word, "prop/novalue"))


def _statement(
    names: _Names, number: str, head: ox.NamedNode, value: Value | ox.NamedNode, rank: str, key: str
) -> Iterator[_Triple]:
    node = _node(names, key)
    yield head, f"{names.base}prop/{number}", node
    yield node, WIKIBASE + "rank", ox.NamedNode(f"{WIKIBASE}{rank}Rank")
    yield from _value(names, number, node, "prop/statement", value)
    if rank == "Normal":
        yield node, RDF + "type", ox.NamedNode(WIKIBASE + "BestRank")
        simple = value if isinstance(value, ox.NamedNode) else _simple(value)
        yield head, f"{names.base}prop/direct/{number}", simple


def _node(names: _Names, key: str) -> ox.NamedNode:
    return ox.NamedNode(f"{names.base}entity/statement/{key}")


def _value(
    names: _Names, number: str, subject: _Node, place: str, value: Value | ox.NamedNode
) -> Iterator[_Triple]:
    if isinstance(value, ox.NamedNode):
        yield subject, f"{names.base}{place}/{number}", value
        return
    yield subject, f"{names.base}{place}/{number}", _simple(value)
    if isinstance(value, String):
        return
    node = ox.NamedNode(f"{names.base}value/{'-'.join(str(value).split())}{type(value).__name__}")
    yield subject, f"{names.base}{place}/value/{number}", node
    if isinstance(value, Quantity):
        yield node, WIKIBASE + "quantityAmount", _simple(value)
        yield node, WIKIBASE + "quantityUnit", ox.NamedNode(names.units[value.unit])
    else:
        precision = "9" if isinstance(value, Year) else "11"
        yield node, WIKIBASE + "timeValue", _simple(value)
        yield node, WIKIBASE + "timePrecision", _typed(precision, "integer")


def _simple(value: Value) -> ox.Literal:
    match value:
        case String():
            return ox.Literal(value.text)
        case Quantity():
            return _typed(f"{value.number:+}", "decimal")
        case Year() | Date():
            day = value if isinstance(value, Date) else Date(value.year, 1, 1)
            return _typed(f"{day}T00:00:00Z", "dateTime")


def _typed(text: str, datatype: str) -> ox.Literal:
    return ox.Literal(text, datatype=ox.NamedNode(XSD + datatype))


def _other(value: Value) -> Value:
    match value:
        case String():
            return String(value.text + "!")
        case Quantity():
            return replace(value, number=value.number * 2 + 1)
        case Year() | Date():
            return replace(value, year=value.year - 4)
