"""One line in the log for each request: its address, and its result.

Never anything that may contain a secret: no header values, no query string, no raw address but its rule; the
text of questions only with `server.log.questions`.
"""

from __future__ import annotations

import logging
import time
from typing import Any

from flask import Flask, Response, g, has_app_context, request

from nlq_gateway.edges.http.monitoring.health import ABOUT_THE_PROCESS
from nlq_gateway.settings.logs import FIELDS
from nlq_gateway.settings.server import LogSettings
from nlq_gateway.trace import Trace

_log = logging.getLogger("nlq_gateway.request")


def note(trace: Trace) -> None:
    """Store the log fields of this request's answer."""
    if has_app_context():
        g.noted = {
            "dataset": trace.dataset,
            "trace": trace.id,
            "strategy": trace.strategy or "none",
            "outcome": trace.status,
            "question": trace.question,
        }


def register(app: Flask, settings: LogSettings) -> None:
    """Write a line when a response has been sent whole, or broke off."""

    def begin() -> None:
        g.begun = time.perf_counter()

    def end(response: Response) -> Response:
        level = logging.DEBUG if request.path in ABOUT_THE_PROCESS else logging.INFO
        if _log.isEnabledFor(level):
            context = {
                **_asked(),
                "status": response.status_code,
                **({"problem": g.problem} if "problem" in g else {}),
            }
            begun, kept = g.get("begun", time.perf_counter()), g._get_current_object()
            response.call_on_close(lambda: _write(level, context, kept.get("noted", {}), begun, settings))
        return response

    app.before_request(begin)
    app.after_request(end)


def _asked() -> dict[str, Any]:
    client = getattr(g.get("client"), "name", "")
    return {
        "request": g.get("request_id", "-"),
        **({"client": client} if client else {}),
        "method": request.method,
        "route": request.url_rule.rule if request.url_rule else "",
    }


def _write(
    level: int, context: dict[str, Any], noted: dict[str, Any], begun: float, settings: LogSettings
) -> None:
    told = {name: value for name, value in noted.items() if name != "question" or settings.questions}
    milliseconds = round((time.perf_counter() - begun) * 1000, 1)
    fields = {**context, "ms": milliseconds, **told}
    _log.log(level, "%s %s", context["method"], context["route"] or "-", extra={FIELDS: fields})
