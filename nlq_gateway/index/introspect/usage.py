"""The use of a graph's predicates: counts, domains, ranges, types, units, examples."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.shapes import units_by_commonness
from compilers.kopl.values import by_commonness, format_number
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.introspect.kinds import Kinds
from nlq_gateway.index.introspect.pages import integer, value
from nlq_gateway.index.introspect.reader import FACTS, TRIPLES, Counts, Source, StoreReader

_EXAMPLE_LENGTH = 100

TypeCounts = dict[str, Counter[ValueType]]


@dataclass(slots=True)
class PredicateUsage:
    """The use of the predicates of one kind, each field by predicate: `subjects` are distinct ones."""

    kind: Kind
    count: Counter[str]
    subjects: Counter[str]
    domains: Counts
    ranges: Counts
    value_types: TypeCounts = field(default_factory=dict)
    units: Counts = field(default_factory=dict)
    qualifiers: Counts = field(default_factory=dict)
    examples: dict[str, tuple[str, ...]] = field(default_factory=dict)
    inverses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    completions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def item(self, iri: str) -> SchemaItem:
        """The schema item of one predicate, without names."""
        return SchemaItem(
            self.kind,
            iri,
            "",
            count=self.count[iri],
            domains=most_common(self.domains, iri),
            ranges=most_common(self.ranges, iri),
            value_types=by_commonness(self.value_types.get(iri, {})),
            units=units_by_commonness(self.units.get(iri, {})),
            examples=self.examples.get(iri, ()),
            qualifiers=tuple(name for name, _ in most_common(self.qualifiers, iri)),
            functional=self.count[iri] == self.subjects[iri],
            inverse=self.inverses.get(iri, ()),
            completed_by=self.completions.get(iri, ()),
        )


def read_usage(
    reader: StoreReader, kind: Kind, shape: str, kinds: Kinds, source: Source = TRIPLES
) -> PredicateUsage:
    """Counts, domains and ranges of the predicates whose facts have a shape (a pattern over ?s ?p ?o)."""
    text = f"SELECT ?p (COUNT(*) AS ?n) (COUNT(DISTINCT ?s) AS ?m) WHERE {{ {FACTS} {shape} }} GROUP BY ?p"
    counts: Counter[str] = Counter()
    subjects: Counter[str] = Counter()
    for predicate, number, distinct in reader.facts(text, f"{kind} counts", source):
        if number is not None and integer(number):
            share = reader.share(value(predicate), source)
            counts[value(predicate)] += round(integer(number) * share)
            subjects[value(predicate)] += round(integer(distinct) * share)

    def classes(end: str, name: str) -> Counts:
        found: Counts = defaultdict(Counter)
        for stated in kinds.stated(f"?{end}", "?x"):
            for predicate, counted in reader.group(
                f"{FACTS} {shape} {stated}", f"{kind} {name}", source
            ).items():
                found[predicate].update(counted)
        return found

    return PredicateUsage(
        kind,
        counts,
        subjects,
        classes("s", "domains") if kind != Kind.QUALIFIER else {},
        classes("o", "ranges") if kind == Kind.RELATION else {},
    )


def most_common(counts: Mapping[str, Counter[str]], key: str) -> tuple[tuple[str, int], ...]:
    """The counts of one key, most frequent first and then by name."""
    return tuple(sorted(counts.get(key, {}).items(), key=lambda pair: (-pair[1], pair[0])))


def decimal(lexical: str) -> str:
    """A number as people write it: without an exponent, and without a fraction of zeros."""
    try:
        number = float(lexical)
    except ValueError:
        return lexical
    is_long_winded = number.is_integer() or "e" in lexical.lower()
    return format_number(number) if is_long_winded and math.isfinite(number) else lexical


def shorten(example: str) -> str:
    """An example value that fits a line."""
    line = " ".join(example.split())
    return line if len(line) <= _EXAMPLE_LENGTH else line[: _EXAMPLE_LENGTH - 1] + "…"
