"""A store's statistics of itself in VoID, and checks that they still hold."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from compilers.layouts.vocabulary import VOID
from connectors.results import Row
from nlq_gateway.index.introspect.pages import integer, value, values_block
from nlq_gateway.index.introspect.plan import NOTHING_STATED, Void

_LOOKED_AT = 3
_COUNTED = 10_000
_PLAUSIBLE = 2.0
# Partitions of a class's partition are about its members alone. Several data sets may be described.
_PARTITIONS = f"""
  VALUES (?part ?key) {{
    (<{VOID}propertyPartition> <{VOID}property>) (<{VOID}classPartition> <{VOID}class>)
  }}
  ?set ?part ?node . ?node ?key ?of
  OPTIONAL {{ ?node <{VOID}triples> ?triples }}
  OPTIONAL {{ ?node <{VOID}entities> ?entities }}
  FILTER NOT EXISTS {{ ?set <{VOID}class> ?class }}
  FILTER NOT EXISTS {{ ?set <{VOID}property> ?property }}
"""
_TOTALS = f"""
  ?set a <{VOID}Dataset>
  OPTIONAL {{ ?set <{VOID}triples> ?triples }} OPTIONAL {{ ?set <{VOID}entities> ?entities }}
"""
_PARTS = " ".join(f"SELECT ?set ?key ?of ?triples ?entities WHERE {{ {_PARTITIONS} }}".split())
_SETS = " ".join(f"SELECT ?set ?triples ?entities WHERE {{ {_TOTALS} }}".split())
# In the pattern of a place, the marker for the searched pattern.
_STATED = "%stated%"

Ask = Callable[[str, str], Iterable[Row] | None]


def read_void(ask: Ask, graphs: Sequence[str] | None = None) -> Void:
    """The statistics in the default graph, else in one of the named graphs: two to four queries.

    `graphs` are the named graphs that belong to the endpoint; None stands for all that the store shows.
    `ask` runs a query, with its purpose as first argument, and returns None if the store does not answer.
    """
    known = "" if graphs is None else values_block("graph", graphs)
    named = f"{known} GRAPH ?graph {{ {_STATED} }}"
    places = {"": _STATED, **({" of named graphs": named} if graphs is None or graphs else {})}
    for place, inside in places.items():
        sets = ask(f"VoID{place}", _within(_SETS, inside))
        if not sets:
            continue
        stated = _totals(sets)
        return _with_partitions(stated, ask(f"VoID partitions{place}", _within(_PARTS, inside)) or ())
    return NOTHING_STATED


def _within(text: str, inside: str) -> str:
    head, _, pattern = text.partition(" WHERE { ")
    return f"{head} WHERE {{ {inside.replace(_STATED, pattern.removesuffix(' }'))} }}"


def _totals(rows: Iterable[Row]) -> Void:
    """The numbers of the largest data set: others are parts of it, or not in the store."""
    totals: dict[str, tuple[int, int]] = {}
    for which, triples, entities in rows:
        known = totals.get(value(which), (0, 0))
        totals[value(which)] = (max(known[0], integer(triples)), max(known[1], integer(entities)))
    triples_of_all, entities_of_all = max(totals.values(), default=(0, 0))
    return Void(triples_of_all or None, entities_of_all or None)


def _with_partitions(stated: Void, rows: Iterable[Row]) -> Void:
    """The partitions of the data set that has the most of them."""
    sets: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        sets[value(row[0])].append(row)
    classes: Counter[str] = Counter()
    properties: Counter[str] = Counter()
    for _, key, of, triples, entities in max(sets.values(), key=len, default=[]):
        if value(key) == VOID + "class":
            classes[value(of)] = max(classes[value(of)], integer(entities or triples))
        else:
            properties[value(of)] = max(properties[value(of)], integer(triples))
    return replace(stated, classes=dict(+classes), properties=dict(+properties))


def doubts(stated: Void, ask: Ask) -> Iterator[str]:
    """Warnings for statistics that a few counts, of at most 10,000 triples each, contradict."""
    largest = sorted(stated.properties, key=lambda iri: (-stated.properties[iri], iri))[:_LOOKED_AT]
    for iri in largest:
        some = f"{{ SELECT ?s WHERE {{ ?s <{iri}> ?o }} LIMIT {_COUNTED} }}"
        rows = ask(f"VoID's count of <{iri}>", f"SELECT (COUNT(*) AS ?n) WHERE {{ {some} }}")
        for (number,) in rows or ():
            yield from contradiction(f"triples with <{iri}>", stated.properties[iri], integer(number))


def contradiction(what: str, stated: int, found: int) -> Iterator[str]:
    """The warning that a count is far from the stated one; a count of 10,000 stands for any higher one."""
    is_bound = found == _COUNTED
    least, most = found / _PLAUSIBLE, float("inf") if is_bound else found * _PLAUSIBLE
    if not least <= stated <= most:
        shown = f"{found:,} or more" if is_bound else f"{found:,}"
        yield f"VoID states {stated:,} {what}, but there are {shown}: it is not up to date, and not used"
