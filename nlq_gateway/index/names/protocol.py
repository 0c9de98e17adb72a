"""The interface for looking up the names of entities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from nlq_gateway.core.types import EntityItem
from nlq_gateway.index.search import NearNames


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """A name, its folded form, and the entity that bears it."""

    entity: EntityItem
    text: str
    folded: str
    is_alias: bool


class EntityNames(Protocol):
    """Look-ups of entities. Safe to share between threads; raise the errors of the index or the store.

    Texts are as people write them. An implementation may leave out names beyond its own bounds, but never
    returns one that does not match. Scores and order are for the caller.
    """

    def entities(self, iris: Iterable[str]) -> dict[str, EntityItem]:
        """The entities among these IRIs, by IRI."""

    def sample(self, size: int) -> tuple[EntityItem, ...]:
        """At most `size` entities, those with the most facts if these are known."""

    def named(self, texts: Sequence[str]) -> list[NamedEntity]:
        """The names with the folded form of one of these texts."""

    def prefixed(self, text: str, limit: int) -> list[NamedEntity]:
        """Names that begin so."""

    def with_words(self, text: str, limit: int) -> list[NamedEntity]:
        """Names that share words with a text."""

    def with_all_words(self, text: str, limit: int) -> list[NamedEntity]:
        """Names that have all words of a text."""

    def near(self, text: str) -> NearNames[NamedEntity]:
        """Names that may be spelled like a text."""

    def near_parts(self, text: str) -> NearNames[NamedEntity]:
        """Names that may be spelled like one of the runs of a few words of a text."""

    def words_in_use(self, words: Iterable[str]) -> frozenset[str]:
        """The folded words that occur in some name."""
