"""The HTTP connector against a real server, and the embedded one beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from connectors import (
    EmbeddedOxigraph,
    EndpointError,
    EndpointRefusedQuery,
    EndpointTimeout,
    HttpEndpoint,
    IncompleteResult,
    Limits,
)

pytestmark = pytest.mark.oxigraph_server

Connect = Callable[..., HttpEndpoint]
EX = "PREFIX ex: <http://films.example/> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?s ?p ?o { ?s ?p ?o . ?s a ex:Film FILTER(!isBlank(?o)) } ORDER BY ?s ?p STR(?o) LANG(?o)",
        "SELECT ?f ?y { ?f a ex:Film OPTIONAL { ?f ex:year ?y } } ORDER BY ?f",
        "SELECT (COUNT(?f) AS ?n) (AVG(?m) AS ?a) { ?f a ex:Film OPTIONAL { ?f ex:minutes ?m } }",
        "SELECT (<<( ex:a ex:b 'c'@en )>> AS ?t) (1e0 AS ?d) (true AS ?b) ('é\\n\\U0001F3AC' AS ?s) {}",
        "SELECT * { ex:nothing ex:nothing ?x }",
        "ASK { ex:heat a ex:Film }",
        "ASK { ex:heat a ex:Person }",
    ],
)
def test_both_ways_to_a_store_give_the_same_result(
    oxigraph_url: str, connect: Connect, data: Path, text: str
) -> None:
    served = connect(oxigraph_url).query(EX + text)
    embedded = EmbeddedOxigraph.in_memory([data / "films.ttl"]).query(EX + text)
    assert (served.columns, served.rows, served.boolean) == (
        embedded.columns,
        embedded.rows,
        embedded.boolean,
    )


def test_rows_are_dropped_at_the_limit(oxigraph_url: str, connect: Connect) -> None:
    endpoint = connect(oxigraph_url, Limits(max_rows=5))
    result = endpoint.query("SELECT * { ?s ?p ?o } LIMIT 50")
    assert (len(result.rows), result.truncated) == (5, True)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * {\n ?s ?p }",
        "INSERT DATA { <http://a.example/> <http://a.example/> 1 }",
        "",
        "SELECT (<x:f>(1) AS ?x) {}",
    ],
)
def test_a_wrong_query_is_refused(oxigraph_url: str, connect: Connect, text: str) -> None:
    with pytest.raises(EndpointRefusedQuery) as caught:
        connect(oxigraph_url).query(text)
    assert caught.value.detail


def test_a_wrong_path_is_no_query_service(oxigraph_url: str, connect: Connect) -> None:
    with pytest.raises(EndpointError, match="no query service"):
        connect(oxigraph_url.replace("/query", "/nothing")).query("ASK {}")


@pytest.mark.parametrize(
    "accept", ["application/sparql-results+json", "text/csv", "application/sparql-results+xml"]
)
def test_the_servers_own_time_limit_is_a_timeout(
    oxigraph_url: str, connect: Connect, slow: str, accept: str
) -> None:
    endpoint = connect(oxigraph_url, Limits(query_ms=10_000))
    with pytest.raises(EndpointTimeout, match="own time limit"):
        endpoint.query(slow)
    with pytest.raises(EndpointTimeout, match="own time limit"):
        endpoint.raw(slow, accept)


def test_our_deadline_comes_first(oxigraph_url: str, connect: Connect, slow: str) -> None:
    with pytest.raises(EndpointTimeout, match="deadline"):
        connect(oxigraph_url).query(slow, timeout_ms=200)


def test_a_flood_of_rows_stops_at_the_byte_limit(oxigraph_url: str, connect: Connect) -> None:
    endpoint = connect(oxigraph_url, Limits(query_ms=10_000, max_bytes=2_000_000))
    with pytest.raises(IncompleteResult, match="2000000 bytes"):
        endpoint.query("SELECT * { ?a ?b ?c . ?d ?e ?f }")


@pytest.mark.parametrize(
    ("text", "accept", "content_type"),
    [
        ("SELECT * { ?s a ?o }", "text/csv", "text/csv"),
        ("SELECT * { ?s a ?o }", "text/tab-separated-values", "text/tab-separated-values"),
        ("ASK {}", "application/sparql-results+xml", "application/sparql-results+xml"),
        ("CONSTRUCT WHERE { ?s a ?o }", "text/turtle", "text/turtle"),
        ("DESCRIBE <http://films.example/heat>", "application/n-triples", "application/n-triples"),
        ("DESCRIBE <http://films.example/heat>", "application/ld+json", "application/ld+json"),
    ],
)
def test_raw_answers(oxigraph_url: str, connect: Connect, text: str, accept: str, content_type: str) -> None:
    response = connect(oxigraph_url).raw(text, accept)
    assert response.content_type.startswith(content_type)
    assert response.body


def test_a_format_that_is_not_there_is_refused(oxigraph_url: str, connect: Connect) -> None:
    with pytest.raises(EndpointRefusedQuery):
        connect(oxigraph_url).raw("ASK {}", "image/png")
