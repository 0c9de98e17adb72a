"""Prints deploy/grafana-dashboard.json: what Grafana imports to show the metrics of docs/metrics.md."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

RATE = "[$__rate_interval]"
WIDTH, HEIGHT, COLUMNS = 8, 8, 3
STORE = {"type": "prometheus", "uid": "${prometheus}"}


def quantile(share: float, metric: str, by: str = "") -> str:
    """The query for a quantile of a histogram's metric."""
    grouped = f"le, {by}" if by else "le"
    return f"histogram_quantile({share}, sum by ({grouped}) (rate({metric}_bucket{RATE})))"


def rate(metric: str, by: str) -> str:
    """The query for the growth of a counter per second."""
    return f"sum by ({by}) (rate({metric}{RATE}))"


# Title, unit, and the queries with their legends.
PANELS: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = (
    ("Questions", "reqps", ((rate("nlq_questions_total", "dataset, status"), "{{dataset}} {{status}}"),)),
    (
        "Seconds for a question",
        "s",
        tuple(
            (quantile(share, "nlq_question_seconds"), f"p{share * 100:.0f}") for share in (0.5, 0.95, 0.99)
        ),
    ),
    ("Errors", "reqps", ((rate("nlq_problems_total", "code, route"), "{{code}} {{route}}"),)),
    (
        "Requests",
        "short",
        (("nlq_requests_in_flight", "in flight"), ("nlq_requests_waiting", "waiting")),
    ),
    (
        "Seconds in a stage, p95",
        "s",
        ((quantile(0.95, "nlq_stage_seconds", "stage"), "{{stage}}"),),
    ),
    ("Strategies", "reqps", ((rate("nlq_questions_total", "strategy"), "{{strategy}}"),)),
    ("Seconds for a store's query, p95", "s", ((quantile(0.95, "nlq_store_seconds", "store"), "{{store}}"),)),
    (
        "Queries that failed",
        "reqps",
        ((rate("nlq_store_failures_total", "store, error"), "{{store}} {{error}}"),),
    ),
    (
        "Endpoints",
        "short",
        (("nlq_endpoint_ready", "{{dataset}} ready"), ("nlq_store_given_up", "{{dataset}} given up")),
    ),
    ("Age of the index", "s", (("time() - nlq_index_built_timestamp_seconds", "{{dataset}}"),)),
    (
        "Language model",
        "short",
        (
            (rate("nlq_model_calls_total", "dataset"), "{{dataset}} calls/s"),
            (rate("nlq_fallbacks_total", "dataset"), "{{dataset}} fallbacks/s"),
            ("nlq_model_ready", "ready"),
        ),
    ),
    (
        "Tokens",
        "short",
        (
            (rate("nlq_model_prompt_tokens_total", "dataset"), "{{dataset}} read"),
            (rate("nlq_model_completion_tokens_total", "dataset"), "{{dataset}} written"),
        ),
    ),
)


def panels() -> Iterator[dict[str, Any]]:
    """The panels, in rows of three."""
    for number, (title, unit, queries) in enumerate(PANELS):
        row, column = divmod(number, COLUMNS)
        yield {
            "id": number + 1,
            "type": "timeseries",
            "title": title,
            "datasource": STORE,
            "gridPos": {"x": column * WIDTH, "y": row * HEIGHT, "w": WIDTH, "h": HEIGHT},
            "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
            "targets": [
                {"refId": chr(ord("A") + at), "datasource": STORE, "expr": expression, "legendFormat": legend}
                for at, (expression, legend) in enumerate(queries)
            ],
        }


def dashboard() -> dict[str, Any]:
    """The whole, as Grafana imports it."""
    variable = {"name": "prometheus", "label": "Prometheus", "type": "datasource", "query": "prometheus"}
    return {
        "title": "nlq-gateway",
        "uid": "nlq-gateway",
        "tags": ["nlq-gateway"],
        "schemaVersion": 39,
        "version": 1,
        "editable": True,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {"list": [variable]},
        "panels": list(panels()),
    }


if __name__ == "__main__":
    print(json.dumps(dashboard(), indent=2))
