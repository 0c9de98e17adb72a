"""The types, units and examples of the literals of attributes and qualifiers, in plain RDF."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

from compilers.kopl.functions import ValueType
from compilers.layouts.vocabulary import RDFS, XSD
from connectors.results import Term
from nlq_gateway.index.introspect.node_units import UNIT_PREDICATES
from nlq_gateway.index.introspect.pages import value, values_block
from nlq_gateway.index.introspect.partitions import LOOKED_AT, ValuesOf, read_examples
from nlq_gateway.index.introspect.reader import FACTS, Counts, Source, StoreReader
from nlq_gateway.index.introspect.units import unit_of_code
from nlq_gateway.index.introspect.usage import PredicateUsage, TypeCounts, decimal, shorten
from nlq_gateway.index.text import local_name

IS_LITERAL = "FILTER(isLiteral(?o))"

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
# Virtuoso keeps booleans as numbers, and others as they were written.
_TRUTHS = {"1": "true", "0": "false"}


def describe_literals(
    reader: StoreReader, usage: PredicateUsage, source: Source, of_predicate: Callable[[str], str]
) -> None:
    """Add value types, units and examples to the usage of predicates whose literals were counted.

    `of_predicate` gives the pattern ?s ?o of one predicate.
    """
    usage.value_types = _value_types(reader, usage, source)
    usage.units = _units(reader, usage)
    reader.begin(f"{usage.kind} examples")
    usage.examples = read_examples(reader, usage.kind, usage.count, values_by(reader, of_predicate))


def _value_types(reader: StoreReader, usage: PredicateUsage, source: Source) -> TypeCounts:
    """The number of values of each type of each predicate; a language-tagged literal is a string.

    Only some stores give a datatype for those, so literals without one count as strings too.
    """
    counts: TypeCounts = defaultdict(Counter)
    pattern = f"{FACTS} {IS_LITERAL} BIND(DATATYPE(?o) AS ?x)"
    for predicate, datatypes in reader.group(pattern, "value types", source).items():
        for datatype, number in datatypes.items():
            counts[predicate][_VALUE_TYPES.get(datatype, ValueType.STRING)] += number
    for predicate, number in usage.count.items():
        if (missing := number - counts[predicate].total()) > 0:
            counts[predicate][ValueType.STRING] += missing
    return counts


def _units(reader: StoreReader, usage: PredicateUsage) -> Counts:
    """The units that properties declare, by their names."""
    text = (
        f"SELECT ?p ?unit ?label WHERE {{ {values_block('u', UNIT_PREDICATES)} ?p ?u ?unit ."
        f" OPTIONAL {{ ?unit <{RDFS}label> ?label }} }}"
    )
    counts: Counts = defaultdict(Counter)
    for predicate, unit, label in reader.listed(text, "units"):
        if unit is not None and unit.kind != "blank" and value(predicate) in usage.count:
            named = label or unit
            name = unit_of_code(local_name(named.value)) if named.kind == "iri" else unit_of_code(named.value)
            counts[value(predicate)][name] += 1
    return counts


def values_by(reader: StoreReader, of_predicate: Callable[[str], str]) -> ValuesOf:
    """A function that finds values of predicates, the commonest of the first ones read."""

    def values_of(predicate: str, where: str, most: int) -> tuple[str, ...]:
        facts = f"{where} {of_predicate(f'<{predicate}>')} {IS_LITERAL}"
        some = f"{{ SELECT ?o WHERE {{ {facts} }} LIMIT {LOOKED_AT} }}"
        text = f"SELECT ?o (COUNT(*) AS ?n) WHERE {{ {some} }} GROUP BY ?o ORDER BY DESC(?n) ?o"
        rows = reader.examples(text, most)
        return tuple(dict.fromkeys(example(row[0]) for row in rows))

    return values_of


def example(term: Term | None) -> str:
    """A literal in its usual writing."""
    if term is not None and term.datatype == XSD + "boolean":
        return _TRUTHS.get(term.value, term.value)
    is_number = term is not None and _VALUE_TYPES.get(term.datatype or "") == ValueType.QUANTITY
    return decimal(value(term)) if is_number else shorten(value(term))
