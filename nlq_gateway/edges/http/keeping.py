"""Counting and storing of traces, from every address."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from flask import Response, url_for

from connectors.asking import asker
from nlq_gateway.core.errors import TracesUnavailable
from nlq_gateway.edges.http.monitoring.metrics import Metrics
from nlq_gateway.edges.http.monitoring.request_log import note
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.trace import Json, Trace, Warning

_NOT_KEPT = Warning(
    "trace-not-kept", "this answer cannot be looked at again under its id: the store of traces is down"
)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Kept:
    """A trace's document, and whether it can be looked at again."""

    document: Json
    is_kept: bool


@dataclass(frozen=True, slots=True)
class Keeper:
    """Counts and keeps traces."""

    traces: TraceStore
    metrics: Metrics

    def keep(self, trace: Trace) -> Kept:
        """Count and keep a trace; where it cannot be kept its answer says so, and is still given."""
        self.metrics.observe(trace)
        note(trace)
        document = trace.as_json()
        try:
            self.traces.put(trace.id, document, asker().who)
        except TracesUnavailable as error:
            _log.warning("the trace %s is not kept: %s", trace.id, error.message)
            document["warnings"] = [*document["warnings"], _NOT_KEPT.as_json()]
            return Kept(document, False)
        return Kept(document, True)


def linked(response: Response, kept: Kept) -> Response:
    """The response, with where its trace is as a `Link` (RFC 8288), if it is anywhere."""
    if kept.is_kept:
        address = url_for("traces.trace", trace_id=kept.document["id"])
        response.headers["Link"] = f'<{address}>; rel="describedby"'
    return response
