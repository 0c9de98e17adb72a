"""A plan for indexing a store, with the evidence for its layout: as lines of text, and as an object."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from nlq_gateway.index import LayoutFinding, Plan, PlanStage


def plan_object(found: LayoutFinding | None, plan: Plan) -> dict[str, Any]:
    """The output of `--json`; `evidence` is null if the layout is configured."""
    body = asdict(plan) | {"seconds": round(plan.seconds, 3)}
    return body | {"evidence": asdict(found) if found is not None else None}


def plan_lines(found: LayoutFinding | None, plan: Plan) -> Iterator[str]:
    """The lines of one endpoint."""
    yield from _table(_sizes(plan))
    yield f"  layout {plan.layout}" + ("" if found is not None else ", as configured")
    if found is not None:
        yield from _table({f"  {one.sign}": f"{one.words} ({one.ms:.0f} ms)" for one in found.evidence})
        yield from _table({f"  in <{graph}>": layout for graph, layout in found.by_graph.items()})
    yield "  stages"
    yield from _table({f"  {stage.name}": _work(stage, plan.sample_facts) for stage in plan.stages})
    yield f"  expected time {plan.seconds:.0f} s of a budget of {plan.budget_s:.0f} s"
    for warning in (*(found.warnings if found is not None else ()), *plan.warnings):
        yield f"  warning: {warning}"


def _sizes(plan: Plan) -> dict[str, str]:
    stated = f", {plan.known_by}" if plan.triples is not None else ""
    used = (*(plan.vocabularies or ()), *(("VoID",) if plan.void else ()))
    vocabularies = ", ".join(used) or ("unknown" if plan.vocabularies is None else "none")
    return {
        "triples": _number(plan.triples) + stated,
        "predicates": _number(len(plan.predicates) if plan.predicates is not None else None),
        "classes": _number(len(plan.classes) if plan.classes is not None else None),
        "members of classes": _number(plan.entities),
        "labels": _number(plan.labels),
        "vocabularies": vocabularies,
        "named graphs": ", ".join(plan.graphs) or "none",
        "asked": f"{len(plan.probes)} queries, {sum(probe.ms for probe in plan.probes) / 1_000:.1f} s",
    }


def _number(count: int | None) -> str:
    return "unknown" if count is None else f"{count:,}"


def _work(stage: PlanStage, sample: int) -> str:
    pages = f", {stage.pages:,} of them pages" if stage.pages else ""
    how = f"; {sample:,} facts of each predicate: {stage.why}" if stage.sampled else ""
    times = f"about {stage.seconds:.1f} s, at most {stage.limit_s:.0f} s"
    return f"{stage.queries:,} queries{pages}; {times}{how}"


def _table(rows: dict[str, str]) -> Iterator[str]:
    width = max(map(len, rows), default=0)
    yield from (f"  {name:<{width}}  {text}" for name, text in rows.items())
