"""The kinds of things: their classes, or for unnamed nodes without a class the relation to them.

A blank node without a class (`:floor :area [ :value 1662 ]`) is classed by the relation to it: its kind is
that relation's IRI, which is then among the domains of `value` and the ranges of `area`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from nlq_gateway.index.forms import PLAIN, FactPatterns
from nlq_gateway.index.introspect.pages import value, values_block
from nlq_gateway.index.introspect.reader import FACTS, Source, StoreReader

_STAGE = "relations"
_WHAT = "things without a class"


@dataclass(frozen=True, slots=True)
class Kinds:
    """The kinds of a graph: by a predicate, and by the relations to nodes without a class."""

    membership: str
    form: FactPatterns = PLAIN
    unnamed: tuple[str, ...] = ()

    def stated(self, thing: str, kind: str) -> Iterator[str]:
        """Patterns that state, each in its own way, that `thing` is of the kind in a variable."""
        yield f"{thing} <{self.membership}> {kind} ."
        if self.unnamed:
            block = values_block(kind.removeprefix("?"), self.unnamed)
            yield f"{block} {self._led_to(thing, kind)}"

    def members(self, thing: str, kind: str) -> str:
        """The pattern that `thing` is of the kind with an IRI."""
        if kind in self.unnamed:
            return self._led_to(thing, f"<{kind}>")
        return f"{thing} <{self.membership}> <{kind}> ."

    def _led_to(self, thing: str, relation: str) -> str:
        own = thing.removeprefix("?")
        fact = self.form.facts(f"?of_{own}", relation, thing).replace("?node", f"?node_{own}")
        return f"{fact} {without_class(self.membership, thing)}"


def without_class(membership: str, thing: str) -> str:
    """A filter on a variable for blank nodes without a class."""
    return f"FILTER(isBlank({thing})) FILTER NOT EXISTS {{ {thing} <{membership}> ?any }}"


def read_kinds(
    reader: StoreReader, membership: str, form: FactPatterns, is_own: Callable[[str], bool]
) -> Kinds:
    """The kinds of a graph; predicates that are `is_own` to labels or the schema lead to no kind."""
    reader.begin(_STAGE)
    pattern = f"{FACTS} {without_class(membership, '?o')}"
    text = f"SELECT ?p (COUNT(*) AS ?n) WHERE {{ {pattern} }} GROUP BY ?p"
    rows = reader.facts(text, _WHAT, Source(form.facts_of_things()))
    found = sorted({value(relation) for relation, _ in rows if relation is not None})
    return Kinds(membership, form, tuple(iri for iri in found if not is_own(iri)))
