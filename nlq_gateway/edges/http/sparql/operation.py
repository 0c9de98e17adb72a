"""The query operation: a request is read, judged, sent to the store and answered in the format wanted."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from connectors.base import RawResponse
from connectors.dataset import Dataset, without_dataset_clauses
from connectors.guard import parse_query, require_read_only
from connectors.translation import accept_for, translated, truth
from nlq_gateway.answering import Pipeline
from nlq_gateway.edges.http.access import endpoint_for
from nlq_gateway.edges.http.leaving import served
from nlq_gateway.edges.http.sparql.description import description
from nlq_gateway.edges.http.sparql.formats import GRAPHS, JSON, OFFERS, wanted
from nlq_gateway.edges.http.sparql.graphs import dataset_of, require_readable
from nlq_gateway.edges.http.sparql.request import QueryRequest, read_request
from nlq_gateway.endpoints.endpoint import Endpoint

_PAGE = "text/html"


def routes(pipeline: Pipeline) -> Blueprint:
    """The query operation for the default dataset and for each other one."""
    blueprint = Blueprint("sparql", __name__)

    # The W3C's tests of the protocol, and so clients, have a slash at the end (access/spelling.py).
    @blueprint.route("/sparql", methods=["GET", "POST"], defaults={"dataset": None}, strict_slashes=False)
    @blueprint.route("/<dataset>/sparql", methods=["GET", "POST"], strict_slashes=False)
    def sparql(dataset: str | None) -> AnyResponse:
        endpoint = endpoint_for(pipeline, dataset)
        asked = read_request()
        if asked.text is None:
            return _described(endpoint, asked)
        with served(request.environ):
            return _answered(endpoint, asked.text, asked)

    return blueprint


def _described(endpoint: Endpoint, asked: QueryRequest) -> AnyResponse:
    """The service description; a browser is led to the page."""
    media_type = wanted((*GRAPHS, _PAGE), asked.formats)
    if media_type == _PAGE:
        return redirect(url_for("page"), 303)
    body = description(endpoint.settings, request.base_url, media_type)
    return Response(body, content_type=media_type)


def _answered(endpoint: Endpoint, text: str, asked: QueryRequest) -> Response:
    """The store's own answer; nothing is sent to it before the query has passed as a read."""
    settings = endpoint.settings
    form = require_read_only(text, allow_service=settings.services, allow_names=settings.functions)
    query = parse_query(text)
    dataset = dataset_of(endpoint.settings, asked.dataset, query)
    require_readable(query, dataset, endpoint.connector.dialect)
    media_type = wanted(OFFERS[form], asked.formats)
    # A store that knows no dataset of the protocol still goes by the query's own.
    sent = without_dataset_clauses(text) if query.has_dataset and asked.dataset.graphs else text
    answer = _raw(endpoint, form, sent, media_type, dataset)
    return Response(answer.body, content_type=answer.content_type)


def _raw(endpoint: Endpoint, form: str, text: str, media_type: str, dataset: Dataset | None) -> RawResponse:
    connector = endpoint.connector
    if form == "ASK":
        return truth(connector.raw(text, accept_for(JSON), dataset=dataset), media_type, connector.address)
    answer = connector.raw(text, accept_for(media_type), dataset=dataset)
    return translated(answer, media_type, connector.address)
