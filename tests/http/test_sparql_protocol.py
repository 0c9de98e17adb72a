"""`/sparql`: the protocol's query operation, read-only."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

ASK = "ASK { ?s ?p ?o }"
SELECT = "SELECT ?s { ?s ?p ?o } LIMIT 1"
CONSTRUCT = "CONSTRUCT WHERE { ?s ?p ?o } LIMIT 1"
QUERY = "application/sparql-query"


@pytest.mark.parametrize("address", ["/sparql", "/sample/sparql"])
def test_the_three_ways_to_send_a_query(client: FlaskClient, address: str) -> None:
    responses = [
        client.get(address, query_string={"query": ASK}),
        client.post(address, data={"query": ASK}),
        client.post(address, data=ASK, content_type=QUERY),
        client.post(address, data=ASK, content_type=f"{QUERY}; charset=utf-8"),
    ]
    assert [response.get_json(force=True)["boolean"] for response in responses] == [True] * 4


@pytest.mark.parametrize(
    ("query", "accept", "media_type"),
    [
        (SELECT, None, "application/sparql-results+json"),
        (SELECT, "application/json", "application/sparql-results+json"),
        (SELECT, "text/csv", "text/csv"),
        (SELECT, "text/tab-separated-values, text/csv;q=0.5", "text/tab-separated-values"),
        (SELECT, "application/sparql-results+xml", "application/sparql-results+xml"),
        (SELECT, "text/html,application/xhtml+xml,*/*;q=0.8", "application/sparql-results+json"),
        (ASK, "application/sparql-results+xml", "application/sparql-results+xml"),
        (CONSTRUCT, None, "text/turtle"),
        (CONSTRUCT, "application/n-triples", "application/n-triples"),
        ("DESCRIBE <http://world.example/Pulp_Fiction>", "application/rdf+xml", "application/rdf+xml"),
    ],
)
def test_accept_chooses_the_format(
    client: FlaskClient, query: str, accept: str | None, media_type: str
) -> None:
    headers = {"Accept": accept} if accept else {}
    response = client.get("/sparql", query_string={"query": query}, headers=headers)
    assert (response.status_code, response.mimetype) == (200, media_type)
    assert response.data


@pytest.mark.parametrize(
    "query",
    [
        "DROP ALL",
        "INSERT DATA { <a:a> <a:b> <a:c> }",
        "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
        "SELECT * { \\u0053ERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
        "SELECT (<bif:connect>() AS ?x) {}",
        "define sql:log-enable 3 SELECT * { ?s ?p ?o }",
        f"{ASK} ; {ASK}",
        "SELECT * { ?s ?p",
        "",
    ],
)
def test_what_is_not_a_plain_read_is_refused(client: FlaskClient, query: str) -> None:
    response = client.post("/sparql", data=query, content_type=QUERY)
    assert response.status_code == 400
    assert response.get_json()["type"] == "/problems/query-refused"


@pytest.mark.parametrize(
    ("query_string", "data", "content_type", "status"),
    [
        ("query=", None, None, 400),
        ("query=ASK%7B%7D&query=ASK%7B%7D", None, None, 400),
        ("query=ASK%7B%7D&default-graph-uri=g", None, None, 400),
        ("", b"update=DROP+ALL", "application/x-www-form-urlencoded", 400),
        ("", b"query=ASK%7B%7D&update=DROP+ALL", "application/x-www-form-urlencoded", 400),
        ("", b"query=ASK%7B%7D&named-graph-uri=g", "application/x-www-form-urlencoded", 400),
        ("default-graph-uri=g", b"ASK{}", QUERY, 400),
        ("", b"\xff\xfe", QUERY, 400),
        ("", b"DROP ALL", "application/sparql-update", 415),
        ("", b"ASK{}", "text/plain", 415),
        ("", b"#" * 300_000, QUERY, 413),
    ],
)
def test_requests_outside_the_protocol(
    client: FlaskClient, query_string: str, data: bytes | None, content_type: str | None, status: int
) -> None:
    method = "GET" if data is None else "POST"
    response = client.open(f"/sparql?{query_string}", method=method, data=data, content_type=content_type)
    assert (response.status_code, response.mimetype) == (status, "application/problem+json")


def test_formats_that_are_not_offered_are_not_acceptable(client: FlaskClient) -> None:
    headers = {"Accept": "text/turtle"}
    response = client.get("/sparql", query_string={"query": SELECT}, headers=headers)
    assert response.status_code == 406
    assert "text/csv" in response.get_json()["detail"]


def test_an_unknown_dataset_is_not_found(client: FlaskClient) -> None:
    response = client.get("/other/sparql", query_string={"query": ASK})
    assert (response.status_code, response.get_json()["type"]) == (404, "/problems/unknown-dataset")


def test_a_store_that_is_down_is_no_empty_result(client: FlaskClient) -> None:
    response = client.get("/away/sparql", query_string={"query": SELECT})
    assert (response.status_code, response.get_json()["type"]) == (502, "/problems/endpoint-unreachable")
