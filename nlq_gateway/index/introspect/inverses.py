"""Inverse relations: declared ones, and those that the data show."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

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
