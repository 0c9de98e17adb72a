"""Whatever is not a plain read is refused before the store hears of it, however it is disguised."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import urllib3
from recording_store import RecordingStore

FIXTURES = Path(__file__).parent / "fixtures"
QUERY = "application/sparql-query"
FORM = "application/x-www-form-urlencoded"
# What gunicorn takes as a request line.
LONGEST_ADDRESS = 8_000


def read(name: str) -> list[Any]:
    lines = (FIXTURES / name).read_text("utf-8").splitlines()
    return [pytest.param(case, id=case.get("name", case.get("text"))[:60]) for case in map(json.loads, lines)]


@pytest.mark.parametrize("case", read("disguises.jsonl"))
def test_no_disguised_text_reaches_the_store(
    gateway: str, http: urllib3.PoolManager, store: RecordingStore, case: dict[str, Any]
) -> None:
    address, form = f"{gateway}/store/sparql", urlencode({"query": case["text"]})
    # Where some hosts may be named, no other may.
    addresses = (address, f"{gateway}/federated/sparql")
    responses = [
        *(
            http.request("POST", each, body=case["text"].encode(), headers={"Content-Type": QUERY})
            for each in addresses
        ),
        http.request("POST", address, body=form.encode(), headers={"Content-Type": FORM}),
    ]
    if len(form) < LONGEST_ADDRESS:
        responses.append(http.request("GET", f"{address}?{form}"))
    for response in responses:
        problem = response.json()
        assert (response.status, problem["type"]) == (400, "/problems/query-refused"), problem
        assert problem["detail"]
    assert not store.forms


@pytest.mark.parametrize("case", read("disguised_requests.jsonl"))
def test_no_disguised_request_reaches_the_store(
    gateway: str, http: urllib3.PoolManager, store: RecordingStore, case: dict[str, Any]
) -> None:
    body = case["body"].encode(case.get("encoding", "utf-8")) if "body" in case else None
    headers = {**({"Content-Type": case["content_type"]} if "content_type" in case else {})}
    headers |= case.get("headers", {})
    address = f"{gateway}/store/sparql{case['address']}"
    response = http.request(case["method"], address, body=body, headers=headers)
    assert 400 <= response.status < 500
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.json()["detail"]
    assert not store.forms


@pytest.mark.parametrize("case", read("disguised_reads.jsonl"))
def test_reads_that_look_odd_reach_the_store_once(
    gateway: str, http: urllib3.PoolManager, store: RecordingStore, case: dict[str, Any]
) -> None:
    body = urlencode({"query": case["text"]}).encode()
    response = http.request("POST", f"{gateway}/store/sparql", body=body, headers={"Content-Type": FORM})
    assert response.status == 200, response.data
    assert len(store.forms) == 1
    assert ("boolean" in response.data.decode()) == (case["form"] == "ASK")
