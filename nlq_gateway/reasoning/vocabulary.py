"""The schema as the reasoner walks it: which relations and attributes suit which concepts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from compilers.kopl.functions import Kind, ValueType
from nlq_gateway.index import Index
from nlq_gateway.reasoning.lexicon import PERSON_HINT, PLACE_HINT
from nlq_gateway.types import SchemaItem

_ALL = 0.97
_LIKE = 0.6
TIMES = frozenset({ValueType.YEAR, ValueType.DATE})


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
    def person_like(self) -> frozenset[str]:
        """Concepts whose members are people."""
        return self._like(PERSON_HINT)

    @cached_property
    def place_like(self) -> frozenset[str]:
        """Concepts whose members are places."""
        return self._like(PLACE_HINT)

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

    def surely(self, item: SchemaItem, side: str) -> frozenset[str]:
        """Concepts that (nearly) every subject or object of the item's facts belongs to."""
        counts = item.ranges if side == "ranges" else item.domains
        total = max(item.count, 1)
        return self.upward(iri for iri, count in counts if count / total >= _ALL)

    def possibly(self, item: SchemaItem, side: str) -> frozenset[str]:
        """Concepts that some subject or object of the item's facts belongs to."""
        counts = item.ranges if side == "ranges" else item.domains
        return self.upward(iri for iri, _ in counts)

    def suits(self, item: SchemaItem, side: str, possibly: frozenset[str]) -> bool:
        """Whether a member of one of the concepts can stand on that side of the item's facts."""
        counts = item.ranges if side == "ranges" else item.domains
        return not possibly or not counts or any(iri in possibly for iri, _ in counts)

    def _like(self, hint: str) -> frozenset[str]:
        vector = self.index.encode([hint])[0]
        columns = [
            (position, row)
            for row, (position, _) in enumerate(self.index.schema_texts)
            if self.index.schema[position].kind == Kind.CONCEPT
        ]
        if not columns:
            return frozenset()
        scores = self.index.schema_vectors[np.array([row for _, row in columns])] @ vector
        near = {
            self.index.schema[p].iri for (p, _), score in zip(columns, scores, strict=True) if score > _LIKE
        }
        return frozenset(near).union(*(self.index.descendants(iri) for iri in near))
