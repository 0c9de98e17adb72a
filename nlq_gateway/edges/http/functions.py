"""`/datasets/ID/functions`: what programs are made of."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from compilers.kopl.functions import FUNCTIONS, Function, Type
from nlq_gateway.answering import Pipeline
from nlq_gateway.edges.http.access import endpoint_for
from nlq_gateway.edges.http.negotiation import negotiate, revalidated
from nlq_gateway.trace import Json


def routes(pipeline: Pipeline) -> Blueprint:
    """`GET /datasets/ID/functions`."""
    blueprint = Blueprint("functions", __name__)

    @blueprint.get("/datasets/<dataset>/functions")
    def functions(dataset: str) -> Response:
        negotiate(("application/json",))
        endpoint_for(pipeline, dataset)
        return revalidated(jsonify(list(map(_described, FUNCTIONS.values()))), private=True)

    return blueprint


def _described(function: Function) -> Json:
    """A function with the types that each of its inputs takes."""
    return {
        "name": function.name,
        "inputs": [
            [str(given) for given in Type if function.accepts(position, given)]
            for position in range(len(function.inputs))
        ],
        "variadic": function.variadic,
        "parameters": [
            {"name": one.name, "kind": str(one.kind), "choices": list(one.choices)}
            for one in function.parameters
        ],
        "output": str(function.output),
        "meaning": function.meaning,
        "extension": function.extension,
    }
