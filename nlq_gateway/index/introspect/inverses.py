"""Inverse relations: declared ones, and those that the data show.

Of two declared inverses a graph often states only one: `skos:broader`, and no `skos:narrower`. The other one
is a relation of the schema, too, with the same facts the other way round, for which the grounder takes the
stated one. Where both have facts, and some are stated one way alone, each is read with the other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import Partition, SchemaItem
from nlq_gateway.index.forms import FactPatterns
from nlq_gateway.index.introspect.pages import TOO_MUCH, integer, value
from nlq_gateway.index.introspect.reader import StoreReader

# A share of the first pairs must be connected the other way too, by either relation.
_PAIRS = 200
_LEAST_PAIRS = 5
_LEAST_SHARE = 0.95
_STAGE = "inverses"
# Looking up 200 pairs takes milliseconds; a slower store reads more than it has to.
_QUERY_S = 5.0


def find_inverses(
    reader: StoreReader, form: FactPatterns, relations: Sequence[str], declared: Mapping[str, Collection[str]]
) -> dict[str, tuple[str, ...]]:
    """The inverses of each relation among these relations; a symmetric one is its own inverse."""
    reader.begin(_STAGE)
    known = set(relations)
    back: dict[str, Counter[str]] = {}
    sizes: Counter[str] = Counter()
    for number, relation in enumerate(relations):
        if reader.over_budget:
            reader.sampled[_STAGE] = f"looked for among the first {number} relations: the time was used up"
            break
        try:
            back[relation], sizes[relation] = _ways_back(reader, form, relation)
        except TOO_MUCH as error:
            reader.sampled[_STAGE] = f"not looked for with all relations: {error.message}"

    def leads_back(one: str, other: str) -> bool:
        return sizes[one] >= _LEAST_PAIRS and back[one][other] >= _LEAST_SHARE * sizes[one]

    found: dict[str, set[str]] = defaultdict(set)
    for relation, others in back.items():
        found[relation] |= {one for one in others if leads_back(relation, one) and leads_back(one, relation)}
    for relation in known:
        found[relation] |= known.intersection(declared.get(relation, ()))
    return {relation: tuple(sorted(others)) for relation, others in found.items() if others}


def find_completions(
    reader: StoreReader, relations: Sequence[str], declared: Mapping[str, Collection[str]]
) -> dict[str, tuple[str, ...]]:
    """The declared inverses of each relation that state facts which it lacks; of a symmetric one itself."""
    found = {}
    for relation in relations:
        inverses = sorted({*relations} & {*declared.get(relation, ())})
        if lacking := tuple(one for one in inverses if _lacks(reader, relation, one)):
            found[relation] = lacking
    return found


def _lacks(reader: StoreReader, relation: str, inverse: str) -> bool:
    """True if the relation lacks a fact of its inverse; False where the store is too slow to tell."""
    back = f"?o <{inverse}> ?s . FILTER(isIRI(?s)) FILTER NOT EXISTS {{ ?s <{relation}> ?o }}"
    try:
        return bool(reader.some(f"SELECT ?s WHERE {{ {back} }}", 1))
    except TOO_MUCH as error:
        reader.sampled[_STAGE] = f"not compared in full: {error.message}"
        return False


def with_unstated(
    items: Sequence[SchemaItem], declared: Mapping[str, Collection[str]], wants: Callable[[str], bool]
) -> Iterator[SchemaItem]:
    """The items, and the declared inverses of relations that have no facts of their own, if wanted."""
    known = {item.iri for item in items if item.kind == Kind.RELATION}
    for item in items:
        is_named = item.kind == Kind.RELATION and not item.leads_to_unnamed
        inverses = {*declared.get(item.iri, ())} - known if is_named else ()
        unstated = sorted(filter(wants, inverses))
        known.update(unstated)
        yield replace(item, inverse=(*item.inverse, *unstated))
        turned = replace(item, domains=item.ranges, ranges=item.domains, functional=False, stated_as=item.iri)
        yield from (replace(turned, iri=iri, inverse=(item.iri,)) for iri in unstated)


def partitions_of_unstated(
    partitions: Iterable[Partition], items: Iterable[SchemaItem]
) -> tuple[Partition, ...]:
    """The partitions, and those of inverses without facts of their own: the other way round."""
    found = tuple(partitions)
    turned = (
        replace(one, concept=one.target, target=one.concept, iri=item.iri)
        for item in items
        if item.stated_as
        for one in found
        if one.kind == Kind.RELATION and one.iri == item.stated_as and one.target
    )
    return *found, *turned


def _ways_back(reader: StoreReader, form: FactPatterns, relation: str) -> tuple[Counter[str], int]:
    """The number of a relation's first pairs that each predicate connects backwards, and of all pairs."""
    own = form.facts(p=f"<{relation}>")
    pairs = f"{{ SELECT DISTINCT ?s ?o WHERE {{ {own} FILTER(isIRI(?s) && isIRI(?o)) }} LIMIT {_PAIRS} }}"
    ways = f"{pairs} {_unnamed(form.facts('?o', '?q', '?s'))}"
    text = f"SELECT ?q (COUNT(*) AS ?n) WHERE {{ {ways} }} GROUP BY ?q"
    rows = reader.rows(text, within_s=_QUERY_S)
    counts = Counter({value(way): integer(number) for way, number in rows if way is not None})
    if not counts:
        return counts, 0
    looked_at = reader.some(f"SELECT (COUNT(*) AS ?n) WHERE {{ {pairs} }}", 1)
    return counts, integer(looked_at[0][0]) if looked_at else 0


def _unnamed(pattern: str) -> str:
    """The pattern of another fact, with a variable of its own for the node."""
    return pattern.replace("?node", "?other")
