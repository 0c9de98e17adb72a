"""`/traces/ID`: an answer as it was given."""

from __future__ import annotations

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from nlq_gateway.edges.http.access import may_read
from nlq_gateway.edges.http.answers import DOCUMENTS, sent_as
from nlq_gateway.edges.http.negotiation import negotiate, revalidated
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.trace import Json


def routes(traces: TraceStore) -> Blueprint:
    """`GET /traces/ID`."""
    blueprint = Blueprint("traces", __name__)

    @blueprint.get("/traces/<trace_id>")
    def trace(trace_id: str) -> Response:
        return revalidated(sent_as(negotiate(DOCUMENTS), kept(traces, trace_id)), private=True)

    return blueprint


def kept(traces: TraceStore, trace_id: str) -> Json:
    """The document of a trace that the client may read; raises NotFound."""
    document = traces.get(trace_id)
    # Only clients that may read the dataset learn whether the trace exists.
    if document is None or not may_read(document["dataset"]):
        raise NotFound(f"there is no trace {trace_id!r}; only the newest are kept")
    return document
