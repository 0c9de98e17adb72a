"""Clients that people use, against a running gateway."""

from __future__ import annotations

import json
import shutil
import subprocess
from itertools import product
from typing import Any

import pytest
import SPARQLWrapper
from protocol_graphs import GRAPH
from rdflib import RDFS, BNode, Graph, Literal, Namespace, URIRef
from rdflib.plugins.stores.sparqlstore import SPARQLStore

FOAF = Namespace("http://xmlns.com/foaf/0.1/")
FIRST, SECOND, THIRD = (URIRef(GRAPH.format(number)) for number in (1, 2, 3))
QUERIES = {
    SPARQLWrapper.SELECT: "PREFIX foaf: <http://xmlns.com/foaf/0.1/> SELECT ?d { ?d a foaf:Document }",
    SPARQLWrapper.ASK: "ASK { ?s ?p ?o }",
    SPARQLWrapper.CONSTRUCT: "CONSTRUCT WHERE { ?s ?p ?o }",
    SPARQLWrapper.DESCRIBE: f"DESCRIBE <{FIRST}>",
}
TABLE_FORMATS = (SPARQLWrapper.JSON, SPARQLWrapper.XML, SPARQLWrapper.CSV, SPARQLWrapper.TSV)
# "json" as a parameter means JSON-LD where a graph is asked for; Accept has no such word.
GRAPH_FORMATS = (
    SPARQLWrapper.XML,
    SPARQLWrapper.RDFXML,
    SPARQLWrapper.TURTLE,
    SPARQLWrapper.N3,
    SPARQLWrapper.JSONLD,
    SPARQLWrapper.JSON,
)
METHODS = (
    pytest.param(SPARQLWrapper.GET, SPARQLWrapper.URLENCODED, id="get"),
    pytest.param(SPARQLWrapper.POST, SPARQLWrapper.URLENCODED, id="form"),
    pytest.param(SPARQLWrapper.POST, SPARQLWrapper.POSTDIRECTLY, id="direct"),
)


@pytest.mark.parametrize(("method", "request_method"), METHODS)
@pytest.mark.parametrize(
    ("form", "wanted", "conneg"),
    [
        *product([SPARQLWrapper.SELECT], TABLE_FORMATS, [False, True]),
        *product([SPARQLWrapper.ASK], TABLE_FORMATS[:2], [False, True]),
        *product([SPARQLWrapper.CONSTRUCT, SPARQLWrapper.DESCRIBE], GRAPH_FORMATS, [False]),
        *product([SPARQLWrapper.CONSTRUCT, SPARQLWrapper.DESCRIBE], GRAPH_FORMATS[:-1], [True]),
    ],
)
@pytest.mark.filterwarnings("ignore:Sending Accept header:RuntimeWarning")
@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")
@pytest.mark.filterwarnings("ignore::DeprecationWarning:SPARQLWrapper")
def test_sparqlwrapper(
    gateway: str, method: str, request_method: str, form: str, wanted: str, conneg: bool
) -> None:
    client = SPARQLWrapper.SPARQLWrapper(f"{gateway}/library/sparql")
    client.setQuery(QUERIES[form])
    client.setMethod(method)
    client.setRequestMethod(request_method)
    client.setReturnFormat(wanted)
    client.setOnlyConneg(conneg)
    answer = client.query()
    assert FINDS[form](answer.convert(), wanted)


def _documents(found: Any, wanted: str) -> bool:
    if wanted == SPARQLWrapper.JSON:
        found = json.dumps(found)
    elif wanted == SPARQLWrapper.XML:
        found = found.toxml()
    else:
        found = found.decode()
    return all(str(document) in found for document in (FIRST, SECOND, THIRD))


def _yes(found: Any, wanted: str) -> bool:
    return found["boolean"] is True if wanted == SPARQLWrapper.JSON else "<boolean>true<" in found.toxml()


def _labels(found: Any, _: str) -> bool:
    graph = found if isinstance(found, Graph) else Graph().parse(data=found)
    return (FIRST, RDFS.label, Literal("first", lang="en")) in graph


FINDS = {
    SPARQLWrapper.SELECT: _documents,
    SPARQLWrapper.ASK: _yes,
    SPARQLWrapper.CONSTRUCT: _labels,
    SPARQLWrapper.DESCRIBE: _labels,
}


@pytest.mark.parametrize(("method", "request_method"), METHODS)
def test_sparqlwrapper_names_graphs(gateway: str, method: str, request_method: str) -> None:
    client = SPARQLWrapper.SPARQLWrapper(f"{gateway}/store/sparql", returnFormat=SPARQLWrapper.JSON)
    client.setQuery(QUERIES[SPARQLWrapper.SELECT])
    client.setMethod(method)
    client.setRequestMethod(request_method)
    client.addParameter("default-graph-uri", str(FIRST))
    client.addParameter("default-graph-uri", str(THIRD))
    rows = client.queryAndConvert()["results"]["bindings"]
    assert {row["d"]["value"] for row in rows} == {str(FIRST), str(THIRD)}


