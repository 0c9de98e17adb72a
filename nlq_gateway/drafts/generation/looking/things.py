"""One thing, described by its own facts: programs that ask for them, and the lines with the results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from compilers.kopl.functions import Kind
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import EntityItem, SchemaItem
from nlq_gateway.drafts.generation.card.block import labelled, shortened
from nlq_gateway.index import Index

MOST_ATTRIBUTES, MOST_RELATIONS = 8, 16
ATTRIBUTE = "attribute"
_CLASSES = 3


@dataclass(frozen=True, slots=True)
class ThingProgram:
    """A program about a thing, with the IRIs that are meant."""

    program: Program
    choices: Mapping[tuple[int, int], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Having:
    """The facts of a thing, the most used predicates first: attributes, and relations with directions."""

    attributes: tuple[SchemaItem, ...]
    relations: tuple[tuple[SchemaItem, str], ...]
    left_out: tuple[SchemaItem, ...] = ()


def having(index: Index, facts: frozenset[tuple[str, str]]) -> Having:
    """The attributes and relations among the predicates around a thing, at most so many of each."""
    attributes = [
        item for iri, way in facts if way == "forward" and (item := index.item(Kind.ATTRIBUTE, iri))
    ]
    relations = [(item, way) for iri, way in facts if (item := index.item(Kind.RELATION, iri))]
    attributes.sort(key=lambda item: (-item.count, item.iri))
    relations.sort(key=lambda pair: (-pair[0].count, pair[0].iri, pair[1]))
    left_out = (*attributes[MOST_ATTRIBUTES:], *(item for item, _ in relations[MOST_RELATIONS:]))
    return Having(tuple(attributes[:MOST_ATTRIBUTES]), tuple(relations[:MOST_RELATIONS]), left_out)


def value_of(thing: EntityItem, attribute: SchemaItem) -> ThingProgram:
    """The program for an attribute's values."""
    steps = (_find(thing), Step("QueryAttr", (attribute.label,), (0,)))
    return ThingProgram(Program(steps), {(0, 0): (thing.iri,), (1, 0): (attribute.iri,)})


def led_to(thing: EntityItem, relation: SchemaItem, way: str) -> ThingProgram:
    """The program for the ends of a relation."""
    steps = (_find(thing), Step("Relate", (relation.label, way), (0,)), Step("What", (), (1,)))
    return ThingProgram(Program(steps), {(0, 0): (thing.iri,), (1, 0): (relation.iri,)})


def all_related(thing: EntityItem, relations: Sequence[tuple[SchemaItem, str]]) -> ThingProgram:
    """Steps for the ends of each relation, from the same thing: a program to probe, not to run."""
    steps = (Step("Relate", (item.label, way), (0,)) for item, way in relations)
    meant = {(at, 0): (item.iri,) for at, (item, _) in enumerate(relations, 1)}
    return ThingProgram(Program((_find(thing), *steps)), {(0, 0): (thing.iri,), **meant})


def head(index: Index, thing: EntityItem) -> str:
    """`"Pulp Fiction", a film; 24 facts`."""
    items = index.items(Kind.CONCEPT, thing.concepts[:_CLASSES])
    classes = ", ".join(shortened(item.label) for item in items)
    return f'"{shortened(thing.label, 100)}"{f", a {classes}" if classes else ""}; {thing.degree:,} facts'


def group(name: str, told: Sequence[tuple[SchemaItem, int | None, Sequence[str]]]) -> Iterator[str]:
    """`  forward: directed by -> 1: Quentin Tarantino`, a line for each.

    Each of `told` is an attribute or relation, the number of its values if known, and some of them.
    """
    sign = " = " if name == ATTRIBUTE else " -> "
    for item, count, some in told:
        yield f"  {name}: {labelled(item)}{sign}{_listed(count, some)}"


def others(left_out: Sequence[SchemaItem]) -> Iterator[str]:
    """`  more: budget, tagline`, a line if there are any."""
    if left_out:
        yield f"  more: {', '.join(dict.fromkeys(map(labelled, left_out)))}"


def _listed(count: int | None, some: Sequence[str]) -> str:
    shown = " | ".join(map(shortened, some))
    more = " | …" if count is not None and count > len(some) > 0 else ""
    return ": ".join(filter(None, ("" if count is None else f"{count:,}", f"{shown}{more}")))


def _find(thing: EntityItem) -> Step:
    return Step("Find", (thing.label,))
