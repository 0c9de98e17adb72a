"""`/explain`: which steps a query of one's own consists of, and where in its text each is."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from nlq_gateway.answering import Gateway, explained
from nlq_gateway.edges.http.access import endpoint_for
from nlq_gateway.edges.http.negotiation import negotiate
from nlq_gateway.edges.http.requests import ExplainBody, body_of
from nlq_gateway.trace import program_json, sparql_json


def routes(gateway: Gateway) -> Blueprint:
    """`POST /explain`."""
    blueprint = Blueprint("explain", __name__)

    @blueprint.post("/explain")
    def explain() -> Response:
        negotiate(("application/json",))
        body = body_of(ExplainBody)
        endpoint = endpoint_for(gateway, body.dataset).snapshot()
        told = explained(endpoint, body.sparql)
        return jsonify(
            {
                "dataset": endpoint.id,
                "program": program_json(told.program),
                "pins": [
                    {"step": pin.step + 1, "argument": pin.argument, "iri": pin.iri} for pin in told.pins
                ],
                "source_map": told.source_map(),
                "sparql": sparql_json(told.compiled),
            }
        )

    return blueprint
