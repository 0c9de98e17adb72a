"""The predicates for the names of a layout's entities, and for their concepts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from compilers.layouts.vocabulary import PRED, RDF
from nlq_gateway.index.manifest import LabelPreferences, Layout


@dataclass(frozen=True, slots=True)
class NamePredicates:
    """The predicates of names, in `settings`, and the one of concepts."""

    settings: LabelPreferences
    membership: str

    @classmethod
    def of(cls, layout: Layout, settings: LabelPreferences, membership: str = RDF + "type") -> NamePredicates:
        """The predicates of a layout with these settings; `membership` as in the graph's traits."""
        if layout != "kqapro":
            return cls(settings, membership)
        named = replace(settings, predicates=(PRED + "name", *settings.predicates))
        return cls(named, PRED + "instance_of")

    @property
    def predicates(self) -> tuple[str, ...]:
        """The predicates of labels and aliases."""
        return (*self.settings.predicates, *self.settings.aliases)

    @property
    def told(self) -> tuple[str, ...]:
        """All predicates that describe an entity."""
        return (*self.predicates, self.membership)
