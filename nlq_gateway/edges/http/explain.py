"""`/explain`: which steps a query of one's own consists of, and where in its text each is."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from nlq_gateway.answering import Pipeline, explained
from nlq_gateway.edges.http.access import endpoint_for
from nlq_gateway.edges.http.negotiation import negotiate
from nlq_gateway.edges.http.requests import ExplainBody, body_of


def routes(pipeline: Pipeline) -> Blueprint:
    """`POST /explain`."""
    blueprint = Blueprint("explain", __name__)

    @blueprint.post("/explain")
    def explain() -> Response:
        negotiate(("application/json",))
        body = body_of(ExplainBody)
        endpoint = endpoint_for(pipeline, body.dataset).snapshot()
        return jsonify(explained(endpoint, body.sparql).as_json())

    return blueprint
