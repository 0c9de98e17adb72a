"""Introspection of the layouts of plain RDF: `direct`, and those in which a fact has a node besides.

Classes are the objects of `rdf:type` and what is declared as a class; a relation is a predicate with IRIs
as objects, an attribute one with literals; a predicate may be both. Where no subject or object of a predicate
is in any class, it has those that an ontology declares for it. A class that nothing is stated to be
counts the members of the classes below it, those of two of them twice. A qualifier is a predicate of facts'
nodes, and nothing else of the schema comes from these.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection

from compilers.kopl.functions import Kind
from compilers.layouts.vocabulary import OWL, RDF, RDFS, SKOS
from nlq_gateway.index.forms import Form, form_of
from nlq_gateway.index.hierarchy import Hierarchy
from nlq_gateway.index.introspect.entities import EntityList
from nlq_gateway.index.introspect.literals import IS_LITERAL, describe_literals
from nlq_gateway.index.introspect.names import Names, named
from nlq_gateway.index.introspect.reader import (
    FACTS,
    Counts,
    Introspection,
    Reader,
    Source,
    integer,
    value,
    values_block,
)
from nlq_gateway.index.introspect.usage import Usage, read_usage
from nlq_gateway.index.local_names import LocalNames
from nlq_gateway.index.manifest import LabelSettings, Layout
from nlq_gateway.index.traits import find_traits
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
_IS_IRI = "FILTER(isIRI(?o))"
_SHAPES = {Kind.RELATION: _IS_IRI, Kind.ATTRIBUTE: IS_LITERAL}


def introspect(reader: Reader, settings: LabelSettings, layout: Layout = "direct") -> Introspection:
    """Read the schema and the entities of a graph in a layout of plain RDF."""
    form = form_of(layout, find_traits(reader.connector, layout))
    names = Names(settings)
    own = {*names.predicates, *settings.descriptions, *_STRUCTURE}
    members, hierarchy = _concepts(reader, form)
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
    usages = [_usage(reader, kind, form) for kind in _SHAPES]
    _take_declared(reader, usages, members)
    if form.qualifier:
        qualifiers = _on_facts(reader, form, own)
        for usage in usages:
            usage.qualifiers = qualifiers
        usages.append(_qualifiers(reader, form, own))
    predicates = [usage.item(iri) for usage in usages for iri in usage.count if not _is_own(iri, own)]
    items = (*concepts, *predicates)
    schema = named(reader, names, items, LocalNames.of(items).names)
    entities = _entities(reader, names, form, schema, usages[: len(_SHAPES)], hierarchy)
    return Introspection(schema, entities, names.languages)


def is_vocabulary(iri: str) -> bool:
    """Whether an IRI belongs to a language that graphs are described in, not to their content."""
    return iri.startswith(_VOCABULARIES)


def _is_own(iri: str, own: Collection[str]) -> bool:
    return iri in own or is_vocabulary(iri)


def _concepts(reader: Reader, form: Form) -> tuple[Counter[str], Hierarchy]:
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
    every = {*members, *classes} - {form.fact_class}
    return (
        Counter({iri: members[iri] for iri in every if not is_vocabulary(iri)}),
        Hierarchy({child: sorted(above) for child, above in parents.items()}),
    )


def _usage(reader: Reader, kind: Kind, form: Form) -> Usage:
    """How relations or attributes are used."""
    reader.progress(f"{kind}s", 0, 0)
    source = Source(form.facts_of_things())
    usage = read_usage(reader, kind, _SHAPES[kind], _TYPE, source)
    usage.count = Counter({iri: n for iri, n in usage.count.items() if not _describes_schema(usage, iri)})
    for classes in (*usage.domains.values(), *usage.ranges.values()):
        for concept in filter(is_vocabulary, tuple(classes)):
            del classes[concept]
    if kind == Kind.ATTRIBUTE:
        describe_literals(reader, usage, source, form.facts_of_things)
    return usage


def _take_declared(reader: Reader, usages: Collection[Usage], classes: Collection[str]) -> None:
    """Give predicates whose subjects or objects are in no class those of the graph's ontology."""
    for end, predicate in (("domains", RDFS + "domain"), ("ranges", RDFS + "range")):
        text = f"SELECT ?p ?c WHERE {{ ?p <{predicate}> ?c FILTER(isIRI(?p) && isIRI(?c)) }}"
        declared = [(value(iri), value(concept)) for iri, concept in reader.rows(text)]
        for usage in usages:
            counts: Counts = getattr(usage, end)
            unknown = {iri for iri in usage.count if not counts.get(iri)}
            for iri, concept in declared:
                if iri in unknown and concept in classes:
                    counts[iri] = Counter({**counts.get(iri, {}), concept: usage.count[iri]})


def _qualifiers(reader: Reader, form: Form, own: Collection[str]) -> Usage:
    """How qualifiers are used. Only of those with literals something is known about the type of value."""
    reader.progress(f"{Kind.QUALIFIER}s", 0, 0)
    source = Source(form.qualifiers())
    usage, others = (
        read_usage(reader, Kind.QUALIFIER, shape, _TYPE, source) for shape in (IS_LITERAL, _IS_IRI)
    )
    usage.count = Counter({iri: n for iri, n in usage.count.items() if not _is_own(iri, own)})
    describe_literals(reader, usage, source, form.qualifiers)
    usage.count.update({iri: n for iri, n in others.count.items() if not _is_own(iri, own)})
    usage.subjects.update(others.subjects)
    return usage


def _on_facts(reader: Reader, form: Form, own: Collection[str]) -> Counts:
    """The qualifiers on the facts of each relation or attribute."""
    text = f"SELECT ?r ?p (COUNT(*) AS ?n) WHERE {{ {FACTS} FILTER(!isBlank(?o)) }} GROUP BY ?r ?p"
    counts: Counts = defaultdict(Counter)
    for relation, qualifier, number in reader.facts(text, "qualifiers", Source(form.qualifiers())):
        if qualifier is not None and not _is_own(value(qualifier), own):
            counts[value(relation)][value(qualifier)] += integer(number)
    return counts


def _describes_schema(usage: Usage, iri: str) -> bool:
    """Whether all subjects of a predicate are declared classes, properties or ontologies."""
    classes = usage.domains.get(iri, Counter())
    is_schema = all(is_vocabulary(one) and one not in _EVERYTHING for one in classes)
    return is_schema and max(classes.values(), default=0) >= usage.count[iri]


def _entities(
    reader: Reader,
    names: Names,
    form: Form,
    schema: Collection[SchemaItem],
    usages: Collection[Usage],
    hierarchy: Hierarchy,
) -> tuple[EntityItem, ...]:
    """What has a class of the graph's own, a label or a fact, and is not schema itself."""
    entities = EntityList(reader, names, form.facts_of_things(), form.not_a_node("?x"))
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
