"""Reads facts of a store by a plan, for the introspection of every layout."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from connectors.errors import EndpointTooComplex
from connectors.results import Row
from nlq_gateway.core.types import EntityItem, Partition, SchemaItem
from nlq_gateway.index.introspect.pages import TOO_MUCH, Pages, TooMuch, integer, value
from nlq_gateway.index.introspect.plan import NO_PLAN, Plan
from nlq_gateway.index.introspect.sampling import sampled_predicates

Counts = dict[str, Counter[str]]

FACTS = "%facts%"
_FEWER = 20


@dataclass(frozen=True, slots=True)
class Source:
    """The place of facts: `pattern` binds ?s, ?p and ?o, and `predicates` binds every ?p at less cost."""

    pattern: str = "?s ?p ?o ."
    predicates: str = ""


TRIPLES = Source()


class EntityListing(Protocol):
    """Entities in their order, perhaps made only on iteration."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[EntityItem]: ...


@dataclass(frozen=True, slots=True)
class Introspection:
    """The contents of a graph: its schema, its entities (highest degree first), its languages (by use).

    `partitions` have the use of relations and attributes by the members of each class.
    """

    schema: tuple[SchemaItem, ...]
    entities: EntityListing
    languages: tuple[str, ...]
    partitions: tuple[Partition, ...] = ()


@dataclass(slots=True)
class StoreReader(Pages):
    """Reads a store by a plan, each of the plan's stages within its time.

    `warnings` collects contradictions, `classes` the classes found.
    """

    plan: Plan = NO_PLAN
    warnings: list[str] = field(default_factory=list)
    classes: tuple[str, ...] = ()
    _stage: str = ""
    _sampled_why: dict[Source, str] = field(default_factory=dict)
    _predicates: dict[Source, tuple[str, ...]] = field(default_factory=dict)
    _totals: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        """Start from the plan's numbers, in the time that it left."""
        Pages.__post_init__(self)
        self.budget.seconds -= self.plan.spent_s
        known = self.plan.predicates
        self._totals = known if known is not None else self.plan.void.properties

    def begin(self, stage: str) -> None:
        """Report that a stage begins, and give it its time."""
        self._stage = stage
        self.budget.begin(stage)
        self.progress(stage, 0, 0)

    def facts(self, text: str, what: str, source: Source = TRIPLES) -> Iterator[Row]:
        """The rows of an aggregate over facts; `%facts%` in `text` stands for the source's pattern.

        Where the plan or the store finds all facts too many to aggregate, each predicate's first facts are
        aggregated instead, and `sampled` notes it. A source that was too large once stays so.
        """
        if why := self.plan.sampled(self._stage):
            self._sampled_why.setdefault(source, why)
        failure: TooMuch | None = None
        if source not in self._sampled_why:
            try:
                yield from list(
                    self.rows(text.replace(FACTS, source.pattern), within_s=self.budget.left_s / 2)
                )
                return
            except TOO_MUCH as error:
                failure = error
                reason = error.message if isinstance(error, EndpointTooComplex) else ""
                self._sampled_why[source] = reason or "the store did not count all in time"
        found = list(self._facts_of_each(text, what, source))
        if not found and failure is not None and self.gives_up(failure):
            raise failure
        yield from found

    def _facts_of_each(self, text: str, what: str, source: Source) -> Iterator[Row]:
        """The rows of an aggregate over each predicate's first facts, as time allows."""
        predicates, limit = self._all_predicates(source), self._sample_of(source)
        untold = 0
        for number, predicate in enumerate(predicates):
            if self.over_budget:
                untold += len(predicates) - number
                break
            if number % 100 == 0:
                self.progress(what, number, len(predicates))
            rows = self._facts_of(predicate, text, source)
            untold += rows is None
            yield from rows or ()
        left_out = f"; nothing of {untold} of {len(predicates)} predicates" if untold else ""
        self.sampled[what] = f"from {limit} facts of each predicate, as {self._sampled_why[source]}{left_out}"

    def _facts_of(self, predicate: str, text: str, source: Source) -> list[Row] | None:
        """The rows over one predicate's first facts, fewer if those are too many; None if that fails."""
        for limit in (self._sample_of(source), self._sample_of(source) // _FEWER):
            one = f"VALUES ?p {{ <{predicate}> }} {source.pattern}"
            some = f"{{ SELECT * WHERE {{ {one} }} LIMIT {max(1, limit)} }}"
            try:
                return list(self._writable(self._ask(text.replace(FACTS, some), limit).rows))
            except TOO_MUCH:
                continue
        return None

    @property
    def looks_at_samples(self) -> bool:
        """True if all facts were too many to aggregate."""
        return TRIPLES in self._sampled_why

    def _sample_of(self, source: Source) -> int:
        """The number of facts read of each predicate, within the bound for all predicates."""
        return self.limits.sample_of(len(self._all_predicates(source)))

    def share(self, predicate: str, source: Source = TRIPLES) -> float:
        """The number of facts of a predicate per fact read, as far as it is known; else 1."""
        if source != TRIPLES or source not in self._sampled_why:
            return 1.0
        total, limit = self._totals.get(predicate, 0), self._sample_of(source)
        return max(1.0, total / limit) if limit else 1.0

    def _all_predicates(self, source: Source) -> tuple[str, ...]:
        if not self._predicates.get(source):
            self._predicates[source] = self._find_predicates(source)
        return self._predicates[source]

    def _find_predicates(self, source: Source) -> tuple[str, ...]:
        """The predicates, the most used first if their use is known."""
        if not source.predicates and self.plan.predicates is not None:
            return _by_use(self._totals)
        pattern = source.predicates or source.pattern
        if source != TRIPLES:
            if listed := self._tried(f"SELECT DISTINCT ?p WHERE {{ {pattern} }}"):
                return tuple(value(row[0]) for row in listed)
        elif counted := self._tried(f"SELECT ?p (COUNT(*) AS ?n) WHERE {{ {pattern} }} GROUP BY ?p"):
            self._totals = {value(predicate): integer(number) for predicate, number in counted}
            return _by_use(self._totals)
        self.sampled["predicates"] = "those that a sample of entities shows or a vocabulary declares"
        return sampled_predicates(self, self.classes, self.plan.void)

    def _tried(self, text: str) -> list[Row]:
        """All rows of a query within a quarter of the stage's time; [] if it takes longer."""
        try:
            return [row for row in self.rows(text, within_s=self.budget.left_s / 4) if row[0] is not None]
        except TOO_MUCH:
            return []

    def group(self, pattern: str, what: str, source: Source = TRIPLES) -> Counts:
        """The number of occurrences of each `?x` with each predicate `?p` in a pattern over `%facts%`.

        A blank node, such as a restriction that a thing is a member of, is no `?x`: it has no name.
        """
        counts: Counts = defaultdict(Counter)
        text = f"SELECT ?p ?x (COUNT(*) AS ?n) WHERE {{ {pattern} }} GROUP BY ?p ?x"
        for predicate, other, number in self.facts(text, what, source):
            if predicate is not None and other is not None and other.kind != "blank":
                share = self.share(predicate.value, source)
                counts[predicate.value][other.value] += round(integer(number) * share)
        return counts


def _by_use(totals: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(totals, key=lambda iri: (-totals[iri], iri)))
