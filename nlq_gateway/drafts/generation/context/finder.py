"""The shared look-ups of finders in one graph."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from nlq_gateway.core.types import FactsAround
from nlq_gateway.drafts.generation.context.likeness import Likeness
from nlq_gateway.drafts.generation.context.schema import IndexSchema
from nlq_gateway.index import Index


@dataclass(frozen=True)
class Finder:
    """An index with its look-ups, made on first use, and the queries for facts to the store.

    Keeps no state of a question: safe to share between threads.
    """

    index: Index
    around: FactsAround

    @cached_property
    def _schema(self) -> IndexSchema:
        return IndexSchema(self.index)

    @cached_property
    def _likeness(self) -> Likeness:
        return Likeness(self.index)
