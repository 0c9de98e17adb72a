"""The description of one schema item, outside the blocks of a card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.generation.card.block import shortened, type_names
from nlq_gateway.index import Index

_ENDS = 3
_LONGEST = 200


def described(index: Index, item: SchemaItem) -> str:
    """`directed by: relation from film to person`, `duration: attribute of film, number in minute`."""
    return f"{shortened(item.label, _LONGEST)}: {item.kind.value}{''.join(_about(index, item))}"


def _about(index: Index, item: SchemaItem) -> Iterator[str]:
    begin, end = _classes(index, item.domains), _classes(index, item.ranges)
    if begin:
        yield f" {'from' if item.kind == Kind.RELATION else 'of'} {begin}"
    if end:
        yield f" to {end}"
    if types := type_names(item):
        yield f", {types}"
    if item.description:
        yield f"; {shortened(item.description, _LONGEST)}"


def _classes(index: Index, ends: Sequence[tuple[str, int]]) -> str:
    found = index.items(Kind.CONCEPT, (iri for iri, _ in ends[:_ENDS]))
    return " or ".join(shortened(item.label) for item in found)
