"""Introspection of the direct layout: facts are triples, values are literals.

Classes are the objects of `rdf:type` and what is declared as a class; a relation is a predicate with IRIs
as objects, an attribute one with literals; a predicate may be both. A class that nothing is stated to be
counts the members of the classes below it, those of two of them twice.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection

from compilers.kopl.functions import Kind, ValueType
from compilers.layouts.vocabulary import OWL, RDF, RDFS, SCHEMA, SKOS, XSD
from connectors.results import Term
from nlq_gateway.index.hierarchy import Hierarchy
from nlq_gateway.index.introspect.entities import EntityList
from nlq_gateway.index.introspect.names import Names, named
from nlq_gateway.index.introspect.reader import (
    FACTS,
    Counts,
    Introspection,
    Reader,
    integer,
    value,
    values_block,
)
from nlq_gateway.index.introspect.usage import TypeCounts, Usage, decimal, read_usage, shorten
from nlq_gateway.index.manifest import LabelSettings
from nlq_gateway.index.text import name_from_iri, schema_name_from_iri
from nlq_gateway.types import EntityItem, SchemaItem

_TYPE = RDF + "type"
_SUBCLASS = RDFS + "subClassOf"
_VOCABULARIES = (RDF, RDFS, OWL, "http://www.w3.org/ns/shacl#")
_STRUCTURE = frozenset(
    SKOS + name
    for name in (
        *("broader", "narrower", "related", "broaderTransitive", "narrowerTransitive", "semanticRelation"),
        *("inScheme", "topConceptOf", "hasTopConcept", "member", "memberList", "mappingRelation"),
        *("exactMatch", "closeMatch", "broadMatch", "narrowMatch", "relatedMatch", "hiddenLabel"),
    )
)
_DECLARATIONS = (OWL + "Class", RDFS + "Class")
_EVERYTHING = frozenset((OWL + "Thing", OWL + "NamedIndividual", RDFS + "Resource"))
_UNIT_PREDICATES = (
    *("http://qudt.org/schema/qudt/unit", "http://qudt.org/schema/qudt/hasUnit"),
    *(f"{space}{name}" for space in (SCHEMA, "https://schema.org/") for name in ("unitText", "unitCode")),
)

_SHAPES = {Kind.RELATION: "FILTER(isIRI(?o))", Kind.ATTRIBUTE: "FILTER(isLiteral(?o))"}

_VALUE_TYPES = {
    **{
        XSD + name: ValueType.QUANTITY
        for name in (
            *("integer", "decimal", "double", "float", "int", "long", "short", "byte"),
            *("nonNegativeInteger", "positiveInteger", "nonPositiveInteger", "negativeInteger"),
            *("unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte"),
        )
    },
    XSD + "gYear": ValueType.YEAR,
    XSD + "date": ValueType.DATE,
    XSD + "dateTime": ValueType.DATE,
    XSD + "dateTimeStamp": ValueType.DATE,
}


def introspect(reader: Reader, settings: LabelSettings) -> Introspection:
    """Read the schema and the entities of a graph in this layout."""
    names = Names(settings)
    own = {*names.predicates, *settings.descriptions, *_STRUCTURE}
    members, hierarchy = _concepts(reader)
    concepts = [
        SchemaItem(
            Kind.CONCEPT,
            iri,
            "",
            count=members[iri] or sum(members[below] for below in hierarchy.descendants(iri)),
            parents=tuple(one for one in hierarchy.direct_parents(iri) if not is_vocabulary(one)),
        )
        for iri in members
    ]
    usages = [_usage(reader, kind) for kind in _SHAPES]
    predicates = [usage.item(iri) for usage in usages for iri in usage.count if not _is_own(iri, own)]
    schema = named(reader, names, (*concepts, *predicates), schema_name_from_iri)
    entities = _entities(reader, names, schema, usages, hierarchy)
    return Introspection(schema, entities, names.languages)


def is_vocabulary(iri: str) -> bool:
    """Whether an IRI belongs to a language that graphs are described in, not to their content."""
    return iri.startswith(_VOCABULARIES)


def _is_own(iri: str, own: Collection[str]) -> bool:
    return iri in own or is_vocabulary(iri)


def _concepts(reader: Reader) -> tuple[Counter[str], Hierarchy]:
    """Members of each class as stated, declared classes without members included, and the hierarchy."""
    reader.progress("concepts", 0, 0)
    text = f"SELECT ?c (COUNT(*) AS ?n) WHERE {{ ?s <{_TYPE}> ?c FILTER(isIRI(?c)) }} GROUP BY ?c"
    members = Counter({concept.value: integer(count) for concept, count in reader.rows(text) if concept})
    declared = values_block("t", _DECLARATIONS)
    text = f"SELECT DISTINCT ?c WHERE {{ {declared} ?c <{_TYPE}> ?t FILTER(isIRI(?c)) }}"
    classes = {value(row[0]) for row in reader.rows(text)}
    parents: dict[str, list[str]] = defaultdict(list)
    text = f"SELECT ?c ?parent WHERE {{ ?c <{_SUBCLASS}> ?parent FILTER(isIRI(?c) && isIRI(?parent)) }}"
    for concept, parent in reader.rows(text):
        parents[value(concept)].append(value(parent))
        classes.update((value(concept), value(parent)))
    every = {*members, *classes}
    return (
        Counter({iri: members[iri] for iri in every if not is_vocabulary(iri)}),
        Hierarchy({child: sorted(above) for child, above in parents.items()}),
    )


def _usage(reader: Reader, kind: Kind) -> Usage:
    """How relations or attributes are used."""
    reader.progress(f"{kind}s", 0, 0)
    usage = read_usage(reader, kind, _SHAPES[kind], _TYPE)
    usage.count = Counter({iri: n for iri, n in usage.count.items() if not _describes_schema(usage, iri)})
    for classes in (*usage.domains.values(), *usage.ranges.values()):
        for concept in filter(is_vocabulary, tuple(classes)):
            del classes[concept]
    if kind == Kind.ATTRIBUTE:
        usage.value_types = _value_types(reader, usage)
        usage.units = _units(reader)
        usage.examples = _examples(reader, usage)
    return usage


def _describes_schema(usage: Usage, iri: str) -> bool:
    """Whether all subjects of a predicate are declared classes, properties or ontologies."""
    classes = usage.domains.get(iri, Counter())
    is_schema = all(is_vocabulary(one) and one not in _EVERYTHING for one in classes)
    return is_schema and max(classes.values(), default=0) >= usage.count[iri]


def _value_types(reader: Reader, usage: Usage) -> TypeCounts:
    """How many values of each type each attribute has; a language-tagged literal is a string.

    Only some stores give a datatype for those, so what has none counts as string too.
    """
    counts: TypeCounts = defaultdict(Counter)
    for predicate, datatypes in reader.group(
        f"{FACTS} {_SHAPES[Kind.ATTRIBUTE]} BIND(DATATYPE(?o) AS ?x)", "value types"
    ).items():
        for datatype, number in datatypes.items():
            counts[predicate][_VALUE_TYPES.get(datatype, ValueType.STRING)] += number
    for predicate, number in usage.count.items():
        if missing := number - counts[predicate].total():
            counts[predicate][ValueType.STRING] += missing
    return counts


def _units(reader: Reader) -> Counts:
    """The units that properties declare, by their names."""
    text = (
        f"SELECT ?p ?unit ?label WHERE {{ {values_block('u', _UNIT_PREDICATES)} ?p ?u ?unit ."
        f" OPTIONAL {{ ?unit <{RDFS}label> ?label }} FILTER EXISTS {{ ?s ?p ?o }} }}"
    )
    counts: Counts = defaultdict(Counter)
    for predicate, unit, label in reader.rows(text):
        if unit is not None and unit.kind != "blank":
            name = label or unit
            counts[value(predicate)][name_from_iri(name.value) if name.kind == "iri" else name.value] += 1
    return counts


def _examples(reader: Reader, usage: Usage) -> dict[str, tuple[str, ...]]:
    """A few values of each attribute, as people write them."""
    found: dict[str, tuple[str, ...]] = {}
    for number, predicate in enumerate(usage.count):
        reader.progress("attribute examples", number, len(usage.count))
        text = f"SELECT DISTINCT ?o WHERE {{ ?s <{predicate}> ?o {_SHAPES[Kind.ATTRIBUTE]} }}"
        rows = reader.first(text, reader.limits.examples, "examples")
        found[predicate] = tuple(dict.fromkeys(_example(row[0]) for row in rows))
    return found


def _example(term: Term | None) -> str:
    is_number = term is not None and _VALUE_TYPES.get(term.datatype or "") == ValueType.QUANTITY
    return decimal(value(term)) if is_number else shorten(value(term))


def _entities(
    reader: Reader,
    names: Names,
    schema: Collection[SchemaItem],
    usages: Collection[Usage],
    hierarchy: Hierarchy,
) -> tuple[EntityItem, ...]:
    """What has a class of the graph's own, a label or a fact, and is not schema itself."""
    entities = EntityList(reader, names)
    entities.read_concepts(_TYPE)
    entities.read_names()
    facts = {item.iri for item in schema if item.kind != Kind.CONCEPT}
    others = {iri for usage in usages for iri in usage.subjects} - facts
    described = {
        iri
        for iri, classes in entities.concepts.items()
        if all(is_vocabulary(one) and one not in _EVERYTHING for one in classes)
    }
    candidates = {*entities.concepts, *entities.labels, *entities.without_concept(_TYPE, others)}
    candidates -= described | {item.iri for item in schema}
    candidates = {iri for iri in candidates if not is_vocabulary(iri)}
    entities.read_degrees(candidates, others)
    for iri, classes in entities.concepts.items():
        entities.concepts[iri] = [one for one in classes if not is_vocabulary(one)]
    return entities.items(candidates, hierarchy)
