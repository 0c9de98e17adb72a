"""SERVICE: which hosts a query may name, and our `/sparql` as somebody else's service."""

from __future__ import annotations

from urllib.parse import quote

import pyoxigraph as ox
import pytest
import urllib3
from protocol_graphs import GRAPH
from recording_store import RecordingStore


def asked(http: urllib3.PoolManager, address: str, service: str) -> urllib3.BaseHTTPResponse:
    text = f"SELECT * {{ ?s ?p ?o SERVICE {service} {{ ?s ?q ?x }} }}"
    return http.request("GET", f"{address}?query={quote(text)}")


@pytest.mark.parametrize(
    "service",
    ["<http://127.0.0.1:9/sparql>", "SILENT <https://good.example/>", "<http://GOOD.example:8080/>"],
)
def test_hosts_on_the_list_may_be_named(
    gateway: str, http: urllib3.PoolManager, store: RecordingStore, service: str
) -> None:
    response = asked(http, f"{gateway}/federated/sparql", service)
    assert [service in form["query"][0] for form in store.forms] == [True]
    # The store behind is an embedded Oxigraph, which refuses every SERVICE itself.
    assert (response.status, "SERVICE" in response.json()["store_says"]) == (400, True)


@pytest.mark.parametrize(
    "pattern",
    [
        "FILTER(<http://www.opengis.net/def/function/geosparql/distance>(?o, ?o) < 1)",
        "?o <bif:contains> 'x'",
    ],
)
def test_listed_functions_reach_the_store_of_their_endpoint_alone(
    gateway: str, http: urllib3.PoolManager, store: RecordingStore, pattern: str
) -> None:
    text = f"SELECT * {{ ?s ?p ?o . {pattern} }}"
    for dataset, sent in (("extended", True), ("store", False), ("sample", False)):
        store.forms.clear()
        response = http.request("GET", f"{gateway}/{dataset}/sparql?query={quote(text)}")
        assert [pattern in form["query"][0] for form in store.forms] == [True] * sent
        assert (response.status == 400 and "operator lists" in response.json()["hint"]) is not sent


def test_a_function_beside_a_listed_one_is_refused(
    gateway: str, http: urllib3.PoolManager, store: RecordingStore
) -> None:
    text = "SELECT (<bif:file_to_string>('/etc/passwd') AS ?x) { ?o <bif:contains> 'x' }"
    response = http.request("GET", f"{gateway}/extended/sparql?query={quote(text)}")
    assert (response.status, store.forms) == (400, [])


@pytest.mark.parametrize(
    ("dataset", "service"),
    [
        ("federated", "<http://127.0.0.1:10/sparql>"),
        ("federated", "<http://127.0.0.1/sparql>"),
        ("federated", "<http://good.example@evil.example/>"),
        ("federated", "<http://evil.example/good.example>"),
        ("federated", "<http://good.example.evil.example/>"),
        ("federated", "<file://good.example/etc/passwd>"),
        ("federated", "?x"),
        ("store", "<http://127.0.0.1:9/sparql>"),
        ("walled", "<http://good.example/>"),
        ("library", "<http://good.example/>"),
    ],
)
def test_no_other_host_may_be_named(
    gateway: str, http: urllib3.PoolManager, store: RecordingStore, dataset: str, service: str
) -> None:
    response = asked(http, f"{gateway}/{dataset}/sparql", service)
    assert (response.status, response.json()["type"]) == (400, "/problems/query-refused")
    assert not store.forms


def test_another_store_can_call_the_gateway(gateway: str) -> None:
    text = (
        f"SELECT ?d {{ SERVICE <{gateway}/library/sparql> {{ ?d a <http://xmlns.com/foaf/0.1/Document> }} }}"
    )
    found = {row["d"].value for row in ox.Store().query(text)}  # type: ignore[union-attr, index]
    assert found == {GRAPH.format(number) for number in (1, 2, 3)}
