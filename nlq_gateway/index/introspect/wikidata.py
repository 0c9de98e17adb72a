"""Introspection of the layout `wikidata`: the statements of a Wikibase, without the deprecated ones.

A property is named by its entity's IRI, as in `compilers.layouts.wikidata`. It is a relation if its
`wikibase:propertyType` is an item, an attribute for any other type; without a type, its values decide.
Properties with items as values have concepts as ranges, and no type of value. Source:
https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.values import NO_UNIT
from compilers.layouts import wikibase
from compilers.layouts.vocabulary import RDFS, WIKIBASE, XSD
from compilers.layouts.wikibase_values import EVERY_LANGUAGE
from connectors.results import Row
from nlq_gateway.core.types import Partition, SchemaItem
from nlq_gateway.index.hierarchy import Hierarchy
from nlq_gateway.index.introspect.entities import EntityList
from nlq_gateway.index.introspect.kinds import Kinds
from nlq_gateway.index.introspect.names import LabelRanking, named
from nlq_gateway.index.introspect.pages import integer, value, values_block
from nlq_gateway.index.introspect.partitions import attribute_partitions, read_examples, relation_partitions
from nlq_gateway.index.introspect.reader import FACTS, Counts, Introspection, Source, StoreReader
from nlq_gateway.index.introspect.usage import PredicateUsage, decimal, read_usage, shorten
from nlq_gateway.index.manifest import LabelPreferences
from nlq_gateway.index.text import name_from_iri
from nlq_gateway.index.traits import Traits, find_traits

_PER_QUERY = 200
_TIMES = {ValueType.YEAR: (wikibase.YEAR, wikibase.DAY), ValueType.DATE: (wikibase.DAY, 99)}


def _of(name: str) -> str:
    return f"<{WIKIBASE}{name}>"


def _held(statement: str) -> str:
    return f"FILTER NOT EXISTS {{ {statement} {_of('rank')} {_of('DeprecatedRank')} }}"


_NOT_ITEMS = f"EXISTS {{ ?p {_of('propertyType')} ?type FILTER(?type != {_of('WikibaseItem')}) }}"
_IS_IRI = "FILTER(isIRI(?o))"
_IS_TEXT = f"FILTER(isLiteral(?o) && !isNumeric(?o) && DATATYPE(?o) != <{XSD}dateTime>)"

_IS_ITEM = f"{_IS_IRI} FILTER(!{_NOT_ITEMS})"
_SHAPES = {
    Kind.RELATION: _IS_ITEM,
    Kind.ATTRIBUTE: f"FILTER(isLiteral(?o) || isIRI(?o) && {_NOT_ITEMS})",
    Kind.QUALIFIER: "FILTER(!isBlank(?o))",
}


def _statements(form: str) -> Source:
    """The statements that are not deprecated, ?o being their value in one form."""
    leads = f"?p {_of('claim')} ?claim ; {_of(form)} ?leads ."
    return Source(f"{leads} ?s ?claim ?st . ?st ?leads ?o . {_held('?st')}", f"?p {_of(form)} ?leads")


def _qualifiers(form: str) -> Source:
    """The qualifiers of such statements."""
    leads = f"?p {_of(form)} ?leads"
    return Source(f"{leads} . ?s ?leads ?o . {_held('?s')}", leads)


# The forms that lead to values, and those that lead to the nodes of quantities and times.
_SIMPLE = {
    Kind.RELATION: _statements("statementProperty"),
    Kind.ATTRIBUTE: _statements("statementProperty"),
    Kind.QUALIFIER: _qualifiers("qualifier"),
}
_FULL = {
    Kind.ATTRIBUTE: _statements("statementValue"),
    Kind.QUALIFIER: _qualifiers("qualifierValue"),
}
_NODE = (
    f"OPTIONAL {{ ?o {_of('quantityAmount')} ?amount ; {_of('quantityUnit')} ?unit }}"
    f" OPTIONAL {{ ?o {_of('timeValue')} ?time ; {_of('timePrecision')} ?precision }}"
)


def introspect(reader: StoreReader, settings: LabelPreferences) -> Introspection:
    """Read the schema and the entities of a graph in this layout."""
    names = LabelRanking(replace(settings, languages=(*settings.languages, EVERY_LANGUAGE)))
    traits = find_traits(reader.connector, "wikidata")
    instance_of = wikibase.property_of(traits.membership) or wikibase.INSTANCE_OF
    subclass_of = wikibase.property_of(traits.hierarchy) or wikibase.SUBCLASS_OF
    own = {instance_of.entity.value, subclass_of.entity.value}
    members, hierarchy = _concepts(reader, traits)
    concepts = [
        SchemaItem(
            Kind.CONCEPT,
            iri,
            "",
            count=members[iri] or sum(members[below] for below in hierarchy.descendants(iri)),
            parents=hierarchy.direct_parents(iri),
        )
        for iri in members
    ]
    usages, units = _usages(reader, traits.membership, own, next(iter(settings.languages), "en"))
    predicates = [usage.item(iri) for usage in usages for iri in usage.count]
    partitions = _partitions(reader, usages, traits.membership, units)
    schema = named(reader, names, (*concepts, *predicates), lambda item: (name_from_iri(item.iri),))
    entities = EntityList(reader, names, _SIMPLE[Kind.RELATION].pattern)
    entities.read_concepts(traits.membership)
    entities.read_names()
    entities.read_without_concept(traits.membership, own)
    others = own | {item.iri for item in schema}
    # A node without a concept may also be a page or a file that is a value, or an unknown value.
    space = f"{instance_of.base}entity/"
    entities.choose(lambda iri, _: iri not in others and iri.startswith(space), named=False)
    entities.read_degrees(own)
    return Introspection(schema, entities.items(hierarchy), names.languages, partitions)


def _partitions(
    reader: StoreReader, usages: Sequence[PredicateUsage], membership: str, units: Mapping[str, str]
) -> tuple[Partition, ...]:
    relations, attributes, _ = usages
    values_of = partial(_values, reader, attributes, units)
    kinds = Kinds(membership)
    return (
        *relation_partitions(reader, relations, _IS_ITEM, kinds, _SIMPLE[Kind.RELATION]),
        *attribute_partitions(reader, attributes, kinds, values_of),
    )


def _concepts(reader: StoreReader, traits: Traits) -> tuple[Counter[str], Hierarchy]:
    """Members of each class as stated, classes without members included, and the hierarchy."""
    reader.begin("concepts")
    is_member = f"VALUES ?p {{ <{traits.membership}> }}"
    member = Source(f"{is_member} ?s ?p ?o .", is_member)
    text = f"SELECT ?o (COUNT(*) AS ?n) WHERE {{ {FACTS} {_IS_IRI} }} GROUP BY ?o"
    members = Counter(
        {value(row[0]): integer(row[1]) for row in reader.facts(text, "concept counts", member)}
    )
    parents: dict[str, list[str]] = defaultdict(list)
    text = (
        f"SELECT ?c ?parent WHERE {{ ?c <{traits.hierarchy}> ?parent FILTER(isIRI(?c) && isIRI(?parent)) }}"
    )
    for concept, parent in reader.listed(text, "concepts"):
        parents[value(concept)].append(value(parent))
        for iri in (value(concept), value(parent)):
            members.setdefault(iri, 0)
    return members, Hierarchy({child: sorted(above) for child, above in parents.items()})


def _usages(
    reader: StoreReader, membership: str, own: Collection[str], language: str
) -> tuple[tuple[PredicateUsage, ...], dict[str, str]]:
    """The usage of relations, attributes and qualifiers, and the names of units in this language."""
    on_statements = _on_statements(reader)
    usages = []
    units: dict[str, str] = {}
    for kind, shape in _SHAPES.items():
        reader.begin(f"{kind}s")
        usage = read_usage(reader, kind, shape, Kinds(membership), _SIMPLE[kind])
        usage.count = Counter({iri: count for iri, count in usage.count.items() if iri not in own})
        if kind != Kind.QUALIFIER:
            usage.qualifiers = on_statements
        if kind != Kind.RELATION:
            units |= _describe_values(reader, usage, membership, language)
        usages.append(usage)
    return tuple(usages), units


def _on_statements(reader: StoreReader) -> Counts:
    """The qualifiers on the statements of each property."""
    pattern = f"{FACTS} ?x {_of('qualifier')} ?qualifies . ?st ?qualifies ?value"
    return reader.group(pattern, "qualifiers", _SIMPLE[Kind.RELATION])


def _describe_values(
    reader: StoreReader, usage: PredicateUsage, membership: str, language: str
) -> dict[str, str]:
    """Add types, units and examples of values, or the concepts of values that are items; the units' names."""
    simple, full = _SIMPLE[usage.kind], _FULL[usage.kind]
    items: Counter[str] = Counter()
    if usage.kind == Kind.QUALIFIER:
        items = read_usage(reader, usage.kind, _IS_ITEM, Kinds(membership), simple).count
        usage.ranges = reader.group(f"{FACTS} {_IS_ITEM} ?o <{membership}> ?x", "qualifier ranges", simple)
    units = reader.group(f"{FACTS} ?o {_of('quantityUnit')} ?x", "units", full)
    precisions = reader.group(f"{FACTS} ?o {_of('timePrecision')} ?x", "value types", full)
    usage.value_types = {
        iri: _value_types(count, units.get(iri, Counter()), precisions.get(iri, Counter()))
        for iri, count in usage.count.items()
        if not items[iri]
    }
    names = _unit_names(reader, {unit for counts in units.values() for unit in counts}, language)
    usage.units = {
        iri: Counter({names[unit]: count for unit, count in counts.items() if unit in names})
        for iri, counts in units.items()
    }
    values_of = partial(_values, reader, usage, names)
    usage.examples = read_examples(reader, usage.kind, usage.value_types, values_of)
    return names


