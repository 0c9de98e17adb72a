"""Programs with pins, the index and look-ups read no other graphs of a store than the configured ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.stores import Server
from compilers.compile import CompiledQuery, compile_program
from compilers.dialects import DIALECTS
from compilers.kopl.notations import read_program
from connectors import HttpEndpoint
from nlq_gateway.answering.store_surroundings import StoreSurroundings
from nlq_gateway.index import Index, build, detect_layout
from nlq_gateway.index.traits import find_traits
from tests.compiler.shapes import SHAPES, Shape
from tests.oracle.graph import Graph, graph_from_kopl_json
from tests.stores.facts import FACTS
from tests.stores.loading import holding

TINY = Path(__file__).parents[1] / "kopl" / "fixtures" / "tiny.json"
SECRET = "hunter2"
PROGRAMS = (
    "Find(Dusk)->QueryAttr(password)",
    f"FindAll()->FilterStr(password, {SECRET})->What()",
    "Find(Alex Kim)->Relate(knows in secret, forward)->What()",
    "FindAll()->FilterConcept(film)->Count()",
)


def tiny(*, secret: bool) -> Graph:
    """The small graph, perhaps with what only some may see of its entities."""
    data: dict[str, Any] = json.loads(TINY.read_text(encoding="utf-8"))
    if secret:
        value = {"type": "string", "value": SECRET}
        film, person = data["entities"]["F2"], data["entities"]["P1"]
        film["attributes"].append({"key": "password", "value": value, "qualifiers": {}})
        known = {"relation": "knows in secret", "direction": "forward", "object": "P2", "qualifiers": {}}
        person["relations"].append(known)
        data["entities"]["F9"] = {**film, "name": "Secret film", "relations": []}
    return graph_from_kopl_json(data)


@pytest.fixture(params=list(SHAPES))
def shape(request: pytest.FixtureRequest, server: Server) -> Shape:
    if request.param in FACTS[server.name].cannot:
        pytest.skip(FACTS[server.name].cannot[request.param].reason)
    return SHAPES[request.param]


@pytest.fixture
def walled(server: Server, shape: Shape) -> Iterator[HttpEndpoint]:
    """A connector that sees the public graph, in a store that holds the secret one, too."""
    hidden, shown = (holding(server, written(shape, secret=secret)) for secret in (True, False))
    with closing(hidden), closing(shown):
        assert hidden.query(asked(server, shape, PROGRAMS[0]).text).rows
        yield shown


def written(shape: Shape, *, secret: bool) -> Any:
    return shape.write(shape.prepare(tiny(secret=secret)))


def asked(server: Server, shape: Shape, text: str) -> CompiledQuery:
    """A program as it is compiled for a client that knows all names and IRIs of the secret graph."""
    graph = shape.prepare(tiny(secret=True))
    options = replace(shape.options, dialect=DIALECTS[server.dialect])
    return compile_program(shape.bind(read_program(text), graph), shape.layout, options)


def test_no_program_reads_another_graph(server: Server, shape: Shape, walled: HttpEndpoint) -> None:
    *secret, counted = (walled.query(asked(server, shape, text).text) for text in PROGRAMS)
    assert [result.rows for result in secret] == [(), (), ()]
    ((number,),) = counted.rows
    assert number is not None
    assert float(number.value) == 3


def test_the_index_reads_no_other_graph(shape: Shape, walled: HttpEndpoint, tmp_path: Path) -> None:
    build(walled, shape.layout, tmp_path)
    with closing(Index.open(tmp_path, None)) as index:
        names = {item.label for item in index.schema}
        assert "budget" in names
        assert names.isdisjoint({"password", "knows in secret"})
        assert not index.entities_named("Secret film")
        assert SECRET.encode() not in b"".join(
            file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()
        )
        traits = find_traits(walled, shape.layout)
        film = shape.iris(tiny(secret=True))("F2")
        around = StoreSurroundings(walled, index, shape.layout, traits).around(film)
        assert "password" not in str(around)


@pytest.mark.parametrize("name", ["graph_per_fact", "graphs of a class"])
def test_the_default_graph_alone_shows_no_fact_of_a_graph_of_its_own(server: Server, name: str) -> None:
    shape = SHAPES[name]
    with closing(holding(server, written(shape, secret=True))) as seen:
        default = seen._dataset.default_graphs[0]
    with closing(server.endpoint(default)) as alone:
        assert alone.query("ASK { ?s ?p ?o }").boolean
        assert alone.query("SELECT * { GRAPH ?g { ?s ?p ?o } } LIMIT 1").rows == ()
        for text in PROGRAMS[:3]:
            assert alone.query(asked(server, shape, text).text).rows == ()
        assert detect_layout(alone).layout == "direct"
