"""The application: routes, errors, and what every response carries."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from flask import Flask, Response, g, request

from nlq_gateway.answering import Pipeline
from nlq_gateway.edges.http import datasets, describe, nlq, openapi, problems, schema, sparql, suggest, traces
from nlq_gateway.edges.http.access import guard, spell_strictly
from nlq_gateway.edges.http.adapters import chat, text2sparql
from nlq_gateway.edges.http.answers import Answers
from nlq_gateway.edges.http.keeping import Keeper
from nlq_gateway.edges.http.monitoring import health, metrics, request_log
from nlq_gateway.edges.http.requests import MAX_BODY
from nlq_gateway.edges.trace_store import TraceStore

# The key of the application's metrics.
METRICS = "nlq_gateway.metrics"
_REQUEST_ID = re.compile(r"[\w.-]{1,64}", re.ASCII)
_POLICY = (
    "default-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
)
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def create_app(
    pipeline: Pipeline,
    store: TraceStore,
    *,
    others: Callable[[], str] = lambda: "",
    shared: Path | None = None,
    hangs: Callable[[], str] = lambda: "",
    bound: str = "localhost",
) -> Flask:
    """The WSGI application over a gateway.

    Args:
        pipeline: answers the questions; the caller prepares its endpoints.
        store: keeps the traces, and what people say of them, which the gateway learns from.
        others: names other worker processes that are loading, for `/readyz`; "" if none.
        shared: a folder of the server's processes, where they count requests together.
        hangs: the reason why this process no longer answers, for `/healthz`; "" if it does.
        bound: the address that the server listens at, one of its names.
    """
    counted = metrics.Metrics()
    keeper = Keeper(store, counted)
    app = Flask("nlq_gateway.edges.http", static_folder="static", static_url_path="/static")
    app.config.update(MAX_CONTENT_LENGTH=MAX_BODY, MAX_FORM_MEMORY_SIZE=MAX_BODY)
    app.extensions[METRICS] = counted
    pipeline.learn_from(store)
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.json.sort_keys = False  # type: ignore[attr-defined]
    spell_strictly(app)
    for blueprint in (
        nlq.routes(pipeline, Answers(pipeline, keeper)),
        sparql.routes(pipeline),
        datasets.routes(pipeline),
        schema.routes(pipeline),
        suggest.routes(pipeline),
        describe.routes(pipeline),
        traces.routes(store, pipeline.settings.server.feedback),
        health.routes(pipeline, others, hangs),
        metrics.routes(counted),
        openapi.routes(),
        text2sparql.routes(pipeline, keeper),
        chat.routes(pipeline, keeper),
    ):
        app.register_blueprint(blueprint)
    app.add_url_rule("/", "page", partial(app.send_static_file, "index.html"))
    problems.register(app, counted.problem)
    app.before_request(_identify)
    guard(app, pipeline.settings.server, bound, shared)
    policy = content_policy(pipeline.settings.server.pictures)
    app.after_request(lambda response: _finish(response, policy))
    request_log.register(app, pipeline.settings.server.log)
    return app


def _identify() -> None:
    """Take over the id that a proxy gave the request, or make one."""
    given = request.headers.get("X-Request-Id", "")
    g.request_id = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)


def content_policy(pictures: Sequence[str]) -> str:
    """The content security policy of pages: their own files, and pictures from these origins."""
    images = (f"img-src 'self' {' '.join(pictures)}",) if pictures else ()
    return "; ".join((*_POLICY, *images))


def _finish(response: Response, policy: str) -> Response:
    response.headers.extend({"Content-Security-Policy": policy, **_HEADERS})
    response.headers["X-Request-Id"] = g.get("request_id", "-")
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
        response.vary.add("Accept")
    return response
