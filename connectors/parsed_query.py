"""The guard's facts about a query, once it is parsed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """The form of a query, and all that it reaches.

    `names` are all IRIs, prefixed names and relative references resolved in every way that a store may. A
    service is None where it is a variable. The graphs are those of FROM and FROM NAMED, absolute where the
    query has their base. `graphs` are those that GRAPH names, None being one made of a text.
    """

    form: str
    names: frozenset[str]
    functions: frozenset[str]
    services: frozenset[str | None]
    default_graphs: tuple[str, ...]
    named_graphs: tuple[str, ...]
    graphs: frozenset[str | None]

    @property
    def has_dataset(self) -> bool:
        """True if the query names the graphs that it reads."""
        return bool(self.default_graphs or self.named_graphs)
