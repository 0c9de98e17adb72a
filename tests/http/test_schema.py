"""`/datasets` and `/datasets/ID/schema`: what can be asked, and what it is called."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from nlq_gateway.answering import Pipeline
from nlq_gateway.edges.http import create_app
from nlq_gateway.edges.http.datasets import asks_from
from nlq_gateway.edges.http.store_pages import store_page
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.settings import EndpointSettings, Settings

SCHEMA = "/datasets/sample/schema"
KINDS = ("concept", "relation", "attribute", "qualifier")
URL = "http://kg.example"


def listed(client: FlaskClient, **query: Any) -> dict[str, Any]:
    response = client.get(SCHEMA, query_string=query)
    assert response.status_code == 200, response.text
    document: dict[str, Any] = response.get_json()
    return document


def test_without_a_name_the_commonest_come_first(client: FlaskClient, gateway: Pipeline) -> None:
    document = listed(client, limit="30")
    counts = [item["count"] for item in document["items"]]
    assert counts == sorted(counts, reverse=True)
    assert (len(counts), document["truncated"], document["query"]) == (30, True, "")
    index = gateway.endpoint("sample").index
    assert document["index_version"] == index.manifest.version
    assert document["prefixes"].items() >= index.manifest.prefixes.items()
    assert document["prefixes"]["xsd"] == "http://www.w3.org/2001/XMLSchema#"
    assert document["functions"] == []
    assert sum(document["counts"].values()) == len(index.schema)
    assert tuple(document["counts"]) == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_all_of_one_kind_can_be_listed(client: FlaskClient, kind: str) -> None:
    document = listed(client, kind=kind, limit="500")
    assert {item["kind"] for item in document["items"]} == {kind}
    assert len(document["items"]) == document["counts"][kind]
    assert not document["truncated"]


def test_a_name_finds_what_it_may_mean(client: FlaskClient) -> None:
    first = listed(client, q="directd by")["items"][0]
    assert (first["kind"], first["label"]) == ("relation", "directed by")
    assert {"iri": "http://world.example/film", "label": "film"} in first["domain"]
    assert listed(client, q="directed by", kind="attribute")["items"] == [
        item for item in listed(client, q="directed by")["items"] if item["kind"] == "attribute"
    ]


def test_an_attribute_tells_its_values(client: FlaskClient) -> None:
    (item, *_) = listed(client, q="population", kind="attribute")["items"]
    assert item["label"] == "population"
    assert item["datatypes"] == ["quantity"]
    assert item["examples"]
    assert "range" not in item
    assert "aliases" not in item or item["aliases"]


def test_an_iri_finds_its_item(client: FlaskClient) -> None:
    wanted = listed(client, q="directed by")["items"][0]
    assert listed(client, q=wanted["iri"])["items"] == [wanted]


def test_one_letter_finds_what_begins_with_it(client: FlaskClient) -> None:
    labels = [item["label"] for item in listed(client, q="F", kind="concept")["items"]]
    assert "film" in labels
    assert all(label.lower().startswith("f") for label in labels)


@pytest.mark.parametrize("q", ["zzzzqqqq", "%", '"', "'; DROP TABLE", "\x00", " "])
def test_any_text_can_be_looked_for(client: FlaskClient, q: str) -> None:
    assert listed(client, q=q)["query"] == q


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("kind=entity", "kind"),
        ("limit=0", "limit"),
        ("limit=501", "limit"),
        ("limit=many", "limit"),
        ("q=a&q=b", "q"),
        (f"q={'x' * 201}", "q"),
        ("query=a", "query"),
    ],
)
def test_what_cannot_be_asked_is_refused(client: FlaskClient, query: str, says: str) -> None:
    response = client.get(f"{SCHEMA}?{query}")
    document = json.loads(response.data)
    assert (response.status_code, document["type"]) == (400, "/problems/invalid-request")
    assert document["detail"].startswith(says)


def test_a_dataset_that_is_not_there_or_down_says_so(client: FlaskClient) -> None:
    assert client.get("/datasets/other/schema").status_code == 404
    assert client.get("/datasets/away/schema").status_code == 502


def test_a_dataset_that_is_not_ready_says_so(tmp_path: Path) -> None:
    store = TraceStore(tmp_path / "traces.sqlite")
    app = create_app(Pipeline(Settings.for_data(["builtin:sample"])), store)
    response = app.test_client().get(SCHEMA)
    assert (response.status_code, json.loads(response.data)["type"]) == (503, "/problems/overloaded")
    assert response.headers["Retry-After"]
    store.close()


@pytest.mark.parametrize(
    ("dialect", "url", "page"),
    [
        ("virtuoso", "/sparql", "/sparql?qtxt={query}"),
        ("fuseki", "/ds/sparql", "/#/dataset/ds/query?query={query}"),
        ("fuseki", "/ds/query", "/#/dataset/ds/query?query={query}"),
        ("fuseki", "/ds", "/#/dataset/ds/query?query={query}"),
        ("fuseki", "/fuseki/ds/sparql", "/fuseki/#/dataset/ds/query?query={query}"),
        ("oxigraph", "/query", "/#query={query}&endpoint=http%3A%2F%2Fkg.example%2Fquery"),
        ("oxigraph", "/kg/query", "/kg/#query={query}&endpoint=http%3A%2F%2Fkg.example%2Fkg%2Fquery"),
        ("virtuoso", "/sparql?key=secret", "/sparql?qtxt={query}"),
        ("sparql11", "/sparql", None),
        ("auto", "/sparql", None),
    ],
)
def test_a_products_own_page_is_known(dialect: str, url: str, page: str | None) -> None:
    settings = EndpointSettings(id="kg", url=URL + url)
    assert store_page(settings, dialect) == (page and URL + page)


def test_the_configured_page_goes_before_the_products() -> None:
    page = "https://yasgui.example/#query={query}"
    assert store_page(EndpointSettings(id="kg", url=URL, ui=page), "virtuoso") == page
    assert store_page(EndpointSettings(id="kg", url=URL, ui=page), "sparql11") == page
    assert store_page(EndpointSettings(id="kg", url=URL, ui="none"), "virtuoso") is None


@pytest.mark.parametrize("ui", ["https://kg.example/", "javascript:alert('{query}')", "/#{query}", ""])
def test_a_page_that_is_none_is_refused(ui: str) -> None:
    with pytest.raises(ValueError, match="query"):
        EndpointSettings(id="kg", url=URL, ui=ui)


@pytest.mark.parametrize(
    ("page", "origins", "told"),
    [
        ("https://yasgui.example/#query={query}", ["https://yasgui.example"], True),
        ("https://yasgui.example/x?query={query}", ["*"], True),
        ("https://yasgui.example/#query={query}", [], False),
        ("https://yasgui.example/#query={query}", ["https://kg.example", "http://yasgui.example"], False),
        ("none", ["*"], False),
    ],
)
def test_yasgui_is_told_where_it_may_ask(page: str, origins: list[str], told: bool) -> None:
    assert asks_from(page, origins) is told


def test_datasets_tell_the_page(
    client: FlaskClient, gateway: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = "https://yasgui.example/#query={query}"
    away = gateway.endpoint("away")
    monkeypatch.setattr(away, "settings", away.settings.model_copy(update={"ui": page}))
    sample, down = client.get("/datasets").get_json()["datasets"]
    assert "store_ui" not in sample
    assert down["store_ui"] == page
