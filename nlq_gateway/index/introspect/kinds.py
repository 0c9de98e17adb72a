"""Of which kinds things are: of their classes, and of what leads to them where they have none and no name.

A blank node without a class (`:floor :area [ :value 1662 ]`) is known by the relation that leads to it: its
kind is that relation's IRI, which so stands among the domains of `value` and among the ranges of `area`.
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
    """How a graph states kinds: by a predicate, and by the relations that lead to things without a class."""

    membership: str
    form: FactPatterns = PLAIN
    unnamed: tuple[str, ...] = ()

    def stated(self, thing: str, kind: str) -> Iterator[str]:
        """Patterns that each state in their own way that a variable is of the kind in another."""
        yield f"{thing} <{self.membership}> {kind} ."
        if self.unnamed:
            block = values_block(kind.removeprefix("?"), self.unnamed)
            yield f"{block} {self._led_to(thing, kind)}"

    def members(self, thing: str, kind: str) -> str:
        """The pattern that a variable is of the kind with an IRI."""
        if kind in self.unnamed:
            return self._led_to(thing, f"<{kind}>")
        return f"{thing} <{self.membership}> <{kind}> ."

    def _led_to(self, thing: str, relation: str) -> str:
        own = thing.removeprefix("?")
        fact = self.form.facts(f"?of_{own}", relation, thing).replace("?node", f"?node_{own}")
        return f"{fact} {without_class(self.membership, thing)}"


def without_class(membership: str, thing: str) -> str:
    """A filter on a variable: a blank node that is in no class."""
    return f"FILTER(isBlank({thing})) FILTER NOT EXISTS {{ {thing} <{membership}> ?any }}"


def read_kinds(
    reader: StoreReader, membership: str, form: FactPatterns, is_own: Callable[[str], bool]
) -> Kinds:
    """The kinds of a graph; a predicate that `is_own` to labels or the schema leads to no thing."""
    reader.begin(_STAGE)
    pattern = f"{FACTS} {without_class(membership, '?o')}"
    text = f"SELECT ?p (COUNT(*) AS ?n) WHERE {{ {pattern} }} GROUP BY ?p"
    rows = reader.facts(text, _WHAT, Source(form.facts_of_things()))
    found = sorted({value(relation) for relation, _ in rows if relation is not None})
    return Kinds(membership, form, tuple(iri for iri in found if not is_own(iri)))
