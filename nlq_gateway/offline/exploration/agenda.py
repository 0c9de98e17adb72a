"""Ideas that see to the whole schema: each relation in both directions, attribute, class, qualifier."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.offline.exploration.schema import Classes, Idea, IdeaPart, Move, SchemaItems, classes_of

# A large schema has more of them than a corpus can hold.
PAIRS = 150


def agenda(schema: SchemaItems) -> Iterator[tuple[Idea, ...]]:
    """Yield each item of the schema, of each kind in turn, the most used first; then relations in pairs.

    Each item comes as several ideas; later ones are tried if the earlier find nothing.
    """
    relations = (tuple(_of_move(schema, move)) for move in schema.moves)
    attributes = (_of_attribute(item) for item in schema.of_kind(Kind.ATTRIBUTE))
    concepts = (_of_concept(item) for item in schema.of_kind(Kind.CONCEPT))
    qualifiers = [item.iri for item in schema.of_kind(Kind.QUALIFIER)]
    asked = (tuple(_of_qualifier(schema, qualifier)) for qualifier in qualifiers)
    compared = (tuple(_by_qualifier(schema, qualifier)) for qualifier in qualifiers)
    for ideas in zip_longest(relations, attributes, concepts, asked, compared, fillvalue=()):
        yield from filter(None, ideas)
    for pair in _pairs(schema)[:PAIRS]:
        yield tuple(Idea(IdeaPart("entity"), pair, IdeaPart(form)) for form in ("names", "count"))


def _pairs(schema: SchemaItems) -> list[tuple[Move, Move]]:
    """Relations that lead on from one another, those first that most facts do."""
    likely = {
        (first, second): sure * schema.facts(first)
        for first in schema.moves
        for second, sure in schema.moves_from(schema.after(first))
        if second != first.inverse or schema.has_others(second)
    }
    return sorted(likely, key=lambda pair: (-likely[pair], pair))


def _of_move(schema: SchemaItems, move: Move) -> Iterator[Idea]:
    """Yield ideas that begin with an entity; if entities have no names, with a value or a whole class."""
    closings = tuple(IdeaPart(form) for form in ("names", "count", "contains"))
    yield from (Idea(IdeaPart("entity"), (move,), closing) for closing in closings)
    values = [IdeaPart("attribute", (item.iri,)) for item, _ in schema.attributes_of(schema.after(move))[:2]]
    for concept in _commonest(schema.after(move.inverse)):
        for item, _ in schema.attributes_of(classes_of(concept))[:2]:
            start = IdeaPart("value", (item.iri,), concept=concept)
            yield from (Idea(start, (move,), closing) for closing in (*values, *closings[:2]))
        yield Idea(IdeaPart("concept", concept=concept), (move,), closings[1])


def _commonest(classes: Classes) -> list[str]:
    return sorted(classes, key=lambda concept: (-classes[concept], concept))[:1]


def _of_concept(item: SchemaItem) -> tuple[Idea, ...]:
    return tuple(
        Idea(IdeaPart("concept", concept=item.iri), (), IdeaPart(form)) for form in ("names", "count")
    )


def _of_attribute(item: SchemaItem) -> tuple[Idea, ...]:
    closing = IdeaPart("attribute", (item.iri,))
    of_class = (Idea(IdeaPart("concept", concept=iri), (), closing) for iri, _ in item.domains[-1:])
    return (Idea(IdeaPart("entity"), (), closing), *of_class)


def _of_qualifier(schema: SchemaItems, qualifier: str) -> Iterator[Idea]:
    for move in _qualified(schema, qualifier):
        yield Idea(IdeaPart("entity"), (move,), IdeaPart("relation qualifier", qualifier=qualifier))
    for item in schema.of_kind(Kind.ATTRIBUTE) * 3:
        if qualifier in item.qualifiers and item.domains:
            closing = IdeaPart("attribute qualifier", (item.iri,), qualifier=qualifier)
            yield Idea(IdeaPart("concept", concept=item.domains[0][0]), (), closing)


def _by_qualifier(schema: SchemaItems, qualifier: str) -> Iterator[Idea]:
    for move in _qualified(schema, qualifier):
        yield Idea(IdeaPart("entity"), (move,), IdeaPart("names"), IdeaPart("qualified", qualifier=qualifier))


def _qualified(schema: SchemaItems, qualifier: str) -> Iterator[Move]:
    """The moves whose facts may have it; each again, as not all facts do."""
    for item in schema.of_kind(Kind.RELATION) * 2:
        if qualifier in item.qualifiers:
            yield from (Move(item.iri, "forward"), Move(item.iri, "backward"))
