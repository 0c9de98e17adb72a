"""The reasoner's questions to a store, cached: the predicates around an entity, the bearers of a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from string import Template
from typing import TypeVar

from compilers.algebra import Literal
from compilers.errors import UnsafeQuery, UnsupportedProgram
from compilers.grounded import GroundedProgram
from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.program import Program
from compilers.layouts import Options
from compilers.layouts.vocabulary import WIKIBASE
from compilers.probes import compile_members
from compilers.terms import write_iri, write_literal
from connectors.base import Connector
from connectors.errors import EndpointRefusedQuery, EndpointTimeout, IncompleteResult
from connectors.results import Term
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.reasoning import Facts, Partial, Reach
from nlq_gateway.index import Index, Layout
from nlq_gateway.index.forms import FactPatterns, form_of
from nlq_gateway.index.introspect.texts import text_pattern
from nlq_gateway.index.traits import Traits

K = TypeVar("K")
V = TypeVar("V")

CACHED = 10_000
MEMBERS = 8
_MANY = 500
_TIMEOUT_MS = 2_000
_NO_TRAITS = Traits()
_NO_OPTIONS = Options()

# Errors of a store for which a set is too much; an outage is raised.
_NOT_TOLD = (EndpointRefusedQuery, EndpointTimeout, IncompleteResult)
_NOT_STATED = (UnsupportedProgram, UnsafeQuery)


# A set by its program, and the IRIs that are meant in it.
_Set = tuple[Program, tuple[tuple[tuple[int, int], tuple[str, ...]], ...]]


@dataclass(frozen=True, slots=True)
class _Patterns:
    """The facts from $entity, and to it, by ?predicate."""

    forward: str = "$entity ?predicate ?object"
    backward: str = "?subject ?predicate $entity"


_HELD = f"FILTER NOT EXISTS {{ ?fact <{WIKIBASE}rank> <{WIKIBASE}DeprecatedRank> }}"
_WIKIDATA = _Patterns(
    f"?predicate <{WIKIBASE}claim> ?claim . $entity ?claim ?fact . {_HELD}",
    f"?predicate <{WIKIBASE}statementProperty> ?leads . ?fact ?leads $entity . {_HELD}",
)


def _patterns_of(layout: Layout, traits: Traits) -> _Patterns:
    """Plain triples where the layout has them."""
    if layout in ("kqapro", "wikidata"):
        return _Patterns() if layout == "kqapro" else _WIKIDATA
    form = form_of(layout, traits)
    if form.fact == FactPatterns().fact:
        return _Patterns()
    return _Patterns(
        form.facts("$entity", "?predicate", "?object"), form.facts("?subject", "?predicate", "$entity")
    )


@dataclass(frozen=True)
class StoreSurroundings:
    """Asks a store through its connector; raises what the connector raises."""

    connector: Connector
    index: Index
    layout: Layout
    traits: Traits = _NO_TRAITS
    options: Options = _NO_OPTIONS
    _around: dict[str, Facts] = field(default_factory=dict)
    _reached: dict[_Set, Reach | None] = field(default_factory=dict)

    def around(self, iri: str) -> Facts:
        """The predicates of an entity's facts, each with `forward` or `backward`."""
        return self._around_all((iri,))[iri]

    def reach(self, partials: Sequence[Partial]) -> tuple[Reach | None, ...]:
        """The predicates of each set, in at most three queries; None if the store gives none."""
        keys = [(partial.program, tuple(sorted(partial.choices.items()))) for partial in partials]
        found = _kept(self._reached, keys)
        unknown = {key: one for key, one in zip(keys, partials, strict=True) if key not in found}
        if unknown:
            told = dict(zip(unknown, self._ask_reach(tuple(unknown.values())), strict=True))
            found |= _keep(self._reached, told)
        return tuple(found[key] for key in keys)

    def ahead(self, program: Program, choices: Mapping[tuple[int, int], tuple[str, ...]]) -> Facts | None:
        """The predicates of the facts of all members of the set that a program ends in, as in `around`.

        Empty where it has none; None where the store does not tell, and where there are too many.
        """
        (found,) = self.reach((Partial(program, choices),))
        return found.facts if found is not None else None

    def _ask_reach(self, partials: Sequence[Partial]) -> list[Reach | None]:
        try:
            sets = self._members(partials)
            small = [found for found in sets if found and _is_looked_at(found)]
            around = self._around_all(tuple({term.value: None for found in small for term in found}))
        except _NOT_TOLD:
            return [None] * len(partials)
        return [found if found is None else _reach_of(found, around) for found in sets]

    def _members(self, partials: Sequence[Partial]) -> list[tuple[Term, ...] | None]:
        """Up to `MEMBERS` + 1 members of each set; None for those that cannot be stated as a query."""
        grounder = Grounder(self.index)
        grounded = (grounder.ground(p.program, choices=p.choices, near=False).grounded for p in partials)
        asked = dict(enumerate(grounded))
        try:
            query = self._members_query(asked)
        except _NOT_STATED:
            asked = {number: program for number, program in asked.items() if self._is_stated(program)}
            query = self._members_query(asked)
        members: dict[int, list[Term]] = {number: [] for number in asked}
        if asked:
            numbers = list(asked)
            result = self.connector.query(query, timeout_ms=_TIMEOUT_MS)
            for step, entity in result.rows:
                if step is not None and entity is not None:
                    members[numbers[int(step.value) - 1]].append(entity)
        return [tuple(members[number]) if number in members else None for number in range(len(partials))]

    def _members_query(self, programs: Mapping[int, GroundedProgram]) -> str:
        return compile_members(tuple(programs.values()), self.layout, self.options, MEMBERS + 1)

    def _is_stated(self, program: GroundedProgram) -> bool:
        try:
            self._members_query({0: program})
        except _NOT_STATED:
            return False
        return True

    def _around_all(self, iris: Sequence[str]) -> dict[str, Facts]:
        """The facts around several entities, in two queries for those that are not known yet."""
        found = _kept(self._around, iris)
        unknown = [iri for iri in iris if iri not in found]
        if unknown:
            found |= _keep(self._around, self._ask_around(unknown))
        return found

    def _ask_around(self, iris: Sequence[str]) -> dict[str, Facts]:
        found: dict[str, set[tuple[str, str]]] = {iri: set() for iri in iris}
        entities = " ".join(write_iri(iri, {}, set()) for iri in iris)
        values = f"VALUES ?entity {{ {entities} }}"
        forward = f"SELECT DISTINCT ?entity ?predicate {{ {values} {self._stated(self._patterns.forward)} }}"
        for direction, query in (("forward", forward), ("backward", self._backward(values))):
            for entity, predicate in self.connector.query(query, timeout_ms=_TIMEOUT_MS).rows:
                if entity is not None and predicate is not None:
                    found[entity.value].add((predicate.value, direction))
        return {iri: frozenset(facts) for iri, facts in found.items()}

    def _backward(self, values: str) -> str:
        """Existence by relation where they are few: a popular entity has millions of incoming facts."""
        stated = self._stated(self._patterns.backward)
        if len(self._relations) > _MANY:
            return f"SELECT DISTINCT ?entity ?predicate {{ {values} {stated} }}"
        relations = " ".join(self._relations)
        exists = f"FILTER EXISTS {{ {stated} }}"
        return f"SELECT ?entity ?predicate {{ {values} VALUES ?predicate {{ {relations} }} {exists} }}"

    def _stated(self, pattern: str) -> str:
        return Template(pattern).substitute(entity="?entity")

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
        """The predicates with strings that the index does not all know."""
        kinds = (Kind.ATTRIBUTE, Kind.QUALIFIER)
        holding = {item.iri for item in self.index.schema if item.kind in kinds and _has_strings(item)}
        return frozenset(holding - self.index.texts.complete)

    def holders(self, texts: Sequence[str]) -> tuple[tuple[str, str, str], ...]:
        """Return triples (text, string, predicate) of texts that are strings which the index may not know.

        A text is looked up as it is, and with a capital.
        """
        forms = {form: text for text in texts for form in (text[:1].upper() + text[1:], text)}
        if not forms or not self._holding:
            return ()
        languages = (None, *self.index.manifest.languages)
        literals = " ".join(
            write_literal(Literal(form, language=language), {}, set())
            for form in forms
            for language in languages
        )
        pattern = f"VALUES ?text {{ {literals} }} {text_pattern(self.layout, self.traits)}"
        query = f"SELECT DISTINCT ?text ?predicate {{ {pattern} }}"
        result = self.connector.query(query, timeout_ms=_TIMEOUT_MS)
        found = dict.fromkeys(
            (forms[text.value], text.value, predicate.value)
            for text, predicate in result.rows
            if text is not None and predicate is not None and predicate.value in self._holding
        )
        return tuple(found)


def _is_looked_at(members: tuple[Term, ...]) -> bool:
    """True if the facts around all members can be asked for: they are few, and none is a blank node."""
    return len(members) <= MEMBERS and all(term.kind == "iri" for term in members)


def _reach_of(members: tuple[Term, ...], around: Mapping[str, Facts]) -> Reach:
    if not _is_looked_at(members):
        return Reach(empty=False)
    return Reach(not members, frozenset[tuple[str, str]]().union(*(around[term.value] for term in members)))


def _kept(cache: Mapping[K, V], keys: Iterable[K]) -> dict[K, V]:
    """The cached values of some keys: another thread may empty the cache at any moment."""
    found = {}
    for key in keys:
        with suppress(KeyError):
            found[key] = cache[key]
    return found


def _keep(cache: dict[K, V], found: dict[K, V]) -> dict[K, V]:
    """Keep what was found, in an empty cache where it was full, and return it."""
    if len(cache) >= CACHED:
        cache.clear()
    cache.update(found)
    return found


def _has_strings(item: SchemaItem) -> bool:
    return ValueType.STRING in item.value_types
