"""`/sparql` without a query says what it is (SPARQL 1.1 Service Description)."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
import urllib3
from protocol_graphs import GRAPH
from rdflib import RDF, Graph, Namespace, URIRef

from connectors.formats import GRAPH_FORMATS

SD = Namespace("http://www.w3.org/ns/sparql-service-description#")
FORMATS = Namespace("http://www.w3.org/ns/formats/")


def described(http: urllib3.PoolManager, address: str, accept: str | None = None) -> Graph:
    response = http.request("GET", address, headers={"Accept": accept} if accept else {})
    assert response.status == 200, response.data
    triples = [
        quad.triple for quad in ox.parse(response.data, GRAPH_FORMATS[response.headers["Content-Type"]])
    ]
    return Graph().parse(data=ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES), format="nt")


@pytest.mark.parametrize(
    "accept",
    [None, "*/*", "text/turtle", "application/n-triples", "application/rdf+xml", "application/ld+json"],
)
def test_the_description_has_the_format_asked_for(
    gateway: str, http: urllib3.PoolManager, accept: str | None
) -> None:
    graph = described(http, f"{gateway}/library/sparql", accept)
    service = graph.value(predicate=RDF.type, object=SD.Service)
    assert graph.value(service, SD.endpoint) == URIRef(f"{gateway}/library/sparql")
    assert graph.value(service, SD.supportedLanguage) == SD.SPARQL11Query
    assert {FORMATS.SPARQL_Results_CSV, FORMATS.Turtle} < set(graph.objects(service, SD.resultFormat))
    assert (service, SD.feature, SD.UnionDefaultGraph) in graph
    assert (None, SD.name, None) not in graph


def test_the_configured_graphs_are_named(gateway: str, http: urllib3.PoolManager) -> None:
    graph = described(http, f"{gateway}/walled/sparql")
    available = graph.value(predicate=RDF.type, object=SD.GraphCollection)
    names = {graph.value(named, SD.name) for named in graph.objects(available, SD.namedGraph)}
    assert names == {URIRef(GRAPH.format(1)), URIRef(GRAPH.format(2))}
    dataset = graph.value(predicate=RDF.type, object=SD.Dataset)
    (named,) = graph.objects(dataset, SD.namedGraph)
    assert graph.value(named, SD.name) == URIRef(GRAPH.format(2))


def test_federation_is_told(gateway: str, http: urllib3.PoolManager) -> None:
    assert (None, SD.feature, SD.BasicFederatedQuery) in described(http, f"{gateway}/federated/sparql")
    assert (None, SD.feature, SD.BasicFederatedQuery) not in described(http, f"{gateway}/store/sparql")


def test_functions_on_the_list_are_told(gateway: str, http: urllib3.PoolManager) -> None:
    graph = described(http, f"{gateway}/extended/sparql")
    assert set(graph.objects(None, SD.extensionFunction)) == {URIRef("bif:contains")}


def test_a_browser_is_led_to_the_page(gateway: str, http: urllib3.PoolManager) -> None:
    accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    response = http.request("GET", f"{gateway}/library/sparql", headers={"Accept": accept}, redirect=False)
    assert (response.status, response.headers["Location"]) == (303, "/")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/sparql?query=", 400),
        ("/sparql?quer=ASK%7B%7D", 400),
        ("/sparql?format=pdf", 406),
        ("/sparql?format=nt", 200),
        ("/none/sparql", 404),
    ],
)
def test_other_requests_without_a_query(
    gateway: str, http: urllib3.PoolManager, path: str, status: int
) -> None:
    assert http.request("GET", gateway + path).status == status
