"""`/sparql` over each real store: graphs, formats, and texts that stores could read in different ways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyoxigraph as ox
import pytest
from flask.testing import FlaskClient

from benchmarks.stores import Server
from connectors.formats import GRAPH_FORMATS
from nlq_gateway.answering import Pipeline
from nlq_gateway.edges.http import create_app
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.settings import EndpointSettings, Settings

GRAPHS = {name: f"http://protocol.example/{name}" for name in ("a", "b", "c")}
A, B, C = (f"<{GRAPHS[name]}>" for name in ("a", "b", "c"))
P = "<http://protocol.example/p>"
BROWSED = f"SELECT ?o {{ {{ ?s {P} ?o }} UNION {{ GRAPH ?g {{ ?s {P} ?o }} }} }}"
DEFAULT = f"SELECT ?o {{ ?s {P} ?o }}"
NAMED = f"SELECT ?o {{ GRAPH ?g {{ ?s {P} ?o }} }}"
JSON = "application/sparql-results+json"
XML = "application/sparql-results+xml"


@pytest.fixture(scope="module")
def client(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    """A gateway whose dataset `two` sees the graphs a (by default) and b (named), and `one` sees a alone."""
    for name, graph in GRAPHS.items():
        server.put(graph, f'<{graph}#s> {P} "{name}" .\n'.encode())
    shown = {"two": ((GRAPHS["a"],), (GRAPHS["b"],)), "one": ((GRAPHS["a"],), ())}
    endpoints = tuple(
        EndpointSettings.model_validate(
            {
                "id": name,
                "url": server.query,
                "auth": server.settings,
                "dialect": server.dialect,
                "layout": "direct",
                "default_graphs": default,
                "named_graphs": named,
            }
        )
        for name, (default, named) in shown.items()
    )
    folder = tmp_path_factory.mktemp("gateway")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLQ_CACHE", str(folder / "cache"))
        gateway, store = Pipeline(Settings(endpoints=endpoints)), TraceStore(folder / "traces.sqlite")
        for endpoint in gateway.endpoints.values():
            endpoint.prepare()
        yield create_app(gateway, store).test_client()
        gateway.close()
        store.close()


def found(client: FlaskClient, dataset: str, text: str, **graphs: list[str]) -> set[str]:
    fields: dict[str, Any] = {
        "query": text,
        **{name.replace("_", "-"): value for name, value in graphs.items()},
    }
    response = client.post(f"/{dataset}/sparql", data=fields)
    assert response.status_code == 200, response.data
    rows = response.get_json(force=True)["results"]["bindings"]
    return {row["o"]["value"] for row in rows}


@pytest.mark.parametrize(
    ("dataset", "text", "values"),
    [
        ("two", DEFAULT, {"a"}),
        ("two", NAMED, {"b"}),
        ("two", BROWSED, {"a", "b"}),
        ("two", f"SELECT ?o {{ {{ SELECT ?o {{ GRAPH ?g {{ ?s {P} ?o }} }} }} }}", {"b"}),
        ("two", f"SELECT ?o {{ ?x {P} 'a' OPTIONAL {{ GRAPH ?g {{ ?s {P} ?o }} }} }}", {"b"}),
        ("two", f"SELECT ?o {{ GRAPH ?g {{ <{GRAPHS['c']}#s> {P}|<urn:x> ?o }} }}", set()),
        ("two", f"SELECT ?o FROM {B} {{ ?s {P} ?o }}", {"b"}),
        ("two", f"SELECT ?o FROM {A} {{ GRAPH ?g {{ ?s {P} ?o }} }}", set()),
        ("two", f"SELECT ?o FROM NAMED {A} {{ GRAPH ?g {{ ?s {P} ?o }} }}", {"a"}),
        ("two", f"SELECT ?o FROM NAMED {A} {{ ?s {P} ?o }}", set()),
        ("one", DEFAULT, {"a"}),
        ("one", NAMED, set()),
        ("one", BROWSED, {"a"}),
        ("one", f"SELECT ?o {{ {{ SELECT ?o {{ GRAPH ?g {{ ?s {P} ?o }} }} }} }}", set()),
        ("one", f"SELECT ?o {{ GRAPH ?g {{ ?s {P}+ ?o . ?s {P} ?o }} }}", set()),
    ],
)
def test_no_store_shows_other_graphs(client: FlaskClient, dataset: str, text: str, values: set[str]) -> None:
    assert found(client, dataset, text) == values


@pytest.mark.parametrize(
    ("default", "named", "values"),
    [
        (["b"], [], {"b"}),
        (["a", "b"], [], {"a", "b"}),
        ([], ["a"], {"a"}),
        (["a"], ["b"], {"a", "b"}),
    ],
)
def test_a_request_chooses_among_the_graphs(
    client: FlaskClient, default: list[str], named: list[str], values: set[str]
) -> None:
    graphs = {
        "default_graph_uri": [GRAPHS[name] for name in default],
        "named_graph_uri": [GRAPHS[name] for name in named],
    }
    assert found(client, "two", BROWSED, **graphs) == values
    # The dataset of the request takes the place of the query's, which Virtuoso adds to it.
    other = BROWSED.replace("?o {", f"?o FROM {B} FROM NAMED {B} {{", 1)
    assert found(client, "two", other, **graphs) == values


@pytest.mark.parametrize(
    "text",
    [
        f"DESCRIBE <{GRAPHS['c']}#s>",
        "CONSTRUCT { ?s ?p ?o } WHERE { GRAPH ?g { ?s ?p ?o FILTER(STR(?o) = 'c') } }",
        "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(STR(?o) = 'c') }",
    ],
)
def test_no_graph_is_made_of_others(client: FlaskClient, text: str) -> None:
    headers = {"Accept": "application/n-triples"}
    response = client.post("/two/sparql", data={"query": text}, headers=headers)
    assert response.status_code == 200
    assert not list(ox.parse(response.data, ox.RdfFormat.N_TRIPLES))


@pytest.mark.parametrize("graph", [C, "<http://nowhere.example/>"])
@pytest.mark.parametrize(
    "held",
    [
        "GRAPH {graph} {{ ?s {P} ?o }}",
        "VALUES ?g {{ {graph} }} GRAPH ?g {{ ?s {P} ?o }}",
        "GRAPH ?g {{ ?s {P} ?o }} FILTER(?g = {graph})",
        "GRAPH ?g {{ ?s {P} ?o }} FILTER(?g IN ({graph}))",
        "GRAPH ?g {{ ?s {P} ?o }} FILTER(sameTerm(?g, {graph}))",
        "GRAPH ?g {{ ?s {P} ?o }} FILTER(STR(?g) = STR({graph}))",
        "BIND({graph} AS ?g) GRAPH ?g {{ ?s {P} ?o }}",
        "{{ SELECT ({graph} AS ?g) {{}} }} GRAPH ?g {{ ?s {P} ?o }}",
    ],
)
@pytest.mark.parametrize(
    ("form", "right"),
    [
        ("ASK {{ {held} }}", False),
        ("SELECT ?o {{ {held} }}", set()),
        ("SELECT (COUNT(*) AS ?o) {{ {held} }}", {"0"}),
        ("SELECT (1 AS ?o) {{ {held} }}", set()),
        ("SELECT ?o {{ ?x {P} ?o FILTER EXISTS {{ {held} }} }}", set()),
        ("SELECT ?o {{ ?x {P} ?o FILTER NOT EXISTS {{ {held} }} }}", {"a"}),
        ("SELECT ?o {{ {{ {held} }} UNION {{ GRAPH {B} {{ ?s {P} ?o }} }} }}", {"b"}),
    ],
)
def test_a_graph_out_of_sight_is_empty_or_the_query_is_refused(
    client: FlaskClient, server: Server, graph: str, held: str, form: str, right: object
) -> None:
    text = form.format(held=held.format(graph=graph, P=P), P=P, B=B)
    response = client.post("/two/sparql", data={"query": text})
    if server.dialect == "virtuoso":
        assert (response.status_code, response.get_json()["type"]) == (400, "/problems/query-refused")
        assert "not among the query's named graphs" in response.get_json()["detail"]
        return
    document = response.get_json(force=True)
    rows = document.get("results", {"bindings": ()})["bindings"]
    assert document.get("boolean", {row["o"]["value"] for row in rows}) == right


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        (f"ASK {{ GRAPH {B} {{ ?s ?p 'b' }} }}", True),
        (f"ASK {{ GRAPH {B} {{ ?s ?p 'c' }} }}", False),
        ("PREFIX g: <http://protocol.example/> ASK { GRAPH g:b { ?s ?p 'b' } }", True),
        ("BASE <http://protocol.example/> ASK { GRAPH <b> { ?s ?p 'b' } }", True),
        (f"ASK {{ GRAPH ?g {{ ?s ?p 'b' }} FILTER(?g = {B}) }}", True),
        ("ASK { GRAPH ?g { ?s ?p 'b' } FILTER(STRSTARTS(STR(?g), 'http://protocol')) }", True),
        (f"ASK {{ GRAPH ?g {{ ?s ?p ?o }} FILTER(?g != {B}) }}", False),
        (f"ASK {{ GRAPH ?g {{ ?s ?p ?o }} FILTER(?o = {B}) }}", False),
    ],
)
def test_a_graph_in_sight_is_asked(client: FlaskClient, text: str, truth: bool) -> None:
    response = client.post("/two/sparql", data={"query": text})
    assert (response.status_code, response.get_json(force=True)["boolean"]) == (200, truth), response.data


@pytest.mark.parametrize("accept", [JSON, XML])
@pytest.mark.parametrize(("text", "truth"), [("ASK { ?s ?p 'a' }", "true"), ("ASK { ?s ?p 'z' }", "false")])
def test_an_ask_is_true_or_false(client: FlaskClient, accept: str, text: str, truth: str) -> None:
    response = client.post("/one/sparql", data={"query": text}, headers={"Accept": accept})
    assert (response.status_code, response.mimetype) == (200, accept)
    said = {JSON: f'"boolean":{truth}', XML: f"<boolean>{truth}</boolean>"}[accept]
    assert said in response.get_data(as_text=True)


@pytest.mark.parametrize("accept", [JSON, XML, "text/csv", "text/tab-separated-values"])
def test_a_table_has_the_format_asked_for(client: FlaskClient, accept: str) -> None:
    response = client.post("/one/sparql", data={"query": DEFAULT}, headers={"Accept": accept})
    assert (response.status_code, response.mimetype) == (200, accept)
    assert b"a" in response.data


@pytest.mark.parametrize("text", [f"CONSTRUCT WHERE {{ ?s {P} ?o }}", f"DESCRIBE <{GRAPHS['a']}#s>"])
@pytest.mark.parametrize("accept", list(GRAPH_FORMATS))
def test_a_graph_has_the_format_asked_for(client: FlaskClient, text: str, accept: str) -> None:
    response = client.post("/one/sparql", data={"query": text}, headers={"Accept": accept})
    assert (response.status_code, response.mimetype) == (200, accept)
    (quad,) = ox.parse(response.data, GRAPH_FORMATS[accept])
    assert quad.object == ox.Literal("a")


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ('"caf\\u00E9"', "café"),
        ('"\\U0001D11E"', "\U0001d11e"),
        ('"日本語"', "日本語"),
        ('"a # SERVICE"', "a # SERVICE"),
        ("'''it's ''two'' \"quoted\"'''", "it's ''two'' \"quoted\""),
        ('"tab\\tquote\\"backslash\\\\u0041"', 'tab\tquote"backslash\\u0041'),
        ('"x" # "; DROP ALL\n', "x"),
        ('"x" # \r\n', "x"),
    ],
)
def test_what_passes_is_read_alike_by_all_stores(client: FlaskClient, expression: str, value: str) -> None:
    assert found(client, "one", f"SELECT ({expression} AS ?o) {{}}") == {value}
