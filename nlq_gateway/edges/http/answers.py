"""Responses to questions and programs, in the client's format: whole, or as events."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial

from flask import Response, g, jsonify, request

from connectors.results import as_json
from nlq_gateway.answering import Pipeline
from nlq_gateway.edges.http import downloads, events, problems
from nlq_gateway.edges.http.keeping import Keeper, linked
from nlq_gateway.edges.http.leaving import served
from nlq_gateway.edges.http.requests import wants_iris
from nlq_gateway.trace import Json, Listener, Trace

JSON = "application/json"
RESULTS = "application/sparql-results+json"
EVENTS = events.MEDIA_TYPE
# The first one that a wildcard covers is sent: for `text/*` a table, and never events.
OFFERS = (JSON, RESULTS, *downloads.MEDIA_TYPES, EVENTS)
# More than the threads that serve them, one each.
STREAMS = 256

# Media types that contain only a result.
EXECUTED = (RESULTS, *downloads.MEDIA_TYPES)
DOCUMENTS = (JSON, *downloads.MEDIA_TYPES)

_NOTHING = '{"head": {"vars": []}, "results": {"bindings": []}}'

Work = Callable[[threading.Event, Sequence[Listener]], Trace]


def sent_as(media_type: str, document: Json) -> Response:
    """A trace's document as JSON, or its table as what the client takes away."""
    if media_type == JSON:
        return jsonify(document)
    return downloads.download(document, media_type, iris=wants_iris())


@dataclass(frozen=True, slots=True)
class Answers:
    """Sends traces to clients, once they are counted and kept."""

    pipeline: Pipeline
    keeper: Keeper
    pool: Executor = field(default_factory=partial(ThreadPoolExecutor, STREAMS, "events"))

    def respond(self, media_type: str, work: Work, timeout_ms: int | None) -> Response:
        """The response to the request at hand; `work` gives the trace, and raises what stands in its way.

        HEAD has nothing worked on: it says what GET would be sent as. Neither has a client that lost its
        connection to a stream: the work ended with that, and whether to ask again is not for its library.
        """
        if request.method == "HEAD":
            # The length of a GET response is unknown, so no length is sent, not even 0.
            return Response(iter(()), content_type=media_type)
        if media_type == EVENTS:
            return Response(status=204) if "Last-Event-ID" in request.headers else self._streamed(work)
        with served(request.environ) as gone:
            return self._whole(work(gone, ()), media_type, timeout_ms)

    def _streamed(self, work: Work) -> Response:
        route = request.url_rule.rule if request.url_rule else ""
        request_id, made = g.get("request_id", "-"), g.get("made", {})

        def problem(error: Exception) -> Json:
            document = problems.document_of(error, request_id, made)
            self.keeper.metrics.problem(problems.code_of(document), route)
            return document

        def document(gone: threading.Event, listener: Listener) -> Json:
            return self.keeper.keep(work(gone, (listener,))).document

        return events.streamed(events.Stream(self.pool, request.environ, document, problem))

    def _whole(self, trace: Trace, media_type: str, timeout_ms: int | None) -> Response:
        """The trace, or the result or the table with a link to the trace."""
        kept = self.keeper.keep(trace)
        if media_type == RESULTS:
            response = self._result(trace, timeout_ms)
        else:
            response = sent_as(media_type, kept.document)
        return linked(response, kept)

    def _result(self, trace: Trace, timeout_ms: int | None) -> Response:
        """The store's own answer to the query; where that is cut, or came in parts, the rows of the trace."""
        if trace.query is None or trace.status == "unanswerable":
            return Response(_NOTHING, content_type=RESULTS)
        if trace.result is not None and (trace.stages or trace.result.truncated):
            return Response(json.dumps(as_json(trace.result), ensure_ascii=False), content_type=RESULTS)
        connector = self.pipeline.endpoint(trace.dataset).connector
        raw = connector.raw(trace.query.text, RESULTS, timeout_ms=timeout_ms)
        return Response(raw.body, content_type=raw.content_type)
