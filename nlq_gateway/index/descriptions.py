"""Descriptions of schema items, found by their words: the meaning of items whose names are codes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import log

from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.text import fold, stem


class Descriptions:
    """The descriptions of one schema. Safe to share between threads."""

    def __init__(self, schema: Sequence[SchemaItem]) -> None:
        """Read the descriptions of a schema."""
        self._positions: defaultdict[str, list[int]] = defaultdict(list)
        described = [(at, item.description) for at, item in enumerate(schema) if item.description]
        for at, description in described:
            for word in stems_of(description):
                self._positions[word].append(at)
        self._size = len(described)

    def like(self, words: str) -> dict[int, float]:
        """Return position -> share of the words that the item's description has, in (0, 1].

        Each word counts log(1 + descriptions / descriptions with the word) (Robertson, "Understanding inverse
        document frequency", 2004); its ending does not matter.
        """
        wanted = stems_of(words) if self._size else ()
        weights = {word: log(1 + self._size / max(1, len(self._positions.get(word, ())))) for word in wanted}
        found: defaultdict[int, float] = defaultdict(float)
        for word, weight in weights.items():
            for at in self._positions.get(word, ()):
                found[at] += weight
        whole = sum(weights.values())
        return {at: weight / whole for at, weight in found.items()}


def stems_of(text: str) -> frozenset[str]:
    """The words of a text without their endings."""
    return frozenset(stem(fold(text)).split())
