"""Descriptions of names: classes by their blocks, relations and attributes by a line, things."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from compilers.kopl.functions import SCHEMA_KINDS, Kind
from nlq_gateway.core.types import EntityItem, SchemaItem
from nlq_gateway.drafts.generation.card import Blocks, SchemaRelevance, blocks_of
from nlq_gateway.drafts.generation.looking.finding import described, found
from nlq_gateway.index import Index

# The number of things, and of schema items, that are described of namesakes.
MOST_NAMESAKES = 3
# Tokens that the blocks of classes leave to other bearers of the name.
_NAMESAKES = 100


@dataclass(frozen=True, slots=True)
class NameDescriber:
    """Describes the bearers of a name; `thing` gives the lines of one thing.

    A block that does not fit `tokens` has the lines nearest to the question, by `near`.
    """

    blocks: Blocks
    near: SchemaRelevance
    count: Callable[[str], int]
    thing: Callable[[EntityItem], Iterator[str]]
    tokens: int

    def lines(self, name: str) -> Iterator[str]:
        """Lines of all bearers of the name; of similar names if there are none. Raises EndpointError."""
        index = self.index
        items = {kind: index.named(kind, name) for kind in SCHEMA_KINDS}
        things = index.entities_named(name)
        concepts = [item.iri for item in items.pop(Kind.CONCEPT)[:MOST_NAMESAKES]]
        if concepts:
            tokens = self.tokens - _NAMESAKES
            yield from blocks_of(self.blocks, concepts, self.near, self.count, tokens).split("\n")
        for same in items.values():
            yield from self._schema(same)
        for one in things[:MOST_NAMESAKES]:
            yield from self.thing(one)
        if len(things) > MOST_NAMESAKES:
            yield f"{len(things) - MOST_NAMESAKES} more things have that name"
        if not (concepts or things or any(items.values())):
            yield from ("Nothing in the graph has that name. This is like it:", *found(index, name))

    @property
    def index(self) -> Index:
        """The index of the blocks."""
        return self.blocks.index

    def _schema(self, same: tuple[SchemaItem, ...]) -> Iterator[str]:
        """A line for each item of one kind, the most used first."""
        yield from (described(self.index, item) for item in same[: 2 * MOST_NAMESAKES])
        if len(same) > 2 * MOST_NAMESAKES:
            yield f"{len(same) - 2 * MOST_NAMESAKES} more {same[0].kind}s have that name"
