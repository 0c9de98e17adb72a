"""Caching by clients, and its revalidation."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from nlq_gateway.answering import Pipeline

KEPT = ["/openapi.json", "/datasets/sample/schema?q=film", "/static/page.css", "/"]
QUESTION = {"question": "Who directed Pulp Fiction?"}


@pytest.mark.parametrize(
    ("path", "method"), [*((path, "GET") for path in KEPT), ("/openapi.json", "HEAD"), (KEPT[1], "HEAD")]
)
def test_what_has_not_changed_is_not_sent_again(client: FlaskClient, path: str, method: str) -> None:
    with client.open(path, method=method) as first:
        tag = first.headers["ETag"]
        assert "no-cache" in first.headers["Cache-Control"]
    for given in (tag, f'W/{tag}, "other"', "*"):
        with client.open(path, method=method, headers={"If-None-Match": given}) as again:
            assert (again.status_code, again.data) == (304, b"")
            for name in ("ETag", "Cache-Control", "Vary"):
                assert again.headers.get(name) == first.headers.get(name)
    with client.open(path, method=method, headers={"If-None-Match": '"other"'}) as other:
        assert other.status_code == 200


def test_a_trace_is_for_its_reader_alone(client: FlaskClient) -> None:
    document = client.post("/nlq", json=QUESTION).get_json()
    path = f"/traces/{document['id']}"
    first = client.get(path)
    assert first.headers["Cache-Control"] == "private, no-cache"
    again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data, again.headers["Cache-Control"]) == (304, b"", "private, no-cache")
    assert client.get("/traces/other", headers={"If-None-Match": first.headers["ETag"]}).status_code == 404


def test_the_schema_of_another_index_is_another(
    client: FlaskClient, gateway: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.get("/datasets/sample/schema")
    assert first.headers["Cache-Control"] == "private, no-cache"
    index = gateway.endpoint("sample").index
    monkeypatch.setattr(index, "manifest", replace(index.manifest, version="newer"))
    again = client.get("/datasets/sample/schema", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.get_json()["index_version"]) == (200, "newer")


@pytest.mark.parametrize(
    "path", ["/datasets", "/healthz", "/nlq?question=a", "/nlq", "/sparql?query=ASK%7B%7D"]
)
def test_what_is_true_now_is_not_kept(client: FlaskClient, path: str) -> None:
    response = client.get(path)
    assert response.headers["Cache-Control"] == "no-store"
    assert "ETag" not in response.headers


def test_a_range_of_a_document_is_not_sent(client: FlaskClient) -> None:
    """All of it is: a part is no JSON."""
    response = client.get("/openapi.json", headers={"Range": "bytes=0-9"})
    assert (response.status_code, response.get_json()["openapi"]) == (200, "3.1.0")
