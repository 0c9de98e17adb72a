"""String values of attributes and qualifiers, which questions write in any letter case."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from compilers.kopl.functions import Kind, ValueType
from compilers.layouts.vocabulary import WIKIBASE, XSD
from connectors.results import Term
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.forms import FactPatterns, form_of
from nlq_gateway.index.introspect.pages import NOT_TOLD, values_block
from nlq_gateway.index.introspect.reader import StoreReader
from nlq_gateway.index.manifest import Layout
from nlq_gateway.index.traits import Traits, find_traits

LONGEST_TEXT = 120
_TRIPLE = "?subject ?predicate ?text"
_KQAPRO = "?node <pred:value> ?text . ?subject ?predicate ?node"
_WIKIDATA = (
    f"?predicate <{WIKIBASE}statementProperty>|<{WIKIBASE}qualifier> ?leads . ?subject ?leads ?text"
    f" FILTER NOT EXISTS {{ ?subject <{WIKIBASE}rank> <{WIKIBASE}DeprecatedRank> }}"
)


@dataclass(frozen=True, slots=True)
class ValueTexts:
    """Strings by the position of their schema item; `complete` items have no others.

    Strings longer than LONGEST_TEXT are left out everywhere, as questions do not write them out.
    """

    values: tuple[tuple[int, str], ...] = ()
    complete: frozenset[int] = frozenset()


def text_pattern(layout: Layout, traits: Traits) -> str:
    """The pattern of a string ?text that is a value of ?predicate."""
    if layout in ("kqapro", "wikidata"):
        return _KQAPRO if layout == "kqapro" else _WIKIDATA
    form = form_of(layout, traits)
    if form.fact == FactPatterns().fact:
        return _TRIPLE
    return f"{{ {form.facts('?subject', '?predicate', '?text')} }} UNION {{ {_TRIPLE} }}"


def read_texts(
    reader: StoreReader, schema: Sequence[SchemaItem], layout: Layout, languages: Collection[str]
) -> ValueTexts:
    """The strings of as many attributes and qualifiers as the limits allow, those with few facts first."""
    wanted = [
        at
        for at, item in enumerate(schema)
        if item.kind in (Kind.ATTRIBUTE, Kind.QUALIFIER) and ValueType.STRING in item.value_types
    ]
    if not wanted:
        return ValueTexts()
    reader.begin("text values")
    pattern = text_pattern(layout, find_traits(reader.connector, layout))
    values: list[tuple[int, str]] = []
    complete: set[int] = set()
    deadline = time.monotonic() + reader.limits.text_seconds
    for number, at in enumerate(sorted(wanted, key=lambda at: schema[at].count)):
        reader.progress("text values", number, len(wanted))
        room = min(reader.limits.texts - len(values), reader.limits.texts_each)
        if room <= 0 or time.monotonic() > deadline or reader.over_budget:
            break
        terms = _texts_of(reader, schema[at].iri, pattern, room)
        if terms is None:
            continue
        values += [(at, text) for text in dict.fromkeys(_read(terms, languages))]
        # A store may silently cap its answers; caps are round numbers.
        if len(terms) < room and (not terms or len(terms) % 100):
            complete.add(at)
    if len(complete) < len(wanted):
        reader.sampled["text values"] = f"all of {len(complete)} of the {len(wanted)} that have strings"
    return ValueTexts(tuple(values), frozenset(complete))


def _texts_of(reader: StoreReader, iri: str, pattern: str, room: int) -> tuple[Term, ...] | None:
    """The short literals of one predicate, at most `room`; None if the store does not give them."""
    is_string = f"FILTER(isLiteral(?text) && STRLEN(STR(?text)) <= {LONGEST_TEXT})"
    text = f"SELECT DISTINCT ?text WHERE {{ {values_block('predicate', (iri,))} {pattern} {is_string} }}"
    try:
        found = reader.some(f"{text} LIMIT {room}", room)
    except NOT_TOLD:
        return None
    return tuple(term for (term,) in found if term is not None)


def _read(terms: Collection[Term], languages: Collection[str]) -> Iterator[str]:
    """The strings among the literals, those in other languages than the graph's names left out."""
    for term in terms:
        plain = term.datatype in (None, XSD + "string") and not term.language
        if plain or (term.language and term.language.lower() in languages):
            yield term.value
