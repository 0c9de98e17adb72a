"""Look-ups in the schema of one graph: items by position, and ways from and to members of a class."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from compilers.kopl.functions import SCHEMA_KINDS, Kind
from nlq_gateway.core.types import FactsAround, SchemaItem
from nlq_gateway.index import Index

LEADING = (Kind.RELATION, Kind.ATTRIBUTE)

# The position of a relation or attribute in the index's schema, and forward or backward.
Way = tuple[int, str]


@dataclass(frozen=True)
class IndexSchema:
    """An index's schema by position; made once, on first use."""

    index: Index

    def __getitem__(self, position: int) -> SchemaItem:
        """The item at a position."""
        return self.index.schema[position]

    @cached_property
    def of_kind(self) -> dict[Kind, tuple[int, ...]]:
        """The positions of each kind, the most used first."""
        items = tuple(enumerate(self.index.schema))
        return {kind: tuple(at for at, item in items if item.kind == kind) for kind in SCHEMA_KINDS}

    def qualifiers(self, positions: Iterable[int]) -> frozenset[int]:
        """The positions of the qualifiers seen on the facts of these items."""
        iris = {iri for at in positions for iri in self[at].qualifiers}
        places = (self.index.positions.get((Kind.QUALIFIER, iri)) for iri in iris)
        return frozenset(place for place in places if place is not None)

    def beside(self, concept: str) -> tuple[int, ...]:
        """The positions of the concepts directly above and below a concept."""
        return self._neighbours.get(concept, ())

    @cached_property
    def _neighbours(self) -> dict[str, tuple[int, ...]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for position in self.of_kind[Kind.CONCEPT]:
            for parent in self[position].parents:
                found[parent].append(position)
                if (Kind.CONCEPT, parent) in self.index.positions:
                    found[self[position].iri].append(self.index.positions[Kind.CONCEPT, parent])
        return {iri: tuple(sorted(places)) for iri, places in found.items()}

    def ways_from(self, around: FactsAround, entity: str) -> tuple[Way, ...]:
        """The ways from and to an entity, in the order of the schema; raises the errors of `around`."""
        ways = [
            (self.index.positions[kind, iri], direction)
            for iri, direction in around.around(entity)
            for kind in (LEADING if direction == "forward" else LEADING[:1])
            if (kind, iri) in self.index.positions
        ]
        return tuple(sorted(ways))

    def ways_of(self, concept: str) -> tuple[Way, ...]:
        """The ways from and to members of a concept, in the order of the schema.

        These are the graph's ways on members of it and of those below; a concept above adds only ways that no
        lower concept has.
        """
        seen = {way for iri in (concept, *self.index.descendants(concept)) for way in self._ends.get(iri, ())}
        above = (way for iri in self.index.ancestors(concept) for way in self._lowest_ends.get(iri, ()))
        return tuple(sorted(seen.union(above)))

    @cached_property
    def _ends(self) -> dict[str, list[Way]]:
        """The ways by the concepts at their near end."""
        found: defaultdict[str, list[Way]] = defaultdict(list)
        for way, concepts in self._stated_ends():
            for iri in concepts:
                found[iri].append(way)
        return dict(found)

    @cached_property
    def _lowest_ends(self) -> dict[str, list[Way]]:
        """The ways by the concepts at their near end, only if no other of these concepts is below them."""
        ancestors = {self[at].iri: self.index.ancestors(self[at].iri) for at in self.of_kind[Kind.CONCEPT]}
        found: defaultdict[str, list[Way]] = defaultdict(list)
        for way, concepts in self._stated_ends():
            above = {upper for iri in concepts for upper in ancestors.get(iri, ())}
            for iri in concepts:
                if iri not in above:
                    found[iri].append(way)
        return dict(found)

    def _stated_ends(self) -> Iterator[tuple[Way, tuple[str, ...]]]:
        for position, item in enumerate(self.index.schema):
            if item.kind in LEADING:
                yield (position, "forward"), tuple(iri for iri, _ in item.domains)
            if item.kind == Kind.RELATION:
                yield (position, "backward"), tuple(iri for iri, _ in item.ranges)
