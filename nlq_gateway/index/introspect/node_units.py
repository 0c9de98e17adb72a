"""Units beside numbers in nodes of their own, where all nodes of a relation state the same unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from compilers.kopl.functions import ValueType
from compilers.layouts.vocabulary import RDFS, SCHEMA
from nlq_gateway.index.introspect.pages import value, values_block
from nlq_gateway.index.introspect.reader import FACTS, Counts, Source, StoreReader
from nlq_gateway.index.introspect.units import unit_named, unit_of_code
from nlq_gateway.index.introspect.usage import PredicateUsage
from nlq_gateway.index.text import local_name

# By these a property or a node states its unit.
UNIT_PREDICATES = (
    *("http://qudt.org/schema/qudt/unit", "http://qudt.org/schema/qudt/hasUnit"),
    *(f"{space}{name}" for space in (SCHEMA, "https://schema.org/") for name in ("unitText", "unitCode")),
    "https://saref.etsi.org/core/isMeasuredIn",
    "https://brickschema.org/schema/Brick#hasUnit",
)


def units_of_nodes(
    reader: StoreReader, relations: PredicateUsage, attributes: PredicateUsage, source: Source
) -> Counts:
    """The unit of each relation's nodes, where all of them state one, and no other, beside one number."""
    stated = [iri for iri in UNIT_PREDICATES if iri in relations.count or iri in attributes.count]
    leading = set(_to_one_number(relations, attributes)) if stated else set()
    if not leading:
        return {}
    found = reader.group(f"{FACTS} {values_block('u', stated)} ?o ?u ?x .", "units of nodes", source)
    alike = {iri: units for iri, units in found.items() if iri in leading and len(units) == 1}
    whole = {iri: units for iri, units in alike.items() if units.total() >= relations.count[iri]}
    labels = _labels(reader, {unit for units in whole.values() for unit in units})
    return {
        iri: Counter({labels.get(unit) or _name(unit): number for unit, number in units.items()})
        for iri, units in whole.items()
    }


def _to_one_number(relations: PredicateUsage, attributes: PredicateUsage) -> Iterator[str]:
    """The relations whose nodes have just one attribute with numbers."""
    numbers = [
        {*attributes.domains.get(iri, ())}
        for iri, types in attributes.value_types.items()
        if ValueType.QUANTITY in types
    ]
    for iri, kinds in relations.ranges.items():
        if sum(not of.isdisjoint(kinds) for of in numbers) == 1:
            yield iri


def _labels(reader: StoreReader, units: set[str]) -> dict[str, str]:
    """The labels of units that the graph names."""
    iris = sorted(filter(_is_iri, units))
    if not iris:
        return {}
    text = f"SELECT ?unit ?label WHERE {{ {values_block('unit', iris)} ?unit <{RDFS}label> ?label }}"
    return {value(unit): value(label) for unit, label in reader.listed(text, "names of units")}


def _name(unit: str) -> str:
    """The name of a unit without a label, from its code, symbol or IRI."""
    code = local_name(unit) if _is_iri(unit) else unit
    named = unit_of_code(code)
    return named if named != code else unit_named(code) or code


def _is_iri(unit: str) -> bool:
    return "://" in unit or unit.startswith("urn:")
