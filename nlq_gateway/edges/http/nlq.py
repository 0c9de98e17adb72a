"""`/nlq` answers questions; `/run` and `/compile` take programs, `/explain` a query of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from threading import Event

from flask import Blueprint, Response, g, jsonify, request

from compilers.compile import compile_program
from compilers.errors import UnsupportedProgram
from compilers.kopl.program import Program
from compilers.probes import compile_probes
from nlq_gateway.answering import Pipeline, explained
from nlq_gateway.core.errors import InvalidRequest
from nlq_gateway.edges.http.access import endpoint_for
from nlq_gateway.edges.http.answers import EXECUTED, JSON, OFFERS, Answers
from nlq_gateway.edges.http.negotiation import negotiate
from nlq_gateway.edges.http.requests import (
    CompileBody,
    ExplainBody,
    NlqAddress,
    NlqBody,
    RunBody,
    arguments_of,
    body_of,
    pins_of,
)
from nlq_gateway.trace import Listener, Trace, compiled_json, program_json


def routes(pipeline: Pipeline, answers: Answers) -> Blueprint:
    """`/nlq`, `/run`, `/compile` and `/explain`."""
    blueprint = Blueprint("nlq", __name__)

    @blueprint.route("/nlq", methods=["GET", "POST"])
    def nlq() -> Response:
        media_type = negotiate(OFFERS)
        body = arguments_of(NlqAddress) if request.method in ("GET", "HEAD") else body_of(NlqBody)
        if media_type in EXECUTED and not body.execute:
            raise InvalidRequest("execute: without it there is no result", hint=f"accept {JSON}")
        asked = replace(body.ask(), dataset=endpoint_for(pipeline, body.dataset).id)
        return answers.respond(media_type, partial(pipeline.ask, asked), body.timeout_ms)

    @blueprint.post("/run")
    def run() -> Response:
        media_type = negotiate(OFFERS)
        body = body_of(RunBody)
        program = _noted(body.read())
        dataset = endpoint_for(pipeline, body.dataset).id

        def work(_: Event, listeners: Sequence[Listener]) -> Trace:
            return pipeline.run(
                program,
                dataset,
                pins=pins_of(body.pins),
                max_rows=body.max_rows,
                timeout_ms=body.timeout_ms,
                language=body.lang,
                strict=body.strict,
                listeners=listeners,
            )

        return answers.respond(media_type, work, body.timeout_ms)

    @blueprint.post("/compile")
    def compile_() -> Response:
        negotiate((JSON,))
        body = body_of(CompileBody)
        program = _noted(body.read())
        dataset = endpoint_for(pipeline, body.dataset).id
        bound = pipeline.bind(
            program, dataset, dialect=body.dialect, pins=pins_of(body.pins), strict=body.strict
        )
        return jsonify(compiled_json(dataset, compile_program(*bound), compile_probes(*bound)))

    @blueprint.post("/explain")
    def explain() -> Response:
        negotiate((JSON,))
        body = body_of(ExplainBody)
        endpoint = endpoint_for(pipeline, body.dataset).snapshot()
        return jsonify(explained(endpoint, body.sparql).as_json())

    return blueprint


def _noted(program: Program) -> Program:
    """The program, remembered for the problem document in case something fails.

    One that no notation can write is left to the check, which says what is wrong with it.
    """
    with suppress(UnsupportedProgram):
        g.made = {"program": program_json(program)}
    return program
