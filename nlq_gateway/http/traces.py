"""`/traces/ID`: an answer as it was given, and what people say of it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify
from werkzeug.exceptions import NotFound

from compilers.kopl.notations import read_program
from compilers.kopl.program import Program
from nlq_gateway.errors import InvalidRequest
from nlq_gateway.http.caching import revalidated
from nlq_gateway.http.negotiation import negotiate
from nlq_gateway.http.requests import FeedbackBody, body_of
from nlq_gateway.trace_store import Feedback, TraceStore
from nlq_gateway.types import Demonstration

Json = dict[str, Any]


def routes(traces: TraceStore) -> Blueprint:
    """`GET /traces/ID` and `POST /traces/ID/feedback`."""
    blueprint = Blueprint("traces", __name__)

    @blueprint.get("/traces/<trace_id>")
    def trace(trace_id: str) -> Response:
        return revalidated(jsonify(kept(trace_id)), private=True)

    @blueprint.post("/traces/<trace_id>/feedback")
    def feedback(trace_id: str) -> Response:
        negotiate(("application/json",))
        body = body_of(FeedbackBody)
        document = kept(trace_id)
        right = _right(document, body)
        dataset, question = document["dataset"], document["question"]
        traces.judge(Feedback(trace_id, dataset, question, body.correct, right, body.comment))
        return jsonify({"trace": trace_id, "dataset": dataset, "demonstration": right is not None})

    def kept(trace_id: str) -> Json:
        document = traces.get(trace_id)
        if document is None:
            raise NotFound(f"there is no trace {trace_id!r}; only the newest are kept")
        return document

    return blueprint


def _right(document: Json, body: FeedbackBody) -> Demonstration | None:
    """The question with the program that answers it; None where that is not known.

    Raises:
        InvalidRequest: for a trace without a question, or without the program that is called correct.
    """
    question, program = document["question"], body.read()
    if not question:
        raise InvalidRequest("this trace is of a program, not of a question", hint="give feedback on /nlq")
    if program is not None:
        return Demonstration(question, program, "confirmed")
    if not body.correct:
        return None
    if document["program"] is None:
        raise InvalidRequest("correct: this trace has no program", hint="give the right `program`")
    program = read_program(document["program"]["steps"])
    return Demonstration(question, program, "confirmed", _choices(document, program))


def _choices(document: Json, program: Program) -> dict[tuple[int, int], tuple[str, ...]]:
    """The IRIs that the answer took the program's names for."""
    bound = {(one["step"] - 1, one["argument"]): (one["iri"],) for one in document["bindings"] if one["iri"]}
    return {place: iris for place, iris in bound.items() if place[0] < len(program)}
