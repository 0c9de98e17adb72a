"""`/healthz`: the process and its threads work. `/readyz`: an endpoint is available, or all of them.

Neither queries a store: their state is checked in the background (nlq_gateway/answering/readiness.py).

Clients see only the endpoints that they may read. A language model that is down does not affect readiness:
questions are answered without it.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, jsonify

from nlq_gateway.answering import Pipeline
from nlq_gateway.edges.http.access import may_read
from nlq_gateway.edges.http.problems import problem

# The addresses that probes and scrapers poll.
ABOUT_THE_PROCESS = ("/healthz", "/readyz", "/metrics")


def routes(pipeline: Pipeline, others: Callable[[], str], hangs: Callable[[], str]) -> Blueprint:
    """Return both routes; `others` names loading worker processes, `hangs` a fault of this one."""
    blueprint = Blueprint("health", __name__)
    strict = pipeline.settings.server.ready == "all"

    @blueprint.get("/healthz")
    def healthz() -> Response:
        if why := hangs():
            return problem("overloaded", why, retryable=True)
        return jsonify({"status": "ok"})

    @blueprint.get("/readyz")
    def readyz() -> Response:
        endpoints = list(pipeline.endpoints.values())
        states = [{"id": e.id, "status": e.status, "detail": e.detail} for e in endpoints if may_read(e.id)]
        down = [e for e in endpoints if e.status != "ready" and not may_read(e.id)]
        reasons = [_reason(state) for state in states if state["status"] != "ready"]
        if down:
            reasons.append(f"{len(down)} of {len(endpoints)} endpoints are not ready")
        answering = [e for e in endpoints if e.status == "ready"]
        enough = len(answering) == len(endpoints) if strict else answering
        waiting = [other] if (other := others()) and enough else reasons
        if other or not enough:
            return problem("overloaded", "; ".join(waiting), retryable=True, endpoints=states)
        model = {"model": pipeline.model.describe()} if pipeline.model else {}
        detail = {"detail": "; ".join(reasons)} if reasons else {}
        return jsonify({"status": "ready", "endpoints": states, **detail, **model})

    return blueprint


def _reason(state: dict[str, str]) -> str:
    return f"{state['id']} is {state['status']}" + (f": {state['detail']}" if state["detail"] else "")
