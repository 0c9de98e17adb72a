"""What the reasoner asks of a store, cached: the predicates around an entity, who holds a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from string import Template

from compilers.algebra import Literal
from compilers.kopl.functions import Kind
from compilers.layouts.vocabulary import WIKIBASE
from compilers.terms import write_iri, write_literal
from connectors.base import Connector
from nlq_gateway.index import Index, Layout
from nlq_gateway.index.forms import Form, form_of
from nlq_gateway.index.traits import Traits

CACHED = 10_000
_MANY = 500
_TIMEOUT_MS = 2_000
_NO_TRAITS = Traits()


_TRIPLE = "?subject ?predicate ?text"


@dataclass(frozen=True, slots=True)
class _Patterns:
    """How facts lead from $entity, and to it, by ?predicate; and how a string ?text hangs on ?predicate."""

    forward: str = "$entity ?predicate ?object"
    backward: str = "?subject ?predicate $entity"
    holds: str = _TRIPLE


_KQAPRO = _Patterns(holds="?node <pred:value> ?text . ?subject ?predicate ?node")
_HELD = f"FILTER NOT EXISTS {{ ?fact <{WIKIBASE}rank> <{WIKIBASE}DeprecatedRank> }}"
_WIKIDATA = _Patterns(
    f"?predicate <{WIKIBASE}claim> ?claim . $entity ?claim ?fact . {_HELD}",
    f"?predicate <{WIKIBASE}statementProperty> ?leads . ?fact ?leads $entity . {_HELD}",
    f"?predicate <{WIKIBASE}statementProperty>|<{WIKIBASE}qualifier> ?leads . ?subject ?leads ?text",
)


def _patterns_of(layout: Layout, traits: Traits) -> _Patterns:
    """Plain triples where the layout has them; qualifiers are triples in every layout of plain RDF."""
    if layout in ("kqapro", "wikidata"):
        return _KQAPRO if layout == "kqapro" else _WIKIDATA
    form = form_of(layout, traits)
    holds = form.facts("?subject", "?predicate", "?text")
    if form.fact == Form().fact:
        return _Patterns()
    return _Patterns(
        form.facts("$entity", "?predicate", "?object"),
        form.facts("?subject", "?predicate", "$entity"),
        f"{{ {holds} }} UNION {{ {_TRIPLE} }}",
    )


@dataclass(frozen=True)
class StoreSurroundings:
    """Asks a store through its connector; raises what the connector raises."""

    connector: Connector
    index: Index
    layout: Layout
    traits: Traits = _NO_TRAITS
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
        forward = f"SELECT DISTINCT ?predicate {{ {self._stated(self._patterns.forward, entity)} }}"
        return frozenset(
            {(iri, "forward") for iri in self._predicates(forward)}
            | {(iri, "backward") for iri in self._predicates(self._backward(entity))}
        )

    def _backward(self, entity: str) -> str:
        """Existence by relation where they are few: a popular entity has millions of incoming facts."""
        stated = self._stated(self._patterns.backward, entity)
        if len(self._relations) > _MANY:
            return f"SELECT DISTINCT ?predicate {{ {stated} }}"
        values = " ".join(self._relations)
        exists = f"FILTER EXISTS {{ {stated} }}"
        return f"SELECT ?predicate {{ VALUES ?predicate {{ {values} }} {exists} }}"

    def _stated(self, pattern: str, entity: str) -> str:
        return Template(pattern).substitute(entity=entity)

    @cached_property
    def _patterns(self) -> _Patterns:
        return _patterns_of(self.layout, self.traits)

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
        pattern = f"VALUES ?text {{ {literals} }} {self._patterns.holds}"
        query = f"SELECT DISTINCT ?text ?predicate {{ {pattern} }}"
        result = self.connector.query(query, timeout_ms=_TIMEOUT_MS)
        found = dict.fromkeys(
            (forms[text.value], predicate.value)
            for text, predicate in result.rows
            if text is not None and predicate is not None and predicate.value in self._holding
        )
        return tuple(found)
