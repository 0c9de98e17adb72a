"""What finders look up in one graph."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from nlq_gateway.drafts.generation.context.likeness import Likeness
from nlq_gateway.drafts.generation.context.schema import Around, Schema
from nlq_gateway.index import Index


@dataclass(frozen=True)
class Finder:
    """An index with its look-ups, made on first use, and what is asked of the store.

    Keeps nothing of a question: safe to share between threads.
    """

    index: Index
    around: Around

    @cached_property
    def _schema(self) -> Schema:
        return Schema(self.index)

    @cached_property
    def _likeness(self) -> Likeness:
        return Likeness(self.index)