def _value_types(total: int, units: Counter[str], precisions: Counter[str]) -> Counter[ValueType]:
    """The number of values of each type; decades and centuries have no type."""
    counts = Counter(
        {
            value_type: sum(n for precision, n in precisions.items() if least <= int(precision) < above)
            for value_type, (least, above) in _TIMES.items()
        }
    )
    counts[ValueType.QUANTITY] = units.total()
    counts[ValueType.STRING] = total - units.total() - precisions.total()
    return +counts


def _unit_names(reader: StoreReader, units: Collection[str], language: str) -> dict[str, str]:
    """The labels of units in one language, or without one; `1` for the unit of plain numbers."""
    ordered = sorted(units)
    found: dict[str, str] = {}
    for start in range(0, len(ordered), _PER_QUERY):
        asked = values_block("x", ordered[start : start + _PER_QUERY])
        wanted = f"FILTER(LANG(?label) IN ('{language}', ''))"
        text = f"SELECT ?x ?label WHERE {{ {asked} ?x <{RDFS}label> ?label {wanted} }}"
        for unit, label in reader.listed(text, "unit names"):
            found[value(unit)] = min(value(label), found.get(value(unit), value(label)))
    return {**found, wikibase.ONE.value: NO_UNIT}


def _values(
    reader: StoreReader, usage: PredicateUsage, units: Mapping[str, str], iri: str, where: str, most: int
) -> tuple[str, ...]:
    """Distinct values of a property whose subject ?s meets a pattern."""
    types = usage.value_types.get(iri, ())
    texts: list[str] = []
    if set(types) - {ValueType.STRING}:
        pattern = f"{values_block('p', (iri,))} {_FULL[usage.kind].pattern} {where} {_NODE}"
        text = f"SELECT DISTINCT ?amount ?unit ?time ?precision WHERE {{ {pattern} }}"
        rows = reader.examples(text, most)
        texts += [example for row in rows if (example := _example(row, units))]
    if ValueType.STRING in types:
        pattern = f"{values_block('p', (iri,))} {_SIMPLE[usage.kind].pattern} {where} {_IS_TEXT}"
        rows = reader.examples(f"SELECT DISTINCT ?o WHERE {{ {pattern} }}", most)
        texts += [shorten(value(row[0])) for row in rows]
    return tuple(dict.fromkeys(texts))[:most]


def _example(row: Row, units: Mapping[str, str]) -> str:
    """A quantity with its unit, or a time at its precision; "" for any other value."""
    amount, unit, time, precision = row
    if amount is not None:
        name = units.get(value(unit), NO_UNIT)
        number = decimal(amount.value.lstrip("+"))
        return number if name == NO_UNIT else f"{number} {name}"
    day = value(time).partition("T")[0].lstrip("+")
    return day if integer(precision) >= wikibase.DAY else day[: -len("-00-00")]
