"""The plan for reading a store: made from a few cheap queries, followed by the build."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nlq_gateway.index.manifest import Layout


@dataclass(frozen=True, slots=True)
class Void:
    """The store's statistics of itself in VoID; None and empty if it states none.

    `classes` has entities by class, `properties` triples by predicate. Source: W3C, Describing Linked
    Datasets with the VoID Vocabulary, 2011, section 4.6.
    """

    triples: int | None = None
    entities: int | None = None
    classes: Mapping[str, int] = field(default_factory=dict)
    properties: Mapping[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """True if the store states any statistics."""
        return self != NOTHING_STATED


NOTHING_STATED = Void()


@dataclass(frozen=True, slots=True)
class PlanProbe:
    """One query of the planning, its result in words, and its time in milliseconds."""

    what: str
    query: str
    answer: str
    ms: float


@dataclass(frozen=True, slots=True)
class PlanStage:
    """A part of the reading: the number of its queries, and of the pages of listings among them.

    `sampled`: facts are read predicate by predicate instead of all at once, for the reason `why`. `seconds`
    is the time expected, `limit_s` the time allowed; the expectation is rough.
    """

    name: str
    queries: int
    pages: int = 0
    sampled: bool = False
    why: str = ""
    seconds: float = 0.0
    limit_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan to read a store within `budget_s` seconds.

    `classes` has the members of each class and `predicates` the triples of each predicate, None if the store
    did not count them in time; `triples`, `entities` and `labels` are None where unknown, and `known_by` is
    the source of the numbers. `vocabularies` are the vocabularies in use, None if the store did not list
    them.
    """

    layout: Layout = "direct"
    budget_s: float = 0.0
    sample_facts: int = 0
    classes: Mapping[str, int] | None = None
    predicates: Mapping[str, int] | None = None
    triples: int | None = None
    entities: int | None = None
    labels: int | None = None
    known_by: str = "unknown"
    vocabularies: tuple[str, ...] | None = None
    graphs: tuple[str, ...] = ()
    void: Void = NOTHING_STATED
    stages: tuple[PlanStage, ...] = ()
    probes: tuple[PlanProbe, ...] = ()
    warnings: tuple[str, ...] = ()

    def sampled(self, stage: str) -> str:
        """The reason to read a sample of each predicate's facts; "" for a stage that reads all."""
        return next((one.why for one in self.stages if one.name == stage and one.sampled), "")

    @property
    def spent_s(self) -> float:
        """The time spent on making the plan."""
        return sum(probe.ms for probe in self.probes) / 1_000

    @property
    def seconds(self) -> float:
        """The time expected for all stages, at most the budget."""
        return min(self.budget_s, sum(stage.seconds for stage in self.stages))


NO_PLAN = Plan()