def test_sparqlwrapper_hears_why_a_query_is_refused(gateway: str) -> None:
    client = SPARQLWrapper.SPARQLWrapper(f"{gateway}/library/sparql", returnFormat=SPARQLWrapper.JSON)
    client.setQuery("SELECT * {\n ?s ?p }")
    with pytest.raises(SPARQLWrapper.SPARQLExceptions.QueryBadFormed, match="line 2, column"):
        client.query()


def test_sparqlwrapper_cannot_update(gateway: str) -> None:
    client = SPARQLWrapper.SPARQLWrapper(f"{gateway}/library/sparql")
    client.setMethod(SPARQLWrapper.POST)
    client.setQuery("DROP ALL")
    with pytest.raises(SPARQLWrapper.SPARQLExceptions.QueryBadFormed, match="read-only"):
        client.query()


@pytest.mark.parametrize("method", ["GET", "POST", "POST_FORM"])
@pytest.mark.parametrize("returned", ["xml", "json", "csv", "tsv"])
def test_rdflib_queries(gateway: str, method: str, returned: str) -> None:
    store = SPARQLStore(f"{gateway}/library/sparql", method=method, returnFormat=returned)  # type: ignore[arg-type]
    rows = Graph(store).query("SELECT ?label { ?d a foaf:Document ; rdfs:label ?label }")
    assert {str(row[0]) for row in rows} == {"first", "second", "third"}


@pytest.mark.parametrize("method", ["GET", "POST", "POST_FORM"])
@pytest.mark.parametrize("returned", ["xml", "json"])
def test_rdflib_reads_triples_and_contexts(gateway: str, method: str, returned: str) -> None:
    store = SPARQLStore(f"{gateway}/library/sparql", method=method, returnFormat=returned)  # type: ignore[arg-type]
    graph = Graph(store)
    assert (FIRST, RDFS.label, Literal("first", lang="en")) in graph
    assert set(graph.subjects(None, FOAF.Document)) == {FIRST, SECOND, THIRD}
    assert len(graph) == 6
    assert set(store.contexts()) == {FIRST, SECOND, THIRD}


@pytest.mark.parametrize("method", ["GET", "POST", "POST_FORM"])
def test_rdflib_reads_one_graph(gateway: str, method: str) -> None:
    store = SPARQLStore(f"{gateway}/library/sparql", method=method)  # type: ignore[arg-type]
    assert set(Graph(store, SECOND).subjects(None, FOAF.Document)) == {SECOND}
    assert len(Graph(store, BNode())) == 6


@pytest.mark.parametrize("method", ["GET", "POST", "POST_FORM"])
def test_rdflib_asks(gateway: str, method: str) -> None:
    graph = Graph(SPARQLStore(f"{gateway}/library/sparql", method=method))  # type: ignore[arg-type]
    assert graph.query("ASK { ?s ?p ?o }").askAnswer is True
    assert graph.query("ASK { ?s ?p 1 }").askAnswer is False


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["-G", "--data-urlencode", "query=ASK{}"], 200, '"boolean"'),
        (["--data-urlencode", "query=ASK{}"], 200, '"boolean"'),
        (["-H", "Content-Type: application/sparql-query", "--data-binary", "ASK{}"], 200, '"boolean"'),
        (["-H", "Accept: text/csv", "--data-urlencode", "query=SELECT (1 AS ?x) {}"], 200, "x\n1"),
        (["--data-urlencode", "query=SELECT (1 AS ?x) {}", "-d", "format=tsv"], 200, "?x\n1"),
        (["--data-urlencode", "query=DROP ALL"], 400, "DROP is an update"),
        (["--data-urlencode", "update=DROP ALL"], 400, "read-only"),
        (
            ["-H", "Content-Type: application/sparql-update", "-d", "DROP ALL"],
            415,
            "application/sparql-query",
        ),
        (["-F", "query=ASK{}"], 415, "application/sparql-query"),
        ([], 200, "sd:Service"),
        (["-I"], 200, ""),
        (["-H", "Transfer-Encoding: chunked", "--data-urlencode", "query=ASK{}"], 200, '"boolean"'),
    ],
)
def test_curl(gateway: str, arguments: list[str], status: int, said: str) -> None:
    curl = shutil.which("curl")
    if curl is None:
        pytest.skip("curl is not installed")
    command = [curl, "-sS", "-w", "\n%{http_code}", *arguments, f"{gateway}/library/sparql"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    body, _, code = done.stdout.rpartition("\n")
    assert (int(code), said in body) == (status, True), done.stdout
