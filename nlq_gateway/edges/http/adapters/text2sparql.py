"""`/text2sparql`: a question in, its query out, as clients of the TEXT2SPARQL challenge ask.

https://text2sparql.aksw.org/ names the parameters and the members. Its client reads any JSON with these
members as an answer, whatever the status, and skips a question for which another document comes: a problem
is therefore safe to send, and never has all three.
"""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from compilers.bare import bare_query
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.edges.http.access import endpoint_for
from nlq_gateway.edges.http.keeping import Keeper, linked
from nlq_gateway.edges.http.leaving import served
from nlq_gateway.edges.http.negotiation import negotiate
from nlq_gateway.edges.http.problems import problem
from nlq_gateway.edges.http.requests import Text2SparqlBody, arguments_of
from nlq_gateway.trace import Trace, program_json, sparql_json


def routes(pipeline: Pipeline, keeper: Keeper) -> Blueprint:
    """`GET /text2sparql`."""
    blueprint = Blueprint("text2sparql", __name__)

    @blueprint.get("/text2sparql")
    def text2sparql() -> Response:
        negotiate(("application/json",))
        body = arguments_of(Text2SparqlBody)
        endpoint = endpoint_for(pipeline, body.dataset)
        asked = Ask(body.question, endpoint.id, body.lang or "", guess=body.guess)
        with served(request.environ) as gone:
            trace = pipeline.ask(asked, gone)
            kept = keeper.keep(trace)
        if trace.query is None or trace.status == "unanswerable":
            return linked(_without_query(trace), kept)
        found = {
            "dataset": body.dataset or endpoint.id,
            "question": body.question,
            "query": bare_query(trace.query),
        }
        return linked(jsonify(found), kept)

    return blueprint


def _without_query(trace: Trace) -> Response:
    """A problem that says why, with the reading that came closest, where there is one."""
    closest = {} if trace.program is None else {"program": program_json(trace.program)}
    if trace.query is not None:
        closest["sparql"] = sparql_json(trace.query)
    detail = " ".join(filter(None, (trace.text, trace.diagnosis)))
    hint = "add guess=true to the address to get the closest query all the same" if closest else ""
    return problem("unanswerable", detail, hint=hint, trace=trace.id, **closest)
