"""Every store gives the same index of a graph, and the same answers, in each layout that it can hold."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.stores import Server, triples_of_store
from compilers.compile import compile_program
from compilers.dialects import DIALECTS
from compilers.kopl.notations import read_program
from compilers.layouts import Options
from compilers.read_answers import read_answer
from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.answering.store_surroundings import StoreSurroundings
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index import Index, build, detect_layout
from nlq_gateway.index.traits import find_traits
from tests.compiler.shapes import SHAPES
from tests.oracle.graph import graph_from_kopl_json
from tests.oracle.interpret import interpret

TINY = Path(__file__).parents[1] / "kopl" / "fixtures" / "tiny.json"
# A connector of these tests sees one graph of the server, so that a graph per fact is out of its sight.
NAMES = tuple(name for name, shape in SHAPES.items() if shape.layout != "graph_per_fact")
UNKNOWN = {"virtuoso": ("rdf12", "rdf_star")}
PROGRAMS = (
    "FindAll()->FilterConcept(person)->Count()",
    "Find(Alex Kim)->Relate(directed by, backward)->FilterConcept(film)->What()",
    "Find(Dusk)->Relate(directed by, forward)->QFilterStr(award, Gold)->What()",
    "Find(Riverton)->QueryAttr(population)->VerifyNum(1100, <)",
)


def in_order(index: Index) -> list[SchemaItem]:
    """The schema with its examples sorted: no store owes their order."""
    return [replace(item, examples=tuple(sorted(item.examples))) for item in index.schema]


@pytest.mark.parametrize("name", NAMES)
def test_an_index_of_each_layout(server: Server, name: str, tmp_path: Path) -> None:
    shape = SHAPES[name]
    if shape.layout in UNKNOWN.get(server.name, ()):
        pytest.skip(f"{server.name} has no triple terms")
    graph = shape.prepare(graph_from_kopl_json(json.loads(TINY.read_text(encoding="utf-8"))))
    store = shape.write(graph)
    connector = server.holding(triples_of_store(store))
    assert detect_layout(connector).layout == ("rdf12" if name == "rdf_star" else shape.layout)
    here = EmbeddedOxigraph(lambda: store, address="memory")
    indexes = []
    for number, one in enumerate((connector, here)):
        build(one, shape.layout, tmp_path / str(number))
        indexes.append(Index.open(tmp_path / str(number), None))
    there, expected = indexes
    assert in_order(there) == in_order(expected)
    assert there.manifest.counts == expected.manifest.counts
    assert there.manifest.sampled == {}
    traits = find_traits(connector, shape.layout)
    assert traits == find_traits(here, shape.layout)
    film = shape.iris(graph)("F2")
    around, expected_around = (
        StoreSurroundings(one, expected, shape.layout, traits).around(film) for one in (connector, here)
    )
    assert around == expected_around
    options = Options(
        dialect=DIALECTS[server.dialect],
        plain_labels=shape.options.plain_labels,
        plain_triples=traits.plain_triples,
        membership=traits.membership,
        hierarchy=traits.hierarchy,
    )
    for text in PROGRAMS:
        program = read_program(text)
        if shape.layout == "direct" and "QFilter" in text:
            continue
        query = compile_program(Grounder(there).ground(program).grounded, shape.layout, options)
        result = connector.query(query.text)
        answer = read_answer(query, result.columns, result.rows)
        assert sorted(answer.strings) == sorted(interpret(program, graph).answers)
