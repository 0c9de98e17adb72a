"""What becomes of every trace, at whichever address it was made: it is counted, and kept under its id."""

from __future__ import annotations

import logging
import sqlite3
from dataclasses import dataclass

from flask import Response, url_for

from nlq_gateway.http.metrics import Metrics
from nlq_gateway.trace import Trace
from nlq_gateway.trace.parts import Json
from nlq_gateway.trace_store import TraceStore

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Keeper:
    """Counts and keeps traces."""

    traces: TraceStore
    metrics: Metrics

    def keep(self, trace: Trace) -> Json:
        """The trace's document. An answer is not lost because its trace cannot be kept: that is logged."""
        self.metrics.observe(trace)
        document = trace.as_json()
        try:
            self.traces.put(trace.id, document)
        except (OSError, sqlite3.Error):
            _log.exception("the trace %s could not be kept", trace.id)
        return document


def linked(response: Response, trace_id: str) -> Response:
    """The response, with where its trace is as a `Link` (RFC 8288)."""
    response.headers["Link"] = f'<{url_for("traces.trace", trace_id=trace_id)}>; rel="describedby"'
    return response
