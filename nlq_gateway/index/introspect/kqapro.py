"""Introspection of the kqapro layout: reified facts, value nodes, qualifiers on fact nodes.

The shape is KQA Pro's own RDF (Cao et al., "KQA Pro", 2022): things have `pred:name` and
`pred:instance_of`, values are nodes with `pred:value`, `pred:unit`, `pred:year` or `pred:date`, and each
fact is both a triple and a node with `pred:fact_h`, `pred:fact_r`, `pred:fact_t` and qualifiers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from urllib.parse import unquote

from compilers.kopl.functions import Kind, ValueType
from compilers.layouts.vocabulary import OWL, PRED, RDF, RDFS
from connectors.results import Term
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.hierarchy import Hierarchy
from nlq_gateway.index.introspect.entities import EntityList
from nlq_gateway.index.introspect.kinds import Kinds
from nlq_gateway.index.introspect.names import LabelRanking, named
from nlq_gateway.index.introspect.pages import integer, value
from nlq_gateway.index.introspect.partitions import attribute_partitions, read_examples, relation_partitions
from nlq_gateway.index.introspect.reader import FACTS, Counts, Introspection, StoreReader
from nlq_gateway.index.introspect.usage import PredicateUsage, TypeCounts, decimal, read_usage, shorten
from nlq_gateway.index.manifest import LabelPreferences
from nlq_gateway.index.text import local_name

_MEMBER = PRED + "instance_of"
_KINDS = Kinds(_MEMBER)
_BELOW = RDFS + "subClassOf"
_NO_UNIT = "1"
_OWN = tuple(
    PRED + name
    for name in ("name", "instance_of", "fact_h", "fact_r", "fact_t", "value", "unit", "year", "date")
)

_ON_FACT = "?s <pred:fact_h> ?head ."
_NOT_ON_FACT = "FILTER NOT EXISTS { ?s <pred:fact_h> ?head }"
_IS_VALUE = "FILTER(EXISTS { ?o <pred:value> ?value } || EXISTS { ?o <pred:year> ?year })"
_IS_THING = "FILTER(EXISTS { ?o <pred:name> ?name } || EXISTS { ?o <pred:instance_of> ?concept })"
_SHAPES = {
    Kind.RELATION: f"{_IS_THING} {_NOT_ON_FACT}",
    Kind.ATTRIBUTE: f"{_IS_VALUE} {_NOT_ON_FACT}",
    Kind.QUALIFIER: f"{_IS_VALUE} {_ON_FACT}",
}
_VALUES = {
    ValueType.STRING: "?o <pred:value> ?v FILTER NOT EXISTS { ?o <pred:unit> ?u }",
    ValueType.QUANTITY: "?o <pred:value> ?v ; <pred:unit> ?u .",
    ValueType.YEAR: "?o <pred:year> ?v FILTER NOT EXISTS { ?o <pred:date> ?d }",
    ValueType.DATE: "?o <pred:date> ?v .",
}
_SUBJECTS = {Kind.ATTRIBUTE: _NOT_ON_FACT, Kind.QUALIFIER: _ON_FACT}


def introspect(reader: StoreReader, settings: LabelPreferences) -> Introspection:
    """Read the schema and the entities of a graph in this layout."""
    names = LabelRanking(replace(settings, predicates=(PRED + "name", *settings.predicates)))
    own = {*_OWN, *names.predicates, *settings.descriptions}
    members, hierarchy = _concepts(reader)
    concepts = [
        SchemaItem(Kind.CONCEPT, iri, "", count=count, parents=hierarchy.direct_parents(iri))
        for iri, count in members.items()
    ]
    qualifiers = _qualifiers(reader, own)
    usages = [_usage(reader, kind, own, qualifiers) for kind in _SHAPES]
    predicates = [usage.item(iri) for usage in usages for iri in usage.count]
    relations, attributes, _ = usages
    partitions = (
        *relation_partitions(reader, relations, _SHAPES[Kind.RELATION], _KINDS),
        *attribute_partitions(reader, attributes, _KINDS, partial(_values, reader, Kind.ATTRIBUTE)),
    )
    schema = named(reader, names, (*concepts, *predicates), _naming([item.iri for item in predicates]))
    entities = EntityList(reader, names)
    entities.read_concepts(_MEMBER)
    entities.read_names()
    others = {*own, *(item.iri for item in schema)}
    entities.choose(lambda iri, _: iri not in others)
    entities.read_degrees(own)
    return Introspection(schema, entities.items(hierarchy), names.languages, partitions)


def _is_own(iri: str, own: Collection[str]) -> bool:
    return iri in own or iri.startswith((RDF, RDFS, OWL))


def _concepts(reader: StoreReader) -> tuple[Counter[str], Hierarchy]:
    """The number of members of each concept, without the concepts below it, and the hierarchy.

    A concept is below another by `rdfs:subClassOf`, or by `pred:instance_of` as if it were a member.
    """
    reader.begin("concepts")
    text = f"SELECT ?c (COUNT(*) AS ?n) WHERE {{ ?s <{_MEMBER}> ?c FILTER(isIRI(?c)) }} GROUP BY ?c"
    members = Counter({value(concept): integer(count) for concept, count in reader.listed(text, "concepts")})
    parents: dict[str, list[str]] = defaultdict(list)
    text = f"SELECT DISTINCT ?c ?parent WHERE {{ ?x <{_MEMBER}> ?c . ?c <{_MEMBER}> ?parent }}"
    for concept, parent in reader.listed(text, "concepts"):
        parents[value(concept)].append(value(parent))
        members[value(parent)] -= 1
    text = f"SELECT DISTINCT ?c ?parent WHERE {{ ?c <{_BELOW}> ?parent FILTER(isIRI(?c) && isIRI(?parent)) }}"
    for concept, parent in reader.listed(text, "concepts"):
        for iri in (value(concept), value(parent)):
            members.setdefault(iri, 0)
        parents[value(concept)].append(value(parent))
    return members, Hierarchy(parents)


def _usage(reader: StoreReader, kind: Kind, own: Collection[str], qualifiers: Counts) -> PredicateUsage:
    """The usage of relations, attributes or qualifiers."""
    reader.begin(f"{kind}s")
    usage = read_usage(reader, kind, _SHAPES[kind], _KINDS)
    usage.count = Counter({iri: count for iri, count in usage.count.items() if not _is_own(iri, own)})
    if kind != Kind.QUALIFIER:
        usage.qualifiers = qualifiers
    if kind != Kind.RELATION:
        usage.value_types = _value_types(reader, _SUBJECTS[kind])
        # Numbers without a unit have the unit `1`.
        usage.units = reader.group(f"{FACTS} {_SUBJECTS[kind]} ?o <pred:unit> ?x", "units")
        usage.examples = read_examples(reader, kind, usage.count, partial(_values, reader, kind))
    return usage


def _qualifiers(reader: StoreReader, own: Collection[str]) -> Counts:
    """The qualifiers on the facts of each relation or attribute."""
    text = "SELECT ?r ?p (COUNT(*) AS ?n) WHERE { ?s <pred:fact_r> ?r . ?s ?p ?o } GROUP BY ?r ?p"
    counts: Counts = defaultdict(Counter)
    for relation, qualifier, number in reader.listed(text, "qualifiers"):
        if qualifier is not None and not _is_own(value(qualifier), own):
            counts[value(relation)][value(qualifier)] += integer(number)
    return counts


def _value_types(reader: StoreReader, subject: str) -> TypeCounts:
    """The number of values of each type of each predicate."""
    counts: TypeCounts = defaultdict(Counter)
    for value_type, shape in _VALUES.items():
        text = f"SELECT ?p (COUNT(*) AS ?n) WHERE {{ {FACTS} {subject} {shape} }} GROUP BY ?p"
        for predicate, number in reader.facts(text, "value types"):
            if integer(number):
                counts[value(predicate)][value_type] += integer(number)
    return counts


def _values(reader: StoreReader, kind: Kind, predicate: str, where: str, most: int) -> tuple[str, ...]:
    """Distinct values of a predicate whose subject ?s meets a pattern."""
    parts = ("value", "unit", "date", "year")
    optional = " ".join(f"OPTIONAL {{ ?o <pred:{part}> ?{part} }}" for part in parts)
    text = f"{where} ?s <{predicate}> ?o . {_SUBJECTS[kind]} {optional}"
    rows = reader.examples(f"SELECT DISTINCT ?value ?unit ?date ?year WHERE {{ {text} }}", most)
    return tuple(dict.fromkeys(_example(*row) for row in rows))


def _example(text: Term | None, unit: Term | None, date: Term | None, year: Term | None) -> str:
    if text is None or unit is None:
        return shorten(value(text or date or year))
    number = decimal(text.value)
    return number if unit.value == _NO_UNIT else f"{number} {unit.value}"


def _naming(predicates: Collection[str]) -> Callable[[SchemaItem], tuple[str, ...]]:
    """Names of predicates from their IRIs: the part after the namespace that most of them share.

    The names may hold slashes (`number_of_points/goals/set_scored`), so the last one is no boundary.
    """
    spaces = Counter(iri.rpartition("/")[0] + "/" for iri in predicates)
    shared = min(spaces, key=lambda space: (-spaces[space], space), default="")

    def name(item: SchemaItem) -> tuple[str, ...]:
        iri = item.iri
        local = unquote(iri.removeprefix(shared)) if iri.startswith(shared) else local_name(iri)
        return (" ".join(local.replace("_", " ").split()) or iri,)

    return name
