"""Introspection of the layouts of plain RDF: `direct`, and those in which a fact has a node besides.

Classes are the objects of `rdf:type` and declared classes; a relation is a predicate with IRIs or blank nodes
as objects, an attribute one with literals; a predicate may be both. If no subject or object of a predicate is
in any class, it gets those that an ontology or shapes declare for it; blank nodes without a class are classed
by the relation to them (kinds.py). A class counts its own members and those of the classes below it. A
qualifier is a predicate of facts' nodes, which yield nothing else of the schema.

Concepts of a thesaurus are entities with all their names, and predicates to them are relations: only classes
are concepts, as the compiler knows the members of no others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from compilers.kopl.functions import Kind, ValueType
from compilers.layouts.vocabulary import OWL, RDFS, SKOS, WELL_KNOWN_PREFIXES
from nlq_gateway.core.types import Partition, SchemaItem
from nlq_gateway.index.forms import FactPatterns, form_of
from nlq_gateway.index.hierarchy import Hierarchy
from nlq_gateway.index.introspect.classes import (
    add_classes_in_use,
    concepts_of,
    count_members,
    is_vocabulary,
    merge_equivalents,
    read_classes,
)
from nlq_gateway.index.introspect.contradictions import contradictions
from nlq_gateway.index.introspect.entities import Entities, EntityList
from nlq_gateway.index.introspect.inverses import (
    find_completions,
    find_inverses,
    partitions_of_unstated,
    with_unstated,
)
from nlq_gateway.index.introspect.kinds import Kinds, read_kinds
from nlq_gateway.index.introspect.literals import IS_LITERAL, describe_literals, example, values_by
from nlq_gateway.index.introspect.names import LabelRanking, named
from nlq_gateway.index.introspect.node_units import units_of_nodes
from nlq_gateway.index.introspect.ontology import Ontology, read_ontology
from nlq_gateway.index.introspect.pages import integer, value
from nlq_gateway.index.introspect.partitions import attribute_partitions, relation_partitions
from nlq_gateway.index.introspect.reader import FACTS, Counts, Introspection, Source, StoreReader
from nlq_gateway.index.introspect.sampling import TYPE
from nlq_gateway.index.introspect.units import with_unit
from nlq_gateway.index.introspect.usage import PredicateUsage, read_usage
from nlq_gateway.index.local_names import LocalNames
from nlq_gateway.index.manifest import LabelPreferences, Layout
from nlq_gateway.index.traits import find_traits

# What follows from other facts, and lists, which the members' own facts state (SKOS, section 8.6.1).
_DERIVED = frozenset(
    SKOS + name
    for name in "broaderTransitive narrowerTransitive semanticRelation mappingRelation memberList".split()
)
# A title or a code is a name, a definition a description; all are also values that questions ask for.
_NAMES_AND_ATTRIBUTES = frozenset(
    (SKOS + "notation", SKOS + "definition", WELL_KNOWN_PREFIXES["dcterms"] + "title")
)
_EVERYTHING = frozenset((OWL + "Thing", OWL + "NamedIndividual", RDFS + "Resource"))
_IS_IRI = "FILTER(isIRI(?o))"
_IS_THING = "FILTER(isIRI(?o) || isBlank(?o))"
_SHAPES = {Kind.RELATION: _IS_THING, Kind.ATTRIBUTE: IS_LITERAL}


def introspect(reader: StoreReader, settings: LabelPreferences, layout: Layout = "direct") -> Introspection:
    """Read the schema and the entities of a graph in a layout of plain RDF."""
    form = form_of(layout, find_traits(reader.connector, layout))
    names = LabelRanking(settings)
    own = {*_standard(names.predicates), *settings.descriptions, *_DERIVED} - _NAMES_AND_ATTRIBUTES
    ontology = read_ontology(reader)
    members, hierarchy = read_classes(reader, ontology, form.fact_class)
    kinds = read_kinds(reader, TYPE, form, lambda iri: _is_own(iri, own))
    usages = [_usage(reader, kind, form, kinds) for kind in _SHAPES]
    usages[0].units = units_of_nodes(reader, usages[0], usages[1], Source(form.facts_of_things()))
    add_classes_in_use(reader, members, usages, kinds.unnamed)
    reader.warnings += contradictions(usages, ontology, members, hierarchy)
    _take_declared(usages, members, ontology, reader.limits.examples)
    if form.qualifier:
        qualifiers = _on_facts(reader, form, own)
        for usage in usages:
            usage.qualifiers = qualifiers
        usages.append(_qualifiers(reader, form, own))
    relations = [iri for iri, _ in usages[0].count.most_common() if not _is_own(iri, own)]
    usages[0].inverses = find_inverses(reader, form, relations, ontology.inverses)
    if not form.qualifier:
        usages[0].completions = find_completions(reader, relations, ontology.inverses)
    predicates = [usage.item(iri) for usage in usages for iri in usage.count if not _is_own(iri, own)]
    wants = reader.limits.wants
    predicates = [*with_unstated(predicates, ontology.inverses, lambda i: wants(i) and not _is_own(i, own))]
    items = (*concepts_of(count_members(reader, members, hierarchy), hierarchy), *predicates)
    partitions = partitions_of_unstated(_partitions(reader, usages, form, kinds), predicates)
    complete = named(reader, names, items, LocalNames.of(items).names, ontology)
    schema = tuple(_finished(merge_equivalents(complete, members, ontology), ontology))
    entities = _entities(reader, names, form, complete, usages[: len(_SHAPES)], hierarchy)
    return Introspection(schema, entities, names.languages, partitions)


def _partitions(
    reader: StoreReader, usages: Sequence[PredicateUsage], form: FactPatterns, kinds: Kinds
) -> tuple[Partition, ...]:
    relations, attributes = usages[:2]
    source = Source(form.facts_of_things())
    return (
        *relation_partitions(reader, relations, _IS_THING, kinds, source),
        *attribute_partitions(reader, attributes, kinds, values_by(reader, form.facts_of_things)),
    )


def _standard(predicates: Iterable[str]) -> set[str]:
    """The predicates that only name things, in any graph; a graph's own `#name` is also an attribute."""
    defaults = LabelPreferences()
    return {*predicates} & {*defaults.predicates, *defaults.aliases}


