"""A request to `/sparql`: the query operation in its three forms (SPARQL 1.1 Protocol, 2.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl

from flask import request
from werkzeug.exceptions import UnsupportedMediaType

from connectors.dataset import Dataset, is_iri
from nlq_gateway.core.errors import InvalidRequest
from nlq_gateway.edges.http.requests import whole_body

QUERY = "application/sparql-query"
FORM = "application/x-www-form-urlencoded"
MOST_GRAPHS = 100
LONGEST_IRI = 2_000

# Parameters for the format of the answer, of Virtuoso, Fuseki, and others.
_FORMATS = ("format", "output", "results")
# Parameters of the update operation.
_UPDATE = ("update", "using-graph-uri", "using-named-graph-uri")
_MOST_FIELDS = 1_000
_UTF8 = ("utf-8", "utf8", "us-ascii")

Fields = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class QueryRequest:
    """The request: the query, None for the service description, its dataset, formats by parameter."""

    text: str | None
    dataset: Dataset
    formats: tuple[str, ...]


def read_request() -> QueryRequest:
    """The current request.

    A GET that names no query and nothing else but formats asks for the service description.

    Raises:
        InvalidRequest: a query is missing or sent twice, an update, a graph that is no IRI, or no UTF-8.
        UnsupportedMediaType: a body that is none of the protocol's.
        RequestEntityTooLarge: a body beyond the limit.
    """
    address = _fields(request.query_string, "the address")
    if request.method != "POST":
        return _read(_query(address) if set(address) - set(_FORMATS) else None, address)
    if "query" in address:
        raise InvalidRequest("query: a POST has it in its body, not in its address")
    body = _body()
    if request.mimetype == QUERY:
        return _read(_decoded(body, "the query"), address)
    form = _fields(body, "the form")
    together = {name: [*address.get(name, ()), *form.get(name, ())] for name in {**address, **form}}
    return _read(_query(together), together)


def _body() -> bytes:
    if request.mimetype not in (QUERY, FORM):
        raise UnsupportedMediaType(f"send the query as {QUERY}, or as the field `query` of {FORM}")
    if request.mimetype_params.get("charset", "utf-8").lower() not in _UTF8:
        raise UnsupportedMediaType("a query is sent as UTF-8")
    return whole_body()


def _read(text: str | None, fields: Fields) -> QueryRequest:
    for name in _UPDATE:
        if name in fields:
            hint = "send updates to the store itself"
            raise InvalidRequest(f"{name}: this address is read-only", hint=hint)
    dataset = Dataset(_graphs(fields, "default-graph-uri"), _graphs(fields, "named-graph-uri"))
    formats = (value for name in _FORMATS for given in fields.get(name, ()) for value in given.split(","))
    return QueryRequest(text, dataset, tuple(value.strip() for value in formats if value.strip()))


def _query(fields: Fields) -> str:
    queries = fields.get("query", ())
    if len(queries) != 1 and not any(name in fields for name in _UPDATE):
        raise InvalidRequest(
            f"query: one is expected, {len(queries) or 'none'} given", hint="send ?query=SELECT..."
        )
    return queries[0] if queries else ""


def _graphs(fields: Fields, name: str) -> tuple[str, ...]:
    """The graphs named in a parameter, each once; forms send it empty where they mean none."""
    graphs = tuple(dict.fromkeys(value for value in fields.get(name, ()) if value))
    if len(graphs) > MOST_GRAPHS:
        raise InvalidRequest(f"{name}: {len(graphs)} graphs are given", hint=f"name at most {MOST_GRAPHS}")
    for graph in graphs:
        if len(graph) > LONGEST_IRI or not is_iri(graph):
            hint = f"write an absolute IRI of at most {LONGEST_IRI} characters"
            raise InvalidRequest(f"{name}: {graph[:100]!r} is no IRI", hint=hint)
    return graphs


def _fields(encoded: bytes, where: str) -> Fields:
    """The fields of a form or a query string, in which nothing is replaced that is not UTF-8."""
    found: dict[str, list[str]] = {}
    try:
        pairs = parse_qsl(
            _decoded(encoded, where), keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS
        )
    except UnicodeDecodeError:
        raise InvalidRequest(f"{where} has escapes that are not UTF-8") from None
    except ValueError:
        raise InvalidRequest(f"{where} has more than {_MOST_FIELDS} fields") from None
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found


def _decoded(sent: bytes, what: str) -> str:
    try:
        return sent.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidRequest(f"{what} is not UTF-8 at byte {error.start}") from None
