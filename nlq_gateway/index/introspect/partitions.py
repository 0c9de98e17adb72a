"""The use of relations and attributes by the members of each class (VoID, 4.5: property partitions).

The ends of a relation and the values of an attribute differ from class to class: a film's `name` is no
person's, and `located in` leads from a city to a country, from a country to a continent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from itertools import product

from compilers.kopl.functions import Kind
from connectors.results import Term
from nlq_gateway.core.types import Partition
from nlq_gateway.index.introspect.classes import is_vocabulary
from nlq_gateway.index.introspect.kinds import Kinds
from nlq_gateway.index.introspect.pages import integer, value
from nlq_gateway.index.introspect.reader import FACTS, TRIPLES, Source, StoreReader
from nlq_gateway.index.introspect.usage import PredicateUsage, most_common

# The listed values of an attribute; a shorter listing is complete.
MOST_VALUES = 8
# The facts of a class that are read for values.
LOOKED_AT = 1_000
_CLASSES_EACH = 12
MOST_QUERIES = 2_000

# Values of an attribute whose subject ?s meets a pattern, at most the given number, in writing.
ValuesOf = Callable[[str, str, int], tuple[str, ...]]


def relation_partitions(
    reader: StoreReader, usage: PredicateUsage, shape: str, kinds: Kinds, source: Source = TRIPLES
) -> Iterator[Partition]:
    """The partitions of relations: the classes that each leads to from each class, the commonest first.

    The usage must be read by the same `shape` and `source`. Objects without a class are counted together.
    """
    reader.begin("partitions")
    targets: defaultdict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for near, far in product(kinds.stated("?s", "?c"), kinds.stated("?o", "?d")):
        text = f"SELECT ?p ?c ?d (COUNT(*) AS ?n) WHERE {{ {FACTS} {shape} {near} {far} }} GROUP BY ?p ?c ?d"
        for *terms, number in reader.facts(text, "partitions", source):
            predicate, subject, object_ = map(value, terms)
            if all(map(_is_class, terms[1:])):
                count = round(integer(number) * reader.share(predicate, source))
                targets[predicate, subject][object_] = count
    classed = {iri for iri, _ in targets}
    for iri in usage.count:
        # For a relation without classed objects, the usage has those that an ontology declares.
        declared = () if iri in classed else usage.ranges.get(iri, ())
        for concept, count in most_common(usage.domains, iri):
            found = targets.get((iri, concept)) or dict.fromkeys(declared or ("",), count)
            for target in sorted(found, key=lambda one: (-found[one], one)):
                yield Partition(concept, Kind.RELATION, iri, found[target], target)


def _is_class(term: Term | None) -> bool:
    return term is not None and term.kind == "iri" and not is_vocabulary(term.value)


def attribute_partitions(
    reader: StoreReader, usage: PredicateUsage, kinds: Kinds, values_of: ValuesOf
) -> Iterator[Partition]:
    """The partitions of attributes; the larger ones have values of their own as time allows."""
    reader.begin("partition values")
    asked = 0
    for number, iri in enumerate(usage.count):
        reader.progress("partition values", number, len(usage.count))
        for rank, (concept, count) in enumerate(most_common(usage.domains, iri)):
            values: tuple[str, ...] = ()
            if rank < _CLASSES_EACH and asked < MOST_QUERIES and not reader.over_budget:
                asked += 1
                values = values_of(iri, kinds.members("?s", concept), MOST_VALUES + 1)
            is_complete = 0 < len(values) <= MOST_VALUES and count <= LOOKED_AT
            shown = values[:MOST_VALUES] or usage.examples.get(iri, ())
            yield Partition(concept, Kind.ATTRIBUTE, iri, count, "", shown, is_complete)


def read_examples(
    reader: StoreReader, kind: Kind, predicates: Collection[str], values_of: ValuesOf
) -> dict[str, tuple[str, ...]]:
    """A few values of each predicate, in writing."""
    found: dict[str, tuple[str, ...]] = {}
    for number, predicate in enumerate(predicates):
        reader.progress(f"{kind} examples", number, len(predicates))
        found[predicate] = values_of(predicate, "", reader.limits.examples)
    return found
