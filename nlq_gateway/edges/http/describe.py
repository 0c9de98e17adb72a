"""`/datasets/ID/describe`: what a graph has of a thing, and what can be asked of a class."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify
from werkzeug.exceptions import NotFound

from compilers.kopl.functions import Kind
from nlq_gateway.answering import DescribedFacts, Description, Gateway, SuggestedQuestion, meant_by
from nlq_gateway.core.errors import InvalidRequest
from nlq_gateway.core.types import Hit, SchemaItem
from nlq_gateway.edges.http.access import endpoint_for
from nlq_gateway.edges.http.negotiation import negotiate
from nlq_gateway.edges.http.requests import DescribeQuery, arguments_of
from nlq_gateway.trace import Json, program_json
from nlq_gateway.trace.part import written
from nlq_gateway.trace.parts import ValueTrace


def routes(gateway: Gateway) -> Blueprint:
    """`GET /datasets/ID/describe`."""
    blueprint = Blueprint("describe", __name__)

    @blueprint.get("/datasets/<dataset>/describe")
    def describe(dataset: str) -> Response:
        negotiate(("application/json",))
        asked = arguments_of(DescribeQuery)
        if bool(asked.iri) == bool(asked.name):
            raise InvalidRequest("give an iri or a name", hint="one of the two")
        endpoint = endpoint_for(gateway, dataset).snapshot()
        meant = meant_by(endpoint.index, asked.name) if asked.name else ()
        iri = asked.iri or next((hit.iri for hit in meant), "")
        found = gateway.describe(endpoint, iri, asked.lang, asked.facts) if iri else None
        if found is None:
            raise NotFound(f"the graph has nothing that is {asked.iri or asked.name!r}")
        others = [_named(hit.kind, hit) for hit in meant[1:]]
        return jsonify({"dataset": endpoint.id, **_document(found), "others": others})

    return blueprint


def _document(found: Description) -> Json:
    return {
        "kind": str(found.kind),
        "iri": found.iri,
        "label": found.label,
        "aliases": list(found.aliases),
        "concepts": [_named(Kind.CONCEPT, one) for one in found.concepts],
        "description": found.text,
        "count": found.count,
        "groups": [_group(one) for one in found.groups],
        "questions": [_asked(one) for one in found.questions],
        "left_out": found.left_out,
    }


def _named(kind: Kind, one: Hit | SchemaItem) -> Json:
    return {"kind": str(kind), "iri": one.iri, "label": one.label}


def _asked(one: SuggestedQuestion) -> Json:
    """The question with its program, and the pins that say which things are meant."""
    pins = [
        {"step": step + 1, "argument": argument, "iri": iris[0]}
        for (step, argument), iris in one.draft.choices.items()
    ]
    return {"question": one.question, "program": program_json(one.draft.program)["text"], "pins": pins}


def _group(one: DescribedFacts) -> Json:
    return {
        **_named(one.item.kind, one.item),
        "direction": one.direction,
        **_asked(one.asked),
        "values": [written(ValueTrace, value) for value in one.values],
        "more": one.more,
    }
