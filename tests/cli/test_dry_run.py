"""`nlq index --dry-run`: what would be read, and why the layout is what it is; nothing is built."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from nlq_gateway.edges.cli.plans import plan_lines, plan_object
from nlq_gateway.index import LayoutEvidence, LayoutFinding, Plan, PlanStage

Nlq = Callable[..., "subprocess.CompletedProcess[str]"]
Written = Callable[[str, object], str]

SAMPLE = ("--data", "builtin:sample", "--dry-run")
PLAN = Plan(
    budget_s=900,
    sample_facts=20_000,
    triples=2_000_000_000,
    known_by="VoID",
    stages=(
        PlanStage("relations", 300, sampled=True, why="counting all takes too long", seconds=6, limit_s=140),
        PlanStage("entity labels", 40, pages=40, seconds=80, limit_s=240),
    ),
    warnings=("VoID is old",),
)
FOUND = LayoutFinding(
    "direct",
    (LayoutEvidence("rdf12", "nodes that reify triple terms", "SELECT", None, why="no answer in time"),),
    {"http://g.example/1": "singleton"},
    ("the store did not tell",),
)


def test_the_plan_for_people() -> None:
    assert [line.strip() for line in plan_lines(FOUND, PLAN)] == [
        "triples             2,000,000,000, VoID",
        "predicates          unknown",
        "classes             unknown",
        "members of classes  unknown",
        "labels              unknown",
        "vocabularies        unknown",
        "named graphs        none",
        "asked               0 queries, 0.0 s",
        "layout direct",
        "nodes that reify triple terms  not told: no answer in time (0 ms)",
        "in <http://g.example/1>  singleton",
        "stages",
        "relations      300 queries; about 6.0 s, at most 140 s; "
        "20,000 facts of each predicate: counting all takes too long",
        "entity labels  40 queries, 40 of them pages; about 80.0 s, at most 240 s",
        "expected time 86 s of a budget of 900 s",
        "warning: the store did not tell",
        "warning: VoID is old",
    ]


def test_a_configured_layout_has_no_evidence() -> None:
    assert "  layout direct, as configured" in list(plan_lines(None, PLAN))
    assert plan_object(None, PLAN)["evidence"] is None
    json.dumps(plan_object(FOUND, PLAN))


def test_the_plan_of_the_sample_is_shown_and_nothing_built(
    nlq: Nlq, environment: dict[str, str], tmp_path: Path
) -> None:
    done = nlq("index", *SAMPLE, "--json", env={**environment, "NLQ_CACHE": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    plan = json.loads(done.stdout)["sample"]
    assert plan["layout"] == plan["evidence"]["layout"] == "kqapro"
    assert plan["evidence"]["evidence"][0]["found"] is True
    assert plan["triples"] == sum(plan["predicates"].values()) > 10_000
    assert len(plan["probes"]) <= 15
    assert plan["budget_s"] == 900
    assert not (tmp_path / "endpoints" / "sample" / "index").exists()


@pytest.mark.parametrize(
    ("index", "shown"), [("{budget: 20m}", "a budget of 1200 s"), ("{sample: 50}", "stages")]
)
def test_the_plan_follows_the_configuration(nlq: Nlq, written: Written, index: str, shown: str) -> None:
    file = written("nlq.yaml", f"endpoints: [{{id: films, data: ['builtin:sample'], index: {index}}}]")
    done = nlq("index", "--config", file, "--dry-run")
    assert done.stdout.splitlines()[0] == "films"
    assert shown in done.stdout


def test_json_belongs_to_a_dry_run(nlq: Nlq) -> None:
    done = nlq("index", "--data", "builtin:sample", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--json belongs to --dry-run" in done.stderr
