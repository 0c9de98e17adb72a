"""Paths between two things are the shortest on each store, in each layout that it can hold."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.stores import Server
from nlq_gateway.answering import Pipeline
from nlq_gateway.settings import EndpointSettings, Settings
from tests import chains
from tests.compiler.shapes import SHAPES
from tests.stores.facts import FACTS
from tests.stores.loading import holding


@pytest.mark.parametrize("name", SHAPES)
def test_paths_are_the_shortest(
    server: Server, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if name in FACTS[server.name].cannot:
        pytest.skip(FACTS[server.name].cannot[name].reason)
    monkeypatch.setenv("NLQ_CACHE", str(tmp_path))
    shape = SHAPES[name]
    graph = shape.prepare(chains.graph())
    with closing(holding(server, shape.write(graph))) as holder:
        settings = {
            "id": "chains",
            "url": server.query,
            "auth": server.settings,
            "dialect": server.dialect,
            "layout": shape.layout,
            "default_graphs": holder._dataset.default_graphs,
            "named_graphs": holder._dataset.named_graphs,
        }
    endpoint = EndpointSettings.model_validate(settings)
    with closing(Pipeline(Settings(endpoints=(endpoint,)))) as gateway:
        gateway.endpoint(None).prepare()
        seen = gateway.endpoint(None).snapshot()
        chains.require_shortest(seen, graph, shape.iris(graph), chains.STARTS[:1])
