"""`/sparql` and `/DATASET/sparql`: the SPARQL 1.1 Protocol's query operation, read-only."""

from __future__ import annotations

from flask import Blueprint, Response, request
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import UnsupportedMediaType

from connectors.guard import require_read_only
from nlq_gateway.errors import InvalidRequest
from nlq_gateway.http.negotiation import negotiate
from nlq_gateway.http.requests import whole_body
from nlq_gateway.pipeline import Gateway

_QUERY = "application/sparql-query"
_FORM = "application/x-www-form-urlencoded"
_JSON = "application/sparql-results+json"
_TABLES = (
    _JSON,
    "application/sparql-results+xml",
    "text/csv",
    "text/tab-separated-values",
    "application/json",
)
_GRAPHS = ("text/turtle", "application/n-triples", "application/rdf+xml")
_OFFERS = {
    "SELECT": _TABLES,
    "ASK": (*_TABLES[:2], "application/json"),
    "CONSTRUCT": _GRAPHS,
    "DESCRIBE": _GRAPHS,
}
# Plain JSON is asked for by clients that do not know the format's own name.
_SAME = {"application/json": _JSON}


def routes(gateway: Gateway) -> Blueprint:
    """The query operation for the default dataset and for each other one."""
    blueprint = Blueprint("sparql", __name__)

    @blueprint.route("/sparql", methods=["GET", "POST"], defaults={"dataset": None})
    @blueprint.route("/<dataset>/sparql", methods=["GET", "POST"])
    def sparql(dataset: str | None) -> Response:
        endpoint = gateway.endpoint(dataset)
        text = _query_text()
        wanted = negotiate(_OFFERS[require_read_only(text)])
        raw = endpoint.connector.raw(text, _SAME.get(wanted, wanted))
        return Response(raw.body, content_type=raw.content_type)

    return blueprint


def _query_text() -> str:
    """The query of the request, in whichever of the protocol's three ways it came (section 2.1)."""
    if request.method != "POST":
        return _parameter(request.args)
    if request.mimetype == _QUERY:
        _refuse_others(request.args)
        try:
            return whole_body().decode("utf-8")
        except UnicodeDecodeError as error:
            raise InvalidRequest(f"the query is not UTF-8 at byte {error.start}") from None
    if request.mimetype == _FORM:
        _refuse_others(request.args)
        whole_body()
        return _parameter(request.form)
    raise UnsupportedMediaType(f"send the query as {_QUERY}, or as the field `query` of {_FORM}")


def _parameter(fields: MultiDict[str, str]) -> str:
    _refuse_others(fields)
    queries = fields.getlist("query")
    if len(queries) != 1:
        raise InvalidRequest(
            f"query: one is expected, {len(queries) or 'none'} given", hint="send ?query=SELECT..."
        )
    return queries[0]


def _refuse_others(fields: MultiDict[str, str]) -> None:
    if "update" in fields:
        raise InvalidRequest("update: this address is read-only", hint="send updates to the store itself")
    graphs = sorted(name for name in fields if name in ("default-graph-uri", "named-graph-uri"))
    if graphs:
        hint = "name graphs in the query with GRAPH, or set them for the endpoint in the configuration"
        raise InvalidRequest(f"{graphs[0]}: the dataset is fixed here", hint=hint)
