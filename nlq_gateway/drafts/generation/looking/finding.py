"""Matches for some words: names by spelling, shared words and meaning; descriptions and values by words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from compilers.kopl.functions import NAMING_KINDS, SCHEMA_KINDS, Kind
from nlq_gateway.core.types import Hit, SchemaItem
from nlq_gateway.drafts.generation.card.block import note_of, shortened, type_names
from nlq_gateway.drafts.generation.context.asked import holders
from nlq_gateway.index import Index

NOTHING = "Nothing in the graph is like that: try other words."
# The numbers of names shown of each kind: by spelling, and by meaning.
_EACH, _MEANT = 6, 6
_VALUES = 6
_LEAST, _LEAST_MEANT, _LEAST_DESCRIBED = 0.5, 0.4, 0.3
_CLASSES, _MEMBERS = 3, 2


def found(index: Index, words: str) -> tuple[str, ...]:
    """A line for each item, thing and value, the best first; a line that says so if there is none."""
    lines = (*_names(index, words), *_descriptions(index, words), *_values(index, words)) if words else ()
    surest = sorted(lines, key=lambda pair: -pair[0])
    return tuple(dict.fromkeys(line for _, line in surest)) or (NOTHING,)


def _names(index: Index, words: str) -> Iterator[tuple[float, str]]:
    """Names of the graph, each with its score for the words, in [0, 1]."""
    hits = list(_hits(index, words))
    things = index.entities(hit.iri for hit in hits if hit.kind == Kind.ENTITY)
    for hit in hits:
        if hit.kind == Kind.ENTITY:
            concepts = things[hit.iri].concepts if hit.iri in things else ()
            yield hit.score, f"thing {_quoted(hit.label)}{_of(index, concepts)}"
        elif item := index.item(hit.kind, hit.iri):
            yield hit.score, described(index, item)


def _descriptions(index: Index, words: str) -> Iterator[tuple[float, str]]:
    """Items of the schema whose descriptions have some of the words, as `_names`."""
    likeness = index.descriptions.like(words)
    likest = sorted(likeness, key=lambda at: (-likeness[at], -index.schema[at].count))
    for at in likest[: 2 * _EACH]:
        if likeness[at] >= _LEAST_DESCRIBED:
            yield likeness[at], described(index, index.schema[at])


def _hits(index: Index, words: str) -> Iterator[Hit]:
    for kind in NAMING_KINDS:
        yield from (hit for hit in index.search(words, (kind,), _EACH) if hit.score >= _LEAST)
        if kind in SCHEMA_KINDS:
            (near,) = index.nearest(kind, [words], _MEANT) or ((),)
            yield from (hit for hit in near if hit.score >= _LEAST_MEANT)


def described(index: Index, item: SchemaItem) -> str:
    """`relation "directed by" (80): film -> person, such as "Joel Coen"`, and similar for the other kinds.

    A description stands behind the number of members or facts.
    """
    note = note_of(item)
    name = f"{_WORDS[item.kind]} {_quoted(item.label)} ({item.count:,}{f': {note}' if note else ''})"
    if item.kind == Kind.CONCEPT:
        return f"{name}{_such(index, (item.iri,))}"
    own = _labels(index, (iri for iri, _ in item.domains))
    if item.kind == Kind.RELATION:
        ends = [iri for iri, _ in item.ranges]
        return f"{name}: {own or 'thing'} -> {_labels(index, ends) or 'thing'}{_such(index, ends[:1])}"
    values = ", ".join(map(shortened, item.examples[:_CLASSES]))
    about = type_names(item) or "text"
    return f"{name}{f' of {own}' if own else ''}: {about}{f', such as {values}' if values else ''}"


def _such(index: Index, concepts: Sequence[str]) -> str:
    """Some of the members of classes, which explain names that are codes."""
    members = (label for labels in index.members(concepts).values() for label in labels)
    shown = ", ".join(_quoted(label) for label in list(members)[:_MEMBERS])
    return f", such as {shown}" if shown else ""


_WORDS = {
    Kind.CONCEPT: "class",
    Kind.RELATION: "relation",
    Kind.ATTRIBUTE: "attribute",
    Kind.QUALIFIER: "qualifier",
}


def _values(index: Index, words: str) -> Iterator[tuple[float, str]]:
    """Strings that attributes have as values, as `_names`."""
    same, spelled = (
        index.texts.equal_to([words]).get(words, ()),
        index.texts.misspelt(words, [words]).get(words, ()),
    )
    hits = {hit.value: hit for hit in reversed((*same, *spelled, *index.texts.with_words(words)))}
    for hit in sorted(hits.values(), key=lambda hit: -hit.score)[:_VALUES]:
        having = ", ".join(dict.fromkeys(holders(index, sorted(hit.predicates))))
        yield hit.score, f"value {_quoted(hit.value)} of {having}"


def _of(index: Index, concepts: Iterable[str]) -> str:
    labels = _labels(index, concepts)
    return f", a {labels}" if labels else ""


def _labels(index: Index, concepts: Iterable[str]) -> str:
    labels = dict.fromkeys(shortened(item.label) for item in index.items(Kind.CONCEPT, concepts))
    return ", ".join(list(labels)[:_CLASSES])


def _quoted(text: str) -> str:
    return f'"{shortened(text, 100)}"'
