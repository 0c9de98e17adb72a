"""The limits of `/sparql` on requests and responses."""

from __future__ import annotations

from urllib.parse import quote, urlencode

import pytest
import urllib3
from recording_store import RecordingStore

FORM = "application/x-www-form-urlencoded"
QUERY = "application/sparql-query"


def test_an_answer_is_whole_whatever_the_number_of_its_rows(gateway: str, http: urllib3.PoolManager) -> None:
    response = http.request("GET", f"{gateway}/small/sparql?query={quote('SELECT * { ?s ?p ?o }')}")
    assert len(response.json()["results"]["bindings"]) == 6


@pytest.mark.parametrize("accept", ["application/sparql-results+json", "text/csv"])
def test_an_answer_that_is_too_large_is_refused_not_cut(
    gateway: str, http: urllib3.PoolManager, accept: str
) -> None:
    query = quote("SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }")
    response = http.request("GET", f"{gateway}/small/sparql?query={query}", headers={"Accept": accept})
    problem = response.json()
    assert (response.status, problem["type"]) == (502, "/problems/incomplete-result")
    assert "5000 bytes" in problem["detail"]


@pytest.mark.parametrize(
    ("body", "content_type"),
    [(b"#" * 262_144, QUERY), (urlencode({"query": "#" * 262_144}).encode(), FORM)],
)
def test_a_query_that_is_too_long_is_refused(
    gateway: str, http: urllib3.PoolManager, store: RecordingStore, body: bytes, content_type: str
) -> None:
    headers = {"Content-Type": content_type}
    response = http.request("POST", f"{gateway}/store/sparql", body=body, headers=headers)
    assert (response.status, response.json()["type"]) == (413, "/problems/too-large")
    assert not store.forms


def test_a_long_query_goes_by_post(gateway: str, http: urllib3.PoolManager) -> None:
    query = f"ASK {{}} #{'x' * 200_000}"
    headers = {"Content-Type": QUERY}
    response = http.request("POST", f"{gateway}/library/sparql", body=query.encode(), headers=headers)
    assert response.json()["boolean"] is True
    assert http.request("GET", f"{gateway}/library/sparql?query={quote(query)}").status >= 400


def test_every_answer_has_an_id_and_says_what_it_depends_on(gateway: str, http: urllib3.PoolManager) -> None:
    for query, status in (("ASK {}", 200), ("DROP ALL", 400)):
        headers = {"X-Request-Id": "mine-7"}
        response = http.request("GET", f"{gateway}/library/sparql?query={quote(query)}", headers=headers)
        assert response.status == status
        assert response.headers["X-Request-Id"] == "mine-7"
        assert "Accept" in response.headers["Vary"]
        assert response.headers["Cache-Control"] == "no-store"
