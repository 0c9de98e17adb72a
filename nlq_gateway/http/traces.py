"""`/traces/ID`: an answer as it was given."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify
from werkzeug.exceptions import NotFound

from nlq_gateway.trace_store import TraceStore


def routes(traces: TraceStore) -> Blueprint:
    """`GET /traces/ID`."""
    blueprint = Blueprint("traces", __name__)

    @blueprint.get("/traces/<trace_id>")
    def trace(trace_id: str) -> Response:
        document = traces.get(trace_id)
        if document is None:
            raise NotFound(f"there is no trace {trace_id!r}; only the newest are kept")
        return jsonify(document)

    return blueprint
