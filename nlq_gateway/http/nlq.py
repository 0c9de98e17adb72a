"""`/nlq` answers questions; `/run` and `/compile` take programs."""

from __future__ import annotations

import json
import logging
import sqlite3
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, g, jsonify, request, url_for

from compilers.compile import CompiledQuery, compile_program
from compilers.kopl.program import Program
from compilers.probes import Probe, compile_probes
from connectors.results import as_json
from nlq_gateway.errors import InvalidRequest
from nlq_gateway.http.leaving import served
from nlq_gateway.http.metrics import Metrics
from nlq_gateway.http.negotiation import negotiate
from nlq_gateway.http.request_log import note
from nlq_gateway.http.requests import CompileBody, NlqBody, RunBody, arguments_of, body_of, pins_of
from nlq_gateway.pipeline import Gateway
from nlq_gateway.trace import Trace, program_json, sparql_json
from nlq_gateway.trace_store import TraceStore

JSON = "application/json"
RESULTS = "application/sparql-results+json"

_NOTHING = '{"head": {"vars": []}, "results": {"bindings": []}}'
_log = logging.getLogger(__name__)


def routes(gateway: Gateway, traces: TraceStore, metrics: Metrics) -> Blueprint:
    """`/nlq`, `/run` and `/compile`."""
    blueprint = Blueprint("nlq", __name__)

    @blueprint.route("/nlq", methods=["GET", "POST"])
    def nlq() -> Response:
        media_type = negotiate((JSON, RESULTS))
        body = arguments_of(NlqBody) if request.method in ("GET", "HEAD") else body_of(NlqBody)
        if media_type == RESULTS and not body.execute:
            raise InvalidRequest("execute: without it there is no result", hint=f"accept {JSON}")
        with served(request.environ) as gone:
            return answered(gateway.ask(body.ask(), gone), media_type, body.timeout_ms)

    @blueprint.post("/run")
    def run() -> Response:
        media_type = negotiate((JSON, RESULTS))
        body = body_of(RunBody)
        program = _noted(body.read())
        with served(request.environ):
            trace = gateway.run(
                program,
                body.dataset,
                pins=pins_of(body.pins),
                max_rows=body.max_rows,
                timeout_ms=body.timeout_ms,
                strict=body.strict,
            )
            return answered(trace, media_type, body.timeout_ms)

    @blueprint.post("/compile")
    def compile_() -> Response:
        negotiate((JSON,))
        body = body_of(CompileBody)
        program = _noted(body.read())
        bound = gateway.bind(
            program, body.dataset, dialect=body.dialect, pins=pins_of(body.pins), strict=body.strict
        )
        query, probes = compile_program(*bound), compile_probes(*bound)
        return jsonify(_compiled(gateway.endpoint(body.dataset).id, program, query, probes))

    def answered(trace: Trace, media_type: str, timeout_ms: int | None) -> Response:
        """The trace, or the result with a link to the trace."""
        metrics.observe(trace)
        note(trace)
        document = trace.as_json()
        try:
            traces.put(trace.id, document)
        except (OSError, sqlite3.Error):
            _log.exception("the trace %s could not be kept", trace.id)
        response = _result(trace, timeout_ms) if media_type == RESULTS else jsonify(document)
        response.headers["Link"] = f'<{url_for("traces.trace", trace_id=trace.id)}>; rel="describedby"'
        return response

    def _result(trace: Trace, timeout_ms: int | None) -> Response:
        """The store's own answer to the query; where that is cut, or came in parts, the rows of the trace."""
        if trace.query is None or trace.status == "unanswerable":
            return Response(_NOTHING, content_type=RESULTS)
        if trace.result is not None and (trace.stages or trace.result.truncated):
            return Response(json.dumps(as_json(trace.result), ensure_ascii=False), content_type=RESULTS)
        connector = gateway.endpoint(trace.dataset).connector
        raw = connector.raw(trace.query.text, RESULTS, timeout_ms=timeout_ms)
        return Response(raw.body, content_type=raw.content_type)

    return blueprint


def _noted(program: Program) -> Program:
    """The program, remembered for the problem document in case something fails."""
    g.made = {"program": program_json(program)}
    return program


def _compiled(
    dataset: str, program: Program, query: CompiledQuery, probes: tuple[Probe, ...]
) -> dict[str, Any]:
    return {
        "dataset": dataset,
        "program": program_json(program),
        "sparql": sparql_json(query),
        "columns": [asdict(column) | {"step": column.step + 1} for column in query.columns],
        "probes": [probe.as_json() for probe in probes],
    }
