"""What the reasoner may ask of the graph itself, beyond the index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Surroundings(Protocol):
    """Small questions to the store, cached by whoever implements them."""

    def around(self, iri: str) -> frozenset[tuple[str, str]]:
        """The predicates of an entity's facts, each with `forward` (it is the subject) or `backward`."""

    def holders(self, texts: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """Which of the texts are string values in the graph: pairs of text and predicate."""
