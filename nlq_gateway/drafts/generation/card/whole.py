"""The card of a graph as a whole, if it fits the budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from compilers.kopl.functions import Kind
from nlq_gateway.drafts.generation.card.block import CardBlock, CardLine, written
from nlq_gateway.drafts.generation.card.blocks import Blocks

Count = Callable[[str], int]

# Items of the schema for each token of the budget: for more, the whole is not tried.
_MOST_EACH = 1


def whole(blocks: Blocks, count: Count, budget: int) -> str | None:
    """The card of all classes, without the lines of classes above if need be; None if it does not fit."""
    if len(blocks.index.schema) > _MOST_EACH * budget:
        return None
    found = (*blocks.of(blocks.positions), *blocks.without_class)
    qualifiers = [item for item in blocks.index.schema if item.kind == Kind.QUALIFIER]
    for lines_of in (lambda block: block.lines, own_lines(blocks, found)):
        text = written(((block, lines_of(block)) for block in found), qualifiers)
        if count(text) <= budget:
            return text
    return None


def own_lines(blocks: Blocks, shown: Iterable[CardBlock]) -> Callable[[CardBlock], tuple[CardLine, ...]]:
    """A function for the lines of a block that no shown class above it has."""
    stated = {block.iri: {(line.group, line.position) for line in block.lines} for block in shown}

    def lines_of(block: CardBlock) -> tuple[CardLine, ...]:
        above = [stated[iri] for iri in blocks.index.ancestors(block.iri) if iri in stated]
        known: set[tuple[str, int]] = set().union(*above)
        return tuple(line for line in block.lines if (line.group, line.position) not in known)

    return lines_of
