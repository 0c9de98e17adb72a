"""`/datasets/ID/describe` and `/path`: what a graph has of a thing or a class, and how two are connected."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, Response, jsonify
from werkzeug.exceptions import NotFound

from compilers.kopl.functions import Kind
from connectors.dataset import is_iri
from nlq_gateway.answering import (
    MOST_RELATIONS,
    Connection,
    DescribedFacts,
    Description,
    Pipeline,
    SuggestedQuestion,
    connected,
    meant_by,
)
from nlq_gateway.core.errors import InvalidRequest
from nlq_gateway.core.types import EntityItem, Hit, SchemaItem
from nlq_gateway.edges.http.access import endpoint_for
from nlq_gateway.edges.http.negotiation import negotiate
from nlq_gateway.edges.http.requests import LONGEST_NAME, DescribeQuery, PathQuery, arguments_of
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.trace import Json, program_json
from nlq_gateway.trace.part import written
from nlq_gateway.trace.parts import ValueTrace

_CLASSES = 2


def routes(pipeline: Pipeline) -> Blueprint:
    """`GET /datasets/ID/describe` and `GET /datasets/ID/path`."""
    blueprint = Blueprint("describe", __name__)

    @blueprint.get("/datasets/<dataset>/describe")
    def describe(dataset: str) -> Response:
        negotiate(("application/json",))
        asked = arguments_of(DescribeQuery)
        if bool(asked.iri) == bool(asked.name):
            raise InvalidRequest("give an iri or a name", hint="one of the two")
        endpoint = endpoint_for(pipeline, dataset).snapshot()
        meant = meant_by(endpoint.index, asked.name) if asked.name else ()
        iri = asked.iri or next((hit.iri for hit in meant), "")
        found = pipeline.describe(endpoint, iri, asked.lang, asked.facts) if iri else None
        if found is None:
            raise NotFound(f"the graph has nothing that is {asked.iri or asked.name!r}")
        others = [_other(endpoint, hit.kind, hit) for hit in meant[1:]]
        return jsonify({"dataset": endpoint.id, **_document(found), "others": others})

    @blueprint.get("/datasets/<dataset>/path")
    def path(dataset: str) -> Response:
        negotiate(("application/json",))
        asked = arguments_of(PathQuery)
        endpoint = endpoint_for(pipeline, dataset).snapshot()
        start, goal = (_ends(pipeline, endpoint, one) for one in (asked.from_, asked.to))
        if start[0].iri == goal[0].iri:
            raise InvalidRequest(f"both ends are {start[0].label!r}", hint="give two things")
        found = connected(endpoint, start[0].iri, goal[0].iri, asked.lang)
        return jsonify(
            {
                "dataset": endpoint.id,
                "ends": [_end(endpoint, start), _end(endpoint, goal)],
                **_connection(found),
            }
        )

    return blueprint


def _ends(pipeline: Pipeline, endpoint: Endpoint, asked: str) -> Sequence[Hit | EntityItem]:
    """Return the entities that an end of a path may mean, best first: that of an IRI, else those of a name.

    Raises:
        NotFound: there is none, or a class is likelier.
    """
    if is_iri(asked) and pipeline.surroundings(endpoint).around(asked):
        return (endpoint.index.entity(asked) or EntityItem(asked, endpoint.name_of(asked)),)
    meant = meant_by(endpoint.index, asked) if len(asked) <= LONGEST_NAME else ()
    things = [one for one in meant if one.kind == Kind.ENTITY]
    if not things or things[0].score < meant[0].score:
        raise NotFound(f"the graph has no thing that is {asked!r}")
    return things


def _end(endpoint: Endpoint, meant: Sequence[Hit | EntityItem]) -> Json:
    others = [_other(endpoint, Kind.ENTITY, one) for one in meant[1:]]
    return {**_named(Kind.ENTITY, meant[0]), "others": others}


def _other(endpoint: Endpoint, kind: Kind, one: Hit | EntityItem) -> Json:
    """Return another meaning of a name, with the classes that distinguish it from the others."""
    index = endpoint.index
    thing = index.entity(one.iri) if kind == Kind.ENTITY else None
    classes = (index.kind(iri) for iri in (thing.concepts[:_CLASSES] if thing is not None else ()))
    return {
        **_named(kind, one),
        "about": ", ".join(found.kind_name for found in classes if found is not None),
    }


def _connection(found: Connection) -> Json:
    paths = [
        {
            "things": [{"kind": "entity", "iri": iri, "label": label} for iri, label in path.things],
            "relations": [
                [{"iri": item.iri, "label": item.label, "direction": way} for item, way in ways]
                for ways in path.relations
            ],
        }
        for path in found.paths
    ]
    return {"paths": paths, "more": found.more, "longest": MOST_RELATIONS, "complete": found.complete}


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


def _named(kind: Kind, one: Hit | SchemaItem | EntityItem) -> Json:
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
