"""`/metrics`: what is counted of questions and errors. Worker processes: tests/cli/test_serve.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from compilers.kopl.repair import Repair
from nlq_gateway.answering import Pipeline
from nlq_gateway.edges.http import create_app
from nlq_gateway.edges.http.monitoring.metrics import Metrics, kind_of
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.trace import ModelCall, Trace, Warning

QUESTION = {"question": "Who directed Pulp Fiction?"}
DOCS = Path(__file__).parents[2] / "docs" / "metrics.md"
Figures = dict[tuple[str, tuple[str, ...]], float]


def read(text: str) -> Figures:
    """The value of each sample by its name and the values of its labels, in the order of their names."""
    return {
        (sample.name, tuple(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def figures(source: FlaskClient | Metrics) -> Figures:
    return read(source.page("")[0].decode() if isinstance(source, Metrics) else source.get("/metrics").text)


def trace(**fields: object) -> Trace:
    return Trace("id", "question", "sample", "answered", "text", strategy="few-shot", **fields)  # type: ignore[arg-type]


def test_a_question_is_counted_with_its_stages(client: FlaskClient) -> None:
    document = client.post("/nlq", json=QUESTION).get_json()
    client.get("/nlq", query_string=QUESTION, headers={"Accept": "application/sparql-results+json"})
    client.post("/run", json={"program": "FindAll()->Count()"})
    found = figures(client)
    assert found["nlq_questions_total", ("sample", "answered", document["strategy"])] == 2
    assert found["nlq_questions_total", ("sample", "answered", "given")] == 1
    assert found["nlq_question_seconds_count", ("sample",)] == 3
    assert 0 < found["nlq_question_seconds_sum", ("sample",)] < 60
    stages = {labels[0] for name, labels in found if name == "nlq_stage_seconds_count"}
    assert stages == set(document["timings_ms"]) - {"total"}
    assert found["nlq_stage_seconds_count", ("execute",)] == 3
    assert found["nlq_stage_seconds_count", ("link",)] == 2


def test_an_error_is_counted_by_its_code_and_route(client: FlaskClient) -> None:
    for _ in range(2):
        client.post("/nlq", json={"question": ""})
    client.post("/nlq", json={**QUESTION, "dataset": "away"})
    client.get("/away/sparql?query=ASK{}")
    client.get("/nothing/here")
    client.get("/healthz")
    found = figures(client)
    problems = {labels: value for (name, labels), value in found.items() if name == "nlq_problems_total"}
    assert problems == {
        ("invalid-request", "/nlq"): 2,
        ("endpoint-unreachable", "/nlq"): 1,
        ("endpoint-unreachable", "/<dataset>/sparql"): 1,
        ("not-found", ""): 1,
    }
    assert not any(name == "nlq_questions_total" for name, _ in found)


def test_what_a_model_did_is_counted() -> None:
    metrics = Metrics()
    calls = (ModelCall("write", 300, 20, 500.0), ModelCall("ground", 600, 20, 1_000.0))
    metrics.observe(trace(model_calls=calls))
    metrics.observe(
        trace(
            model_calls=(ModelCall("write", 100, 2, 1_500.0), ModelCall("ground", 70, 9, 0.1, cached=True)),
            warnings=(Warning("model-unavailable", "busy"), Warning("model-unavailable", "still busy")),
            repairs=(
                Repair(0, 1, "a", "b", "so"),
                Repair(0, 0, "a", "b", "so"),
                Repair(2, None, "", "What()", "so"),
            ),
        )
    )
    found = figures(metrics)
    sums = {name: value for (name, labels), value in found.items() if labels == ("sample",)}
    assert {name: value for name, value in sums.items() if name.endswith("_total")} == {
        "nlq_model_calls_total": 3,
        "nlq_model_prompt_tokens_total": 1000,
        "nlq_model_completion_tokens_total": 42,
        "nlq_model_seconds_total": 3.0,
        "nlq_model_cached_total": 1,
        "nlq_fallbacks_total": 1,
    }
    assert found["nlq_repairs_total", ("argument-changed",)] == 2
    assert found["nlq_repairs_total", ("step-added",)] == 1


@pytest.mark.parametrize(
    ("repair", "kind"),
    [
        (Repair(0, None, "", "What()", "so"), "step-added"),
        (Repair(0, None, "What()", "", "so"), "step-removed"),
        (Repair(0, None, "Name()", "What()", "so"), "step-changed"),
        (Repair(0, 0, "", "forward", "so"), "argument-added"),
        (Repair(0, 1, "forward", "", "so"), "argument-removed"),
        (Repair(0, 1, "out", "forward", "so"), "argument-changed"),
    ],
)
def test_a_repair_has_a_kind(repair: Repair, kind: str) -> None:
    assert kind_of(repair) == kind


def test_hostile_labels_stay_labels() -> None:
    metrics = Metrics()
    hostile = 'a"} 1\nnlq_evil_total{x="\\'
    metrics.observe(Trace("id", "q", hostile, "answered", "text"))
    found = figures(metrics)
    assert found["nlq_questions_total", (hostile, "answered", "none")] == 1
    assert not any("evil" in name for name, _ in found)


def test_applications_of_one_process_count_apart(app: Flask, gateway: Pipeline, tmp_path: Path) -> None:
    other = create_app(gateway, TraceStore(tmp_path / "other.sqlite")).test_client()
    app.test_client().post("/nlq", json=QUESTION)
    assert figures(app.test_client())["nlq_question_seconds_count", ("sample",)] == 1
    assert ("nlq_question_seconds_count", ("sample",)) not in figures(other)


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("", "text/plain"),
        ("*/*", "text/plain"),
        ("application/json", "text/plain"),
        ("application/openmetrics-text; version=1.0.0,text/plain;q=0.5", "application/openmetrics-text"),
    ],
)
def test_the_format_is_the_one_that_is_asked_for(client: FlaskClient, accept: str, media_type: str) -> None:
    response = client.get("/metrics", headers={"Accept": accept})
    assert (response.status_code, response.mimetype) == (200, media_type)
    assert "# TYPE nlq_stage_seconds histogram" in response.text
    assert response.headers["Cache-Control"] == "no-store"


def test_every_metric_is_documented() -> None:
    metrics = Metrics()
    metrics.observe(trace(repairs=(Repair(0, None, "", "What()", "so"),)))
    named = {
        (family.name + ("_total" if family.type == "counter" else ""), family.type)
        for family in text_string_to_metric_families(metrics.page("")[0].decode())
        if not family.name.endswith("_created")
    }
    rows = [line for line in DOCS.read_text(encoding="utf-8").split("\n") if line.startswith("| `nlq_")]
    assert {tuple(cell.strip(" `") for cell in row.split("|")[1:3]) for row in rows} == named


def test_the_client_library_is_loaded_where_something_is_counted() -> None:
    code = "import sys, nlq_gateway.edges.server.serve; sys.exit('prometheus_client' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
