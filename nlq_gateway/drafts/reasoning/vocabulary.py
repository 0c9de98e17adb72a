"""The schema as the reasoner walks it: which relations and attributes suit which concepts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from compilers.kopl.functions import Kind, ValueType
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index import Index
from nlq_gateway.language.lexicon import PERSON_HINT, PLACE_HINT

_ALL = 0.97
_MOST = 0.1
_SOME = 0.005
_LIKE = 0.55
TIMES = frozenset({ValueType.YEAR, ValueType.DATE})


@dataclass(frozen=True, slots=True)
class End:
    """The concepts at one end of a relation's or attribute's facts, each with all above it.

    (Nearly) every subject or object belongs to those in `surely`, a good part to those in `mostly`, some to
    those in `possibly`.
    """

    surely: frozenset[str]
    mostly: frozenset[str]
    possibly: frozenset[str]


@dataclass(frozen=True)
class Vocabulary:
    """Look-ups over one index, made once."""

    index: Index

    @cached_property
    def relations(self) -> tuple[SchemaItem, ...]:
        """All relations."""
        return tuple(item for item in self.index.schema if item.kind == Kind.RELATION)

    @cached_property
    def attributes(self) -> tuple[SchemaItem, ...]:
        """All attributes."""
        return tuple(item for item in self.index.schema if item.kind == Kind.ATTRIBUTE)

    @cached_property
    def concepts(self) -> tuple[SchemaItem, ...]:
        """All concepts."""
        return tuple(item for item in self.index.schema if item.kind == Kind.CONCEPT)

    @cached_property
    def rarest_kinds(self) -> tuple[str, ...]:
        """The IRIs of all concepts, and of relations to things without a class; the fewest members first."""
        kinds = (*self.concepts, *(item for item in self.relations if item.leads_to_unnamed))
        return tuple(item.iri for item in sorted(kinds, key=lambda item: item.count))

    @cached_property
    def person_like(self) -> frozenset[str]:
        """Concepts whose members are people."""
        return self._concepts_like(PERSON_HINT)

    @cached_property
    def place_like(self) -> frozenset[str]:
        """Concepts whose members are places."""
        return self._concepts_like(PLACE_HINT)

    @cached_property
    def place_items(self) -> frozenset[tuple[Kind, str]]:
        """Schema items whose name speaks of a place."""
        return self._items_like(PLACE_HINT)

    def qualifiers(self, item: SchemaItem) -> tuple[SchemaItem, ...]:
        """The qualifiers seen on an item's facts."""
        found = (self.index.item(Kind.QUALIFIER, iri) for iri in item.qualifiers)
        return tuple(qualifier for qualifier in found if qualifier is not None)

    def upward(self, concepts: Iterable[str]) -> frozenset[str]:
        """The concepts and all above them."""
        found: set[str] = set()
        for concept in concepts:
            if concept not in found:
                found.add(concept)
                found.update(self.index.ancestors(concept))
        return frozenset(found)

    def end(self, item: SchemaItem, side: str) -> End:
        """The concepts at one end of a relation's or an attribute's facts."""
        return self._ends[item.kind, item.iri, side]

    def mostly(self, item: SchemaItem, side: str) -> frozenset[str]:
        """Concepts that a good part of the subjects or objects of the item's facts belongs to."""
        return self._ends[item.kind, item.iri, side].mostly

    @cached_property
    def _ends(self) -> dict[tuple[Kind, str, str], End]:
        sides = ("domains", "ranges")
        items = (*self.relations, *self.attributes)
        return {(item.kind, item.iri, side): self._end(item, side) for item in items for side in sides}

    def _end(self, item: SchemaItem, side: str) -> End:
        counts = item.ranges if side == "ranges" else item.domains
        total = max(item.count, 1)

        def above(share: float) -> frozenset[str]:
            return self.upward(iri for iri, count in counts if count >= share * total)

        return End(above(_ALL), above(_MOST), above(_SOME))

    def main_ends(self, item: SchemaItem, side: str) -> frozenset[str]:
        """The concepts themselves that a good part of the subjects or objects belongs to."""
        counts = item.ranges if side == "ranges" else item.domains
        return frozenset(iri for iri, count in counts if count >= _MOST * max(item.count, 1))

    @cached_property
    def keys(self) -> frozenset[str]:
        """The attributes that identify: called an id, or as the relation that leads where they point."""
        return frozenset(item.iri for item in self.attributes if self.is_key(item))

    def is_key(self, attribute: SchemaItem) -> bool:
        """True if an attribute is among `keys`."""
        words = set(attribute.label.lower().split())
        led = (set(r.label.lower().split()) for r in self.relations if r.domains[:1] == attribute.domains[:1])
        return "id" in words or (bool(words) and any(words <= label for label in led))

    def suits(self, item: SchemaItem, side: str, concepts: frozenset[str]) -> bool:
        """True if members of the concepts commonly stand on that side of the item's facts."""
        usual = self.mostly(item, side)
        return not concepts or not usual or not usual.isdisjoint(concepts)

    def _concepts_like(self, hint: str) -> frozenset[str]:
        near = {iri for kind, iri in self._items_like(hint) if kind == Kind.CONCEPT}
        return frozenset(near).union(*(self.index.descendants(iri) for iri in near))

    def _items_like(self, hint: str) -> frozenset[tuple[Kind, str]]:
        """Items with a name that means about the same as the hint, or that has it as a word."""
        scores = self.index.schema_vectors @ self.index.encode([hint])[0]
        near = {self.index.schema_texts[row][0] for row in np.flatnonzero(scores > _LIKE)}
        near |= {position for position, text in self.index.schema_texts if hint in text.lower().split()}
        return frozenset((self.index.schema[at].kind, self.index.schema[at].iri) for at in near)
