"""`/traces/ID`: an answer as it was given; `/traces/ID/feedback`: what clients say of it.

`/feedback/ID/approve`: what curators decide.
"""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request
from werkzeug.exceptions import NotFound

from compilers.kopl.notations import read_program
from compilers.kopl.program import Program
from nlq_gateway.core.errors import Forbidden, InvalidRequest
from nlq_gateway.core.types import Demonstration
from nlq_gateway.edges.http.access import curator, may_read
from nlq_gateway.edges.http.answers import DOCUMENTS, sent_as
from nlq_gateway.edges.http.leaving import ASKER
from nlq_gateway.edges.http.negotiation import negotiate, revalidated
from nlq_gateway.edges.http.requests import FeedbackBody, body_of
from nlq_gateway.edges.trace_store import Feedback, State, TraceStore
from nlq_gateway.trace import Json


def routes(traces: TraceStore, mode: str) -> Blueprint:
    """`GET /traces/ID`; where `mode` is not off, the addresses of feedback and of decisions on it."""
    blueprint = Blueprint("traces", __name__)

    @blueprint.get("/traces/<trace_id>")
    def trace(trace_id: str) -> Response:
        return revalidated(sent_as(negotiate(DOCUMENTS), _kept(traces, trace_id)), private=True)

    if mode == "off":
        return blueprint

    @blueprint.post("/traces/<trace_id>/feedback")
    def feedback(trace_id: str) -> Response:
        negotiate(("application/json",))
        body = body_of(FeedbackBody)
        document = _kept(traces, trace_id)
        by = curator() if mode == "trusted" else ""
        return _told(traces, traces.judge(_said(document, body), by=by))

    @blueprint.post("/feedback/<int:number>/approve", defaults={"state": "approved"})
    @blueprint.post("/feedback/<int:number>/reject", defaults={"state": "rejected"})
    def decide(number: int, state: State) -> Response:
        negotiate(("application/json",))
        by = curator()
        if not by:
            raise Forbidden("only a curator decides on feedback", hint="`role: curator` of a client")
        if not any(may_read(one.said.dataset) for one in traces.reviews(number=number)):
            raise NotFound(f"there is no feedback {number}")
        traces.decide(number, state, by)
        return _told(traces, number)

    return blueprint


def _kept(traces: TraceStore, trace_id: str) -> Json:
    """The document of a trace that the client may read; raises NotFound."""
    document = traces.get(trace_id)
    # Only clients that may read the dataset learn whether the trace exists.
    if document is None or not may_read(document["dataset"]):
        raise NotFound(f"there is no trace {trace_id!r}; only the newest are kept")
    return document


def _told(traces: TraceStore, number: int) -> Response:
    [review] = traces.reviews(number=number)
    return jsonify(
        {
            "feedback": review.number,
            "trace": review.said.trace,
            "dataset": review.said.dataset,
            "state": review.state,
            "demonstration": review.teaches,
        }
    )


def _said(document: Json, body: FeedbackBody) -> Feedback:
    return Feedback(
        document["id"],
        document["dataset"],
        document["question"],
        body.correct,
        _right(document, body),
        body.comment,
        request.environ.get(ASKER, ""),
    )


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
