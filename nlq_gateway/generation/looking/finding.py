"""Names and values of a graph that are like some words: by spelling, by shared words, and by meaning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compilers.kopl.functions import NAMING_KINDS, SCHEMA_KINDS, Kind
from nlq_gateway.generation.card.block import shortened
from nlq_gateway.generation.card.value_types import type_names
from nlq_gateway.generation.context.asked import holders
from nlq_gateway.index import Index
from nlq_gateway.types import Hit, SchemaItem

NOTHING = "Nothing in the graph is like that: try other words."
# Of each kind, the names that are shown: of those that are spelled so, and of those that mean so.
_EACH, _MEANT = 6, 6
_VALUES = 6
_LEAST, _LEAST_MEANT = 0.5, 0.4
_CLASSES = 3


def found(index: Index, words: str) -> tuple[str, ...]:
    """A line for each name and value, the surest first; one that says so where there is none."""
    lines = (*_names(index, words), *_values(index, words)) if words else ()
    surest = sorted(lines, key=lambda pair: -pair[0])
    return tuple(dict.fromkeys(line for _, line in surest)) or (NOTHING,)


def _names(index: Index, words: str) -> Iterator[tuple[float, str]]:
    """Names of the graph, each with how sure it is that the words mean it, in [0, 1]."""
    hits = list(_hits(index, words))
    things = index.entities(hit.iri for hit in hits if hit.kind == Kind.ENTITY)
    for hit in hits:
        if hit.kind == Kind.ENTITY:
            concepts = things[hit.iri].concepts if hit.iri in things else ()
            yield hit.score, f"thing {_quoted(hit.label)}{_of(index, concepts)}"
        elif item := index.item(hit.kind, hit.iri):
            yield hit.score, described(index, item)


def _hits(index: Index, words: str) -> Iterator[Hit]:
    for kind in NAMING_KINDS:
        yield from (hit for hit in index.search(words, (kind,), _EACH) if hit.score >= _LEAST)
        if kind in SCHEMA_KINDS:
            (near,) = index.nearest(kind, [words], _MEANT) or ((),)
            yield from (hit for hit in near if hit.score >= _LEAST_MEANT)


def described(index: Index, item: SchemaItem) -> str:
    """`relation "directed by" (80): film -> person`, and alike for the other kinds of the schema."""
    name = f"{_WORDS[item.kind]} {_quoted(item.label)} ({item.count:,})"
    if item.kind == Kind.CONCEPT:
        return name
    own = _labels(index, (iri for iri, _ in item.domains))
    if item.kind == Kind.RELATION:
        return f"{name}: {own or 'thing'} -> {_labels(index, (iri for iri, _ in item.ranges)) or 'thing'}"
    values = ", ".join(map(shortened, item.examples[:_CLASSES]))
    about = type_names(item) or "text"
    return f"{name}{f' of {own}' if own else ''}: {about}{f', such as {values}' if values else ''}"


_WORDS = {
    Kind.CONCEPT: "class",
    Kind.RELATION: "relation",
    Kind.ATTRIBUTE: "attribute",
    Kind.QUALIFIER: "qualifier",
}


def _values(index: Index, words: str) -> Iterator[tuple[float, str]]:
    """Strings that attributes have as values, as `_names`."""
    same, spelled = index.texts([words]).get(words, ()), index.misspelt_texts(words, [words]).get(words, ())
    hits = {hit.value: hit for hit in reversed((*same, *spelled, *index.texts_with(words)))}
    for hit in sorted(hits.values(), key=lambda hit: -hit.score)[:_VALUES]:
        having = ", ".join(dict.fromkeys(holders(index, sorted(hit.predicates))))
        yield hit.score, f"value {_quoted(hit.value)} of {having}"


def _of(index: Index, concepts: Iterable[str]) -> str:
    labels = _labels(index, concepts)
    return f", a {labels}" if labels else ""


def _labels(index: Index, concepts: Iterable[str]) -> str:
    items = (index.item(Kind.CONCEPT, iri) for iri in concepts)
    labels = dict.fromkeys(shortened(item.label) for item in items if item is not None)
    return ", ".join(list(labels)[:_CLASSES])


def _quoted(text: str) -> str:
    return f'"{shortened(text, 100)}"'
