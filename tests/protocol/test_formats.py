"""Which format an answer has, and where it comes from if the store has others."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pyoxigraph as ox
import pytest
import urllib3
from recording_store import RecordingStore

JSON = "application/sparql-results+json"
XML = "application/sparql-results+xml"
CSV = "text/csv"
TSV = "text/tab-separated-values"
TURTLE = "text/turtle"
N_TRIPLES = "application/n-triples"
RDF_XML = "application/rdf+xml"
JSON_LD = "application/ld+json"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

SELECT = "SELECT ?label { ?s <http://www.w3.org/2000/01/rdf-schema#label> ?label }"
ASK = "ASK { ?s ?p ?o }"
CONSTRUCT = "CONSTRUCT WHERE { ?s <http://www.w3.org/2000/01/rdf-schema#label> ?o }"
DESCRIBE = "DESCRIBE <http://kasei.us/2009/09/sparql/data/data1.rdf>"
GRAPH_FORMATS = {
    TURTLE: ox.RdfFormat.TURTLE,
    N_TRIPLES: ox.RdfFormat.N_TRIPLES,
    RDF_XML: ox.RdfFormat.RDF_XML,
    JSON_LD: ox.RdfFormat.JSON_LD,
}


def asked(
    http: urllib3.PoolManager, address: str, accept: str | None, method: str = "GET", **fields: str
) -> urllib3.BaseHTTPResponse:
    headers = {} if accept is None else {"Accept": accept}
    return http.request(method, f"{address}?{urlencode(fields)}", headers=headers)


def media_type(response: urllib3.BaseHTTPResponse) -> str:
    assert response.status == 200, response.data
    return response.headers["Content-Type"].partition(";")[0]


@pytest.mark.parametrize("dataset", ["library", "store"])
@pytest.mark.parametrize(
    ("query", "accept", "expected"),
    [
        (SELECT, None, JSON),
        (SELECT, "*/*", JSON),
        (SELECT, BROWSER, JSON),
        (SELECT, "text/*", CSV),
        (SELECT, f"{TSV}, {CSV};q=0.5", TSV),
        (SELECT, f"{TSV};q=0.5, {XML};q=0.6, {CSV};q=0.1", XML),
        (SELECT, f"image/png, {XML};q=0.001", XML),
        (SELECT, f"{JSON};q=0, */*", XML),
        (SELECT, "application/json", JSON),
        (SELECT, f"{XML}; charset=utf-8", XML),
        (ASK, None, JSON),
        (ASK, XML, XML),
        (ASK, f"{CSV}, {JSON};q=0.1", JSON),
        (CONSTRUCT, None, TURTLE),
        (CONSTRUCT, BROWSER, TURTLE),
        *((CONSTRUCT, name, name) for name in GRAPH_FORMATS),
        *((DESCRIBE, name, name) for name in GRAPH_FORMATS),
    ],
)
def test_accept_decides(
    gateway: str, http: urllib3.PoolManager, dataset: str, query: str, accept: str | None, expected: str
) -> None:
    response = asked(http, f"{gateway}/{dataset}/sparql", accept, query=query)
    assert media_type(response) == expected
    if expected in GRAPH_FORMATS:
        assert list(ox.parse(response.data, GRAPH_FORMATS[expected]))
    elif query == SELECT:
        assert b"second" in response.data


@pytest.mark.parametrize(
    ("query", "fields", "expected"),
    [
        (SELECT, {"format": "csv"}, CSV),
        (SELECT, {"output": "tsv"}, TSV),
        (SELECT, {"results": "XML"}, XML),
        (SELECT, {"format": "json", "output": "json", "results": "json"}, JSON),
        (SELECT, {"format": XML}, XML),
        (SELECT, {"format": "application/json"}, JSON),
        (SELECT, {"format": "auto"}, TSV),
        (SELECT, {"format": ""}, TSV),
        # What does not fit the query leaves the choice to Accept.
        (SELECT, {"format": "turtle"}, TSV),
        (CONSTRUCT, {"format": "ttl"}, TURTLE),
        (CONSTRUCT, {"format": "n3"}, TURTLE),
        (CONSTRUCT, {"format": "nt"}, N_TRIPLES),
        (CONSTRUCT, {"format": "json"}, JSON_LD),
        (CONSTRUCT, {"format": "json-ld"}, JSON_LD),
        (CONSTRUCT, {"format": f"{JSON_LD},application/x-json+ld"}, JSON_LD),
        (CONSTRUCT, {"format": "xml"}, RDF_XML),
        (CONSTRUCT, {"format": "rdf+xml"}, RDF_XML),
        (CONSTRUCT, {"format": "csv"}, RDF_XML),
        (ASK, {"format": "xml"}, XML),
        (ASK, {"format": "csv"}, JSON),
    ],
)
def test_a_parameter_goes_before_accept(
    gateway: str, http: urllib3.PoolManager, query: str, fields: dict[str, str], expected: str
) -> None:
    accept = f"{TSV}, {RDF_XML};q=0.9, {JSON};q=0.1"
    response = asked(http, f"{gateway}/library/sparql", accept, query=query, **fields)
    assert media_type(response) == expected


@pytest.mark.parametrize(
    ("query", "accept", "fields"),
    [
        (SELECT, "text/html", {}),
        (SELECT, TURTLE, {}),
        (SELECT, "application/xml", {}),
        (SELECT, f"{JSON};q=0", {}),
        (ASK, CSV, {}),
        (CONSTRUCT, JSON, {}),
        (SELECT, "*/*", {"format": "xlsx"}),
        (SELECT, "*/*", {"format": "text/html"}),
    ],
)
def test_what_nobody_has_is_not_acceptable_and_not_asked_for(
    gateway: str,
    http: urllib3.PoolManager,
    store: RecordingStore,
    query: str,
    accept: str,
    fields: dict[str, str],
) -> None:
    response = asked(http, f"{gateway}/store/sparql", accept, query=query, **fields)
    problem = response.json()
    assert (response.status, problem["type"]) == (406, "/problems/invalid-request")
    assert (TURTLE if query == CONSTRUCT else JSON) in problem["detail"]
    assert not store.forms


@pytest.mark.parametrize("has", [JSON, XML, TSV])
@pytest.mark.parametrize("expected", [JSON, XML, CSV, TSV])
def test_tables_are_translated_where_the_store_has_one_format(
    gateway: str, http: urllib3.PoolManager, store: RecordingStore, has: str, expected: str
) -> None:
    store.formats = (has,)
    response = asked(http, f"{gateway}/store/sparql", expected, query=SELECT)
    assert media_type(response) == expected
    assert {label in response.data for label in (b"first", b"second", b"third")} == {True}


@pytest.mark.parametrize("has", [JSON, XML, "application/json", "application/xml"])
@pytest.mark.parametrize("expected", [JSON, XML])
@pytest.mark.parametrize(
    ("query", "answer"), [(ASK, b"true"), ("ASK { ?s ?p 7 }", b"false"), (SELECT, b"second")]
)
def test_truths_and_tables_come_under_any_name_of_a_format(
    gateway: str,
    http: urllib3.PoolManager,
    store: RecordingStore,
    has: str,
    expected: str,
    query: str,
    answer: bytes,
) -> None:
    store.formats = (has,)
    response = asked(http, f"{gateway}/store/sparql", expected, query=query)
    assert media_type(response) == expected
    assert answer in response.data


@pytest.mark.parametrize("has", list(GRAPH_FORMATS))
@pytest.mark.parametrize("expected", list(GRAPH_FORMATS))
def test_graphs_are_translated_where_the_store_has_one_format(
    gateway: str, http: urllib3.PoolManager, store: RecordingStore, has: str, expected: str
) -> None:
    store.formats = (has,)
    response = asked(http, f"{gateway}/store/sparql", expected, query=CONSTRUCT)
    assert media_type(response) == expected
    assert len({quad.triple for quad in ox.parse(response.data, GRAPH_FORMATS[expected])}) == 3


def test_what_cannot_be_read_is_not_passed_on_as_something_else(
    gateway: str, http: urllib3.PoolManager, store: RecordingStore
) -> None:
    store.formats = (CSV,)
    response = asked(http, f"{gateway}/store/sparql", JSON, query=SELECT)
    problem = response.json()
    assert (response.status, problem["type"]) == (502, "/problems/incomplete-result")
    assert CSV in problem["detail"]


@pytest.mark.parametrize("dataset", ["library", "store"])
def test_head_says_what_get_would(gateway: str, http: urllib3.PoolManager, dataset: str) -> None:
    address = f"{gateway}/{dataset}/sparql"
    head, get = (asked(http, address, CSV, method, query=SELECT) for method in ("HEAD", "GET"))
    assert (media_type(head), head.data) == (CSV, b"")
    assert head.headers["Content-Length"] == get.headers["Content-Length"] == str(len(get.data))
    assert asked(http, address, None, "HEAD", query="DROP ALL").status == 400


def test_options_names_the_methods(gateway: str, http: urllib3.PoolManager) -> None:
    response = http.request("OPTIONS", f"{gateway}/sparql")
    assert response.status == 200
    assert set(response.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS", "POST"}
    refused = http.request("DELETE", f"{gateway}/sparql")
    assert (refused.status, "POST" in refused.headers["Allow"]) == (405, True)


def test_a_syntax_error_is_named_with_line_and_column(
    gateway: str, http: urllib3.PoolManager, store: RecordingStore
) -> None:
    response = asked(http, f"{gateway}/store/sparql", None, query="SELECT *\n{ ?s ?p }")
    problem = response.json()
    assert (response.status, store.forms) == (400, [])
    assert "line 2, column" in problem["detail"]


def test_the_store_has_its_say_where_it_refuses(
    gateway: str, http: urllib3.PoolManager, store: RecordingStore
) -> None:
    query = "SELECT (?s AS ?s) { ?s ?p ?o }"
    problem = asked(http, f"{gateway}/store/sparql", None, query=query).json()
    assert (problem["status"], len(store.forms)) == (400, 1)
    assert "overrides an existing variable" in problem["store_says"]
    assert problem["endpoint"] == store.url


def test_answers_are_the_stores_own(gateway: str, http: urllib3.PoolManager, store: RecordingStore) -> None:
    response = asked(http, f"{gateway}/store/sparql", JSON, query=SELECT)
    assert response.data == store.store.raw(SELECT, JSON).body
    assert json.loads(response.data)["results"]["bindings"]
