"""Makes the plan for reading a store, which `nlq index --dry-run` shows and a build follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from compilers.layouts.vocabulary import PRED, RDF
from connectors.base import Connector
from nlq_gateway.index.introspect.budget import SHARES, share_of
from nlq_gateway.index.introspect.partitions import MOST_QUERIES
from nlq_gateway.index.introspect.plan import Plan, PlanStage
from nlq_gateway.index.introspect.probing import (
    PROBE_S,
    Prober,
    checked_void,
    count_classes,
    count_labels,
    count_predicates,
    find_graphs,
    find_vocabularies,
)
from nlq_gateway.index.manifest import BuildLimits, LabelPreferences, Layout
from nlq_gateway.index.traits import find_traits

# Counting distinct subjects, or joining facts with classes, takes about this many scans of all triples.
_PASSES = 10
# Together the probes take less than the budget.
_PROBES, _LEAST_PROBE_S = 20, 0.25
_PER_QUERY = 200
_PER_DEGREES = 999
# The assumptions of a plan if a store does not answer.
_UNKNOWN_PREDICATES, _UNKNOWN_CLASSES, _UNKNOWN_ENTITIES = 100, 100, 1_000_000
PLAIN: tuple[Layout, ...] = ("direct", "reification", "rdf12", "rdf_star", "singleton", "graph_per_fact")


@dataclass(frozen=True, slots=True)
class _Sizes:
    """The sizes of the store's parts, as far as they are known."""

    predicates: int
    classes: int
    entities: int
    labels: int
    page: int

    def pages(self, rows: int) -> int:
        """Pages of a listing with so many rows."""
        return -(-rows // self.page) or 1


@dataclass(frozen=True, slots=True)
class _StageWork:
    """The queries of a stage: scans of all facts, other queries, pages of listings."""

    whole: int = 0
    queries: Callable[[_Sizes], int] = lambda _: 0
    pages: Callable[[_Sizes], int] = lambda _: 0
    layouts: tuple[str, ...] = (*PLAIN, "kqapro", "wikidata")


_WORK = {
    "concepts": _StageWork(queries=lambda _: 2, pages=lambda sizes: sizes.pages(sizes.classes)),
    "ontology": _StageWork(queries=lambda _: 6, layouts=PLAIN),
    "relations": _StageWork(whole=4),
    "attributes": _StageWork(whole=3),
    "attribute examples": _StageWork(queries=lambda sizes: sizes.predicates),
    "qualifiers": _StageWork(whole=4, layouts=(*PLAIN[1:], "kqapro", "wikidata")),
    "qualifier examples": _StageWork(queries=lambda sizes: sizes.predicates, layouts=PLAIN[1:]),
    "inverses": _StageWork(queries=lambda sizes: sizes.predicates, layouts=PLAIN),
    "partitions": _StageWork(whole=1),
    "partition values": _StageWork(queries=lambda sizes: min(2 * sizes.predicates, MOST_QUERIES)),
    "schema labels": _StageWork(queries=lambda sizes: (sizes.classes + sizes.predicates) // _PER_QUERY + 1),
    "entity concepts": _StageWork(pages=lambda sizes: sizes.pages(sizes.entities)),
    "entity labels": _StageWork(pages=lambda sizes: sizes.pages(sizes.labels)),
    "entities without a concept": _StageWork(pages=lambda _: 2, layouts=(*PLAIN, "wikidata")),
    "entity degrees": _StageWork(queries=lambda sizes: 2 * (sizes.entities // _PER_DEGREES + 1)),
    "text values": _StageWork(queries=lambda sizes: sizes.predicates),
}


def make_plan(
    connector: Connector,
    layout: Layout,
    limits: BuildLimits | None = None,
    labels: LabelPreferences | None = None,
) -> Plan:
    """The plan for reading a store, from at most 15 queries of at most 5 seconds each.

    Raises:
        EndpointError: the store is down.
    """
    limits, labels = limits or BuildLimits(), labels or LabelPreferences()
    prober = Prober(connector, min(PROBE_S, max(_LEAST_PROBE_S, limits.seconds / _PROBES)))
    predicates = count_predicates(prober)
    classes = count_classes(prober, _membership(connector, layout))
    void, doubtful = checked_void(prober, predicates, limits.graphs)
    label_predicates = (PRED + "name",) if layout == "kqapro" else labels.predicates
    found_labels, used = count_labels(prober, label_predicates, predicates)
    known = predicates is not None
    plan = Plan(
        layout=layout,
        budget_s=limits.seconds,
        sample_facts=limits.sample_facts,
        classes=classes,
        predicates=predicates,
        triples=sum(predicates.values()) if predicates is not None else void.triples,
        entities=sum(classes.values()) if classes is not None else void.entities,
        labels=found_labels if known or used else 0,
        known_by="counted" if known else "VoID" if void.triples else "unknown",
        vocabularies=find_vocabularies(prober, classes),
        graphs=find_graphs(prober, limits.graphs),
        void=void,
        warnings=doubtful,
    )
    return replace(plan, stages=tuple(_stages(plan, prober, limits)), probes=tuple(prober.probes))


def _membership(connector: Connector, layout: Layout) -> str:
    if layout == "kqapro":
        return PRED + "instance_of"
    return find_traits(connector, layout).membership if layout == "wikidata" else RDF + "type"


def _stages(plan: Plan, prober: Prober, limits: BuildLimits) -> Iterator[PlanStage]:
    """Every stage of the layout, with the time that the earlier stages leave for it."""
    sizes = _sizes(plan, limits)
    left = plan.budget_s
    for name in SHARES:
        work = _WORK[name]
        if plan.layout in work.layouts:
            stage = _stage(name, work, sizes, prober, limits, left * share_of(name))
            left -= min(stage.seconds, stage.limit_s)
            yield stage


def _sizes(plan: Plan, limits: BuildLimits) -> _Sizes:
    predicates = len(plan.predicates or plan.void.properties) or _UNKNOWN_PREDICATES
    classes = len(plan.classes or plan.void.classes) or _UNKNOWN_CLASSES
    entities = min(plan.entities or _UNKNOWN_ENTITIES, limits.entities)
    labels = entities if plan.labels is None else plan.labels
    return _Sizes(predicates, classes, entities, labels, limits.page_rows)


def _stage(
    name: str, work: _StageWork, sizes: _Sizes, prober: Prober, limits: BuildLimits, limit_s: float
) -> PlanStage:
    one_s = _PASSES * prober.scan_s
    why = ""
    if work.whole and prober.scan_failure:
        why = prober.scan_failure
    elif work.whole and (one_s > limits.query_ms / 1_000 or work.whole * one_s > limit_s):
        why = f"counting all would take about {work.whole * one_s:.0f} s or more"
    whole = work.whole * (sizes.predicates if why else 1)
    whole_s = whole * prober.look_s if why else whole * one_s
    queries, pages = work.queries(sizes), work.pages(sizes)
    seconds = whole_s + queries * prober.look_s + pages * max(prober.look_s, prober.scan_s / 2)
    return PlanStage(
        name,
        whole + queries + pages,
        pages,
        bool(why),
        why,
        round(min(seconds, limit_s), 3),
        round(limit_s, 3),
    )
