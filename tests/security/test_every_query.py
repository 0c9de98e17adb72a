"""Whatever is asked of the gateway, no query of it reads a graph that is not configured."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from flask.testing import FlaskClient

from connectors import EmbeddedOxigraph
from connectors.dataset import NO_GRAPH
from nlq_gateway.answering import Pipeline
from nlq_gateway.edges.http import create_app
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.settings import EndpointSettings, Settings
from tests.compiler.rdf import iri
from tests.compiler.shapes import SHAPES, Shape
from tests.oracle.graph import graph_from_kopl_json
from tests.protocol.recording_store import RecordingStore

TINY = Path(__file__).parents[1] / "kopl" / "fixtures" / "tiny.json"
SHOWN, HIDDEN = (ox.NamedNode(f"http://wall.example/{name}") for name in ("shown", "hidden"))
SECRET, SECRET_NAME = "hunter2", "Midnight"
KNOWN = iri("password")
ASKED: Mapping[str, tuple[str, Any]] = {
    "a question": ("/nlq", {"question": "Who directed Dusk?"}),
    "a question about a hidden attribute": ("/nlq", {"question": "What is the password of Dusk?"}),
    "a question about a hidden name": ("/nlq", {"question": f"What is the budget of {SECRET_NAME}?"}),
    "a program": ("/run", {"program": "Find(Dusk)->QueryAttr(budget)"}),
    "a program with a pin": (
        "/run",
        {
            "program": "Find(Dusk)->QueryAttr(budget)",
            "pins": [{"step": 2, "argument": 0, "iri": KNOWN}],
        },
    ),
    "the description of a thing": ("/datasets/walled/describe?name=Dusk&facts=5", None),
    "the description of a class": ("/datasets/walled/describe?name=film", None),
    "the description of what is hidden": (f"/datasets/walled/describe?name={SECRET_NAME}", None),
    "a path": ("/datasets/walled/path?from=Dusk&to=Berta+Díaz", None),
    "a path to what is hidden": (f"/datasets/walled/path?from=Dusk&to={SECRET_NAME}", None),
    "a path of hidden facts": ("/datasets/walled/path?from=Dusk&to=Noon", None),
    "suggestions": (f"/datasets/walled/suggest?q={SECRET_NAME[:3]}", None),
    "the schema": ("/datasets/walled/schema", None),
    "a query": ("/walled/sparql?query=SELECT+*+%7B+%3Fs+%3Fp+%3Fo+%7D", None),
}


@dataclass(frozen=True)
class Walled:
    """A gateway that is shown a part of a store, and the store, which keeps what it is asked."""

    client: FlaskClient
    store: RecordingStore
    graphs: Mapping[str, list[str]]

    def answer(self, path: str, body: Any) -> str:
        response = self.client.post(path, json=body) if body else self.client.get(path)
        return response.get_data(as_text=True)


@pytest.fixture(scope="module", params=["direct", "reification", "graph_per_fact"])
def walled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walled]:
    folder = tmp_path_factory.mktemp("walled")
    file, shape = folder / "data.nq", SHAPES[request.param]
    facts = _write(shape, file)
    graphs = {"default-graph-uri": [SHOWN.value], "named-graph-uri": facts or [NO_GRAPH]}
    with closing(RecordingStore(EmbeddedOxigraph.in_memory([file]))) as store:
        endpoint = EndpointSettings.model_validate(
            {
                "id": "walled",
                "url": store.url,
                "layout": shape.layout,
                "dialect": "sparql11",
                "default_graphs": [SHOWN.value],
                "named_graphs": facts,
            }
        )
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("NLQ_CACHE", str(folder / "cache"))
            gateway = Pipeline(Settings(endpoints=(endpoint,)))
            with closing(gateway), closing(TraceStore(folder / "traces.sqlite")) as traces:
                gateway.endpoint(None).prepare()
                yield Walled(create_app(gateway, traces).test_client(), store, graphs)


def _write(shape: Shape, file: Path) -> list[str]:
    """Write what is shown and what is hidden; the names of the graphs that hold a fact each."""
    data: dict[str, Any] = json.loads(TINY.read_text(encoding="utf-8"))
    shown = shape.write(shape.prepare(graph_from_kopl_json(data)))
    film = data["entities"]["F2"]
    film["attributes"].append(
        {"key": "password", "value": {"type": "string", "value": SECRET}, "qualifiers": {}}
    )
    data["entities"]["F3"]["relations"].append(
        {"relation": "directed by", "direction": "forward", "object": "P1", "qualifiers": {}}
    )
    data["entities"]["F9"] = {**film, "name": SECRET_NAME, "relations": []}
    every = shape.write(shape.prepare(graph_from_kopl_json(data)))
    quads = [
        ox.Quad(*quad.triple, SHOWN if quad.graph_name == ox.DefaultGraph() else quad.graph_name)
        for quad in shown
    ]
    quads += [ox.Quad(*quad.triple, HIDDEN) for quad in every]
    file.write_bytes(ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b"")
    return [name.value for name in shown.named_graphs() if isinstance(name, ox.NamedNode)]


def test_the_index_names_the_configured_graphs(walled: Walled) -> None:
    assert walled.store.store.query(f"ASK {{ GRAPH ?g {{ ?s ?p '{SECRET}' }} }}").boolean
    assert walled.store.forms
    assert all(graphs_of(form) == walled.graphs for form in walled.store.forms)


@pytest.mark.parametrize("what", ASKED)
def test_every_query_names_the_configured_graphs(walled: Walled, what: str) -> None:
    said = walled.answer(*ASKED[what])
    assert all(graphs_of(form) == walled.graphs for form in walled.store.forms)
    assert SECRET not in said
    assert SECRET_NAME not in said or SECRET_NAME in str(ASKED[what])


def test_what_is_shown_is_answered(walled: Walled) -> None:
    asked = len(walled.store.forms)
    assert "Alex Kim" in walled.answer(*ASKED["a question"])
    assert '"text":"7' in walled.answer(*ASKED["a program"])
    assert len(walled.store.forms) > asked + 1


def test_a_path_does_not_lead_through_hidden_facts(walled: Walled) -> None:
    seen = json.loads(walled.answer(*ASKED["a path"]))
    assert [len(path["relations"]) for path in seen["paths"]] == [2]
    hidden = json.loads(walled.answer(*ASKED["a path of hidden facts"]))
    assert [one["label"] for one in hidden["ends"]] == ["Dusk", "Noon"]
    assert (hidden["paths"], hidden["complete"]) == ([], True)


def graphs_of(form: Mapping[str, Any]) -> dict[str, list[str]]:
    return {name: list(form.get(name, ())) for name in ("default-graph-uri", "named-graph-uri")}
