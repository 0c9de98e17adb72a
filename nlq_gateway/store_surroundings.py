"""What the reasoner asks of a store, cached: the predicates around an entity, who holds a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from compilers.algebra import Literal
from compilers.kopl.functions import Kind
from compilers.terms import write_iri, write_literal
from connectors.base import Connector
from nlq_gateway.index import Index

CACHED = 10_000
_MANY = 500
_TIMEOUT_MS = 2_000

# How a string value hangs on its predicate.
_HOLDERS = {
    "direct": "?subject ?predicate ?text",
    "kqapro": "?node <pred:value> ?text . ?subject ?predicate ?node",
}


@dataclass(frozen=True)
class StoreSurroundings:
    """Asks a store through its connector; raises what the connector raises."""

    connector: Connector
    index: Index
    layout: str
    _around: dict[str, frozenset[tuple[str, str]]] = field(default_factory=dict)

    def around(self, iri: str) -> frozenset[tuple[str, str]]:
        """The predicates of an entity's facts, each with `forward` or `backward`."""
        found = self._around.get(iri)
        if found is None:
            if len(self._around) >= CACHED:
                self._around.clear()
            found = self._around.setdefault(iri, self._ask_around(write_iri(iri, {}, set())))
        return found

    def _ask_around(self, entity: str) -> frozenset[tuple[str, str]]:
        forward = f"SELECT DISTINCT ?predicate {{ {entity} ?predicate ?object }}"
        return frozenset(
            {(iri, "forward") for iri in self._predicates(forward)}
            | {(iri, "backward") for iri in self._predicates(self._backward(entity))}
        )

    def _backward(self, entity: str) -> str:
        """Existence by relation where they are few: a popular entity has millions of incoming facts."""
        if len(self._relations) > _MANY:
            return f"SELECT DISTINCT ?predicate {{ ?subject ?predicate {entity} }}"
        values = " ".join(self._relations)
        exists = f"FILTER EXISTS {{ ?subject ?predicate {entity} }}"
        return f"SELECT ?predicate {{ VALUES ?predicate {{ {values} }} {exists} }}"

    @cached_property
    def _relations(self) -> tuple[str, ...]:
        iris = dict.fromkeys(item.iri for item in self.index.schema if item.kind == Kind.RELATION)
        # An empty list of inline data is refused by some stores: one IRI that nothing has stands in.
        return tuple(write_iri(iri, {}, set()) for iri in iris) or ("<urn:none>",)

    @cached_property
    def _holding(self) -> frozenset[str]:
        kinds = (Kind.ATTRIBUTE, Kind.QUALIFIER)
        return frozenset(item.iri for item in self.index.schema if item.kind in kinds)

    def _predicates(self, query: str) -> tuple[str, ...]:
        return tuple(
            term.value for term in self.connector.query(query, timeout_ms=_TIMEOUT_MS).column("predicate")
        )

    def holders(self, texts: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """Which texts, as written or begun with a capital, are string values: pairs of text and predicate."""
        forms = {form: text for text in texts for form in (text[:1].upper() + text[1:], text)}
        if not forms:
            return ()
        languages = (None, *self.index.manifest.languages)
        literals = " ".join(
            write_literal(Literal(form, language=language), {}, set())
            for form in forms
            for language in languages
        )
        pattern = f"VALUES ?text {{ {literals} }} {_HOLDERS[self.layout]}"
        query = f"SELECT DISTINCT ?text ?predicate {{ {pattern} }}"
        result = self.connector.query(query, timeout_ms=_TIMEOUT_MS)
        found = dict.fromkeys(
            (forms[text.value], predicate.value)
            for text, predicate in result.rows
            if text is not None and predicate is not None and predicate.value in self._holding
        )
        return tuple(found)