def _is_own(iri: str, own: Collection[str]) -> bool:
    return iri in own or is_vocabulary(iri)


def _usage(reader: StoreReader, kind: Kind, form: FactPatterns, kinds: Kinds) -> PredicateUsage:
    """The usage of relations or attributes."""
    reader.begin(f"{kind}s")
    source = Source(form.facts_of_things())
    usage = read_usage(reader, kind, _SHAPES[kind], kinds, source)
    usage.count = Counter({iri: n for iri, n in usage.count.items() if not _describes_schema(usage, iri)})
    for classes in (*usage.domains.values(), *usage.ranges.values()):
        for concept in filter(is_vocabulary, tuple(classes)):
            del classes[concept]
    if kind == Kind.ATTRIBUTE:
        describe_literals(reader, usage, source, form.facts_of_things)
    return usage


def _take_declared(
    usages: Collection[PredicateUsage], classes: Collection[str], ontology: Ontology, examples: int
) -> None:
    """Give predicates whose subjects or objects have no class those that the ontology declares.

    The values that a shape lists are further examples.
    """
    for end, links in (("domains", ontology.domains), ("ranges", ontology.ranges)):
        for usage in usages:
            counts: Counts = getattr(usage, end)
            for iri in (one for one in usage.count if not counts.get(one)):
                declared = sorted(concept for concept in links.get(iri, ()) if concept in classes)
                if declared:
                    counts[iri] = Counter(dict.fromkeys(declared, usage.count[iri]))
    for usage in usages:
        for iri in usage.examples.keys() & ontology.values.keys():
            listed = (example(term) for term in ontology.values[iri] if term.kind == "literal")
            usage.examples[iri] = tuple(dict.fromkeys((*usage.examples[iri], *listed)))[:examples]


def _finished(items: Iterator[SchemaItem], ontology: Ontology) -> Iterator[SchemaItem]:
    """The items with the units in their names, deprecated ones marked as such."""
    for item in items:
        if item.iri in ontology.deprecated:
            item = replace(item, description=f"Deprecated. {item.description}".rstrip())
        if item.kind == Kind.ATTRIBUTE and item.value_types[:1] == (ValueType.QUANTITY,) and not item.units:
            item = with_unit(item)
        yield item


def _qualifiers(reader: StoreReader, form: FactPatterns, own: Collection[str]) -> PredicateUsage:
    """The usage of qualifiers. Only those with literals have known value types."""
    source = Source(form.qualifiers())
    usage, others = (
        read_usage(reader, Kind.QUALIFIER, shape, Kinds(TYPE), source) for shape in (IS_LITERAL, _IS_IRI)
    )
    usage.count = Counter({iri: n for iri, n in usage.count.items() if not _is_own(iri, own)})
    describe_literals(reader, usage, source, form.qualifiers)
    usage.count.update({iri: n for iri, n in others.count.items() if not _is_own(iri, own)})
    usage.subjects.update(others.subjects)
    usage.ranges = reader.group(f"{FACTS} {_IS_IRI} ?o <{TYPE}> ?x", "qualifier ranges", source)
    return usage


def _on_facts(reader: StoreReader, form: FactPatterns, own: Collection[str]) -> Counts:
    """The qualifiers on the facts of each relation or attribute."""
    reader.begin(f"{Kind.QUALIFIER}s")
    text = f"SELECT ?r ?p (COUNT(*) AS ?n) WHERE {{ {FACTS} FILTER(!isBlank(?o)) }} GROUP BY ?r ?p"
    counts: Counts = defaultdict(Counter)
    for relation, qualifier, number in reader.facts(text, "qualifiers", Source(form.qualifiers())):
        if qualifier is not None and not _is_own(value(qualifier), own):
            counts[value(relation)][value(qualifier)] += integer(number)
    return counts


def _describes_schema(usage: PredicateUsage, iri: str) -> bool:
    """True if all subjects of a predicate are declared classes, properties or ontologies."""
    classes = usage.domains.get(iri, Counter())
    is_schema = all(is_vocabulary(one) and one not in _EVERYTHING for one in classes)
    return is_schema and max(classes.values(), default=0) >= usage.count[iri]


def _entities(
    reader: StoreReader,
    names: LabelRanking,
    form: FactPatterns,
    schema: Collection[SchemaItem],
    usages: Collection[PredicateUsage],
    hierarchy: Hierarchy,
) -> Entities:
    """The nodes with a class of the graph's own, a label or a fact, that are not schema themselves."""
    entities = EntityList(reader, names, form.facts_of_things(), form.not_a_node("?x"))
    entities.read_concepts(TYPE)
    entities.read_names()
    facts = {item.iri for item in schema if item.kind != Kind.CONCEPT}
    others = {iri for usage in usages for iri in usage.subjects} - facts
    entities.read_without_concept(TYPE, others)
    own = {item.iri for item in schema}

    def is_entity(iri: str, classes: Collection[str]) -> bool:
        describes = classes and all(is_vocabulary(one) and one not in _EVERYTHING for one in classes)
        return not describes and iri not in own and not is_vocabulary(iri)

    entities.choose(is_entity)
    entities.read_degrees(others)
    return entities.items(hierarchy, lambda one: not is_vocabulary(one))
