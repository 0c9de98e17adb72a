"""`/v1/chat/completions` and `/v1/models`: datasets as the models of an OpenAI-compatible server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from flask import Blueprint, Response, jsonify, request, url_for

from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.edges.http.access import endpoint_for, readable
from nlq_gateway.edges.http.adapters.chat_answers import Completion
from nlq_gateway.edges.http.adapters.chat_errors import translated
from nlq_gateway.edges.http.adapters.chat_requests import ChatBody
from nlq_gateway.edges.http.adapters.markdown import message
from nlq_gateway.edges.http.keeping import Keeper, linked
from nlq_gateway.edges.http.leaving import served
from nlq_gateway.edges.http.requests import body_of
from nlq_gateway.endpoints.endpoint import Endpoint

EVENTS = "text/event-stream"
OWNER = "nlq-gateway"


def routes(pipeline: Pipeline, keeper: Keeper) -> Blueprint:
    """`POST /v1/chat/completions`, `GET /v1/models` and `GET /v1/models/ID`."""
    blueprint = Blueprint("chat", __name__, url_prefix="/v1")
    blueprint.after_app_request(translated)

    @blueprint.post("/chat/completions")
    def completions() -> Response:
        body = body_of(ChatBody)
        question, endpoint = body.question(), endpoint_for(pipeline, body.model)
        with served(request.environ) as gone:
            trace = pipeline.ask(Ask(question, endpoint.id), gone)
            kept = keeper.keep(trace)
        link = url_for("page", trace=trace.id, _external=True)
        completion = Completion(trace, body.model, message(trace, link), int(time.time()))
        if not body.stream:
            return linked(jsonify(completion.whole()), kept)
        usage = body.stream_options is not None and bool(body.stream_options.include_usage)
        return linked(_stream(completion.events(include_usage=usage)), kept)

    @blueprint.get("/models")
    def models() -> Response:
        return jsonify({"object": "list", "data": [_model(each, each.id) for each in readable(pipeline)]})

    @blueprint.get("/models/<path:name>")
    def model(name: str) -> Response:
        return jsonify(_model(endpoint_for(pipeline, name), name))

    return blueprint


def _stream(events: Iterator[str]) -> Response:
    """Events that proxies pass on as they come."""
    return Response(events, content_type=EVENTS, headers={"X-Accel-Buffering": "no"})


def _model(endpoint: Endpoint, name: str) -> dict[str, Any]:
    """A dataset as a model; `created` is when its index was built, 0 before there is one."""
    built = 0
    if endpoint.status == "ready":
        built = int(datetime.fromisoformat(endpoint.index.manifest.built_at).timestamp())
    return {"id": name, "object": "model", "created": built, "owned_by": OWNER}
