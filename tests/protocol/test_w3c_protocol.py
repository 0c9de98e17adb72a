"""The cases of the W3C's SPARQL 1.1 protocol tests, against a running gateway.

Names, requests and what is expected are those of the manifest in sparql/sparql11/protocol of the repository
w3c/rdf-tests (approved 2012-11-20). Two things differ. `query_multiple_dataset` is sent with two graphs: the
manifest has an `&` in escapes, and so names one. Updates, which it wants carried out, are refused here.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
import urllib3
from recording_store import RecordingStore

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "fixtures" / "w3c_protocol.jsonl").read_text("utf-8").splitlines()
]
MEDIA_TYPES = {
    "true": ("application/sparql-results+json", "application/sparql-results+xml"),
    "boolean": ("application/sparql-results+json", "application/sparql-results+xml"),
    "tabular": ("application/sparql-results+json", "application/sparql-results+xml", "text/csv"),
    "RDF": ("text/turtle", "application/rdf+xml", "application/n-triples"),
}


def named(cases: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(case, id=case["name"]) for case in cases]


def sent(http: urllib3.PoolManager, address: str, case: dict[str, Any]) -> urllib3.BaseHTTPResponse:
    """The answer to a request as it stands in the case, without a body or type where that has none."""
    body = case["body"].encode(case.get("encoding", "utf-8")) if "body" in case else None
    headers = {"Content-Type": case["content_type"]} if "content_type" in case else {}
    return http.request(case["method"], f"{address}/{case['address']}", body=body, headers=headers)


def test_all_cases_of_the_manifest_are_here() -> None:
    assert len({case["name"] for case in CASES}) == 34
    assert sum(case["expect"] == "refused" for case in CASES) == 14


@pytest.mark.parametrize("dataset", ["library", "store"])
@pytest.mark.parametrize("case", named([case for case in CASES if case["expect"] in MEDIA_TYPES]))
def test_queries_are_answered(
    gateway: str, http: urllib3.PoolManager, case: dict[str, Any], dataset: str
) -> None:
    response = sent(http, f"{gateway}/{dataset}/sparql", case)
    media_type = response.headers["Content-Type"].partition(";")[0]
    assert (response.status, media_type in MEDIA_TYPES[case["expect"]]) == (200, True), response.data
    if case["expect"] == "true":
        assert response.json()["boolean"] is True
    elif case["expect"] == "RDF":
        list(ox.parse(response.data, ox.RdfFormat.TURTLE))


@pytest.mark.parametrize("case", named([case for case in CASES if case["expect"] not in MEDIA_TYPES]))
def test_bad_requests_and_updates_are_refused_before_anything_is_sent(
    gateway: str, http: urllib3.PoolManager, store: RecordingStore, case: dict[str, Any]
) -> None:
    response = sent(http, f"{gateway}/store/sparql", case)
    assert 400 <= response.status < 500
    assert response.headers["Content-Type"] == "application/problem+json"
    assert not store.forms
