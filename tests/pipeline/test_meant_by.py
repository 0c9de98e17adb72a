"""The things and classes that a name may mean: which are like it, and which are not, over three graphs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import nlq_gateway.sample
from benchmarks.building.graph import write as write_building
from benchmarks.company.graph import write as write_company
from compilers.layouts import Layout
from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.answering import meant_by
from nlq_gateway.index import Index, build

SAMPLE = sorted(Path(nlq_gateway.sample.__path__[0]).glob("*.ttl"))
ABSENT = (
    *("weather", "the weather", "football", "the internet", "bitcoin", "cooking", "politics", "elections"),
    *(
        "insurance",
        "whales",
        "my dog",
        "the meaning of life",
        "flights to Zorkmidia",
        "spaghetti",
        "the news",
    ),
)
MEANT = {
    "sample": {
        "the film": "film",
        "the Beatles": "The Beatles",
        "Tarantino": "Quentin Tarantino",
        "pulp fictoin": "Pulp Fiction",
        "volcanos": "volcano",
    },
    "building": {"the chillers": "Chiller", "supply air flow sensr": "supply air flow sensor"},
    "company": {"Tagus": "Tagus Point", "the Finance": "Finance", "Finnance": "Finance"},
}


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Index]]:
    folder = tmp_path_factory.mktemp("graphs")
    graphs: dict[str, tuple[Layout, list[Path]]] = {
        "sample": ("kqapro", SAMPLE),
        "building": ("direct", [write_building(folder / "building.ttl")]),
        "company": ("direct", [write_company(folder / "company.ttl")]),
    }
    with ExitStack() as opened:
        found = {}
        for name, (layout, files) in graphs.items():
            build(EmbeddedOxigraph.in_memory(files), layout, folder / name)
            found[name] = opened.enter_context(Index.open(folder / name, None))
        yield found


@pytest.mark.parametrize("graph", MEANT)
def test_a_word_like_no_name_means_nothing(indexes: dict[str, Index], graph: str) -> None:
    assert {name: meant_by(indexes[graph], name) for name in ABSENT} == dict.fromkeys(ABSENT, ())


@pytest.mark.parametrize(
    ("graph", "name", "meant"), [(graph, *pair) for graph, pairs in MEANT.items() for pair in pairs.items()]
)
def test_a_name_in_another_form_misspelt_or_in_part(
    indexes: dict[str, Index], graph: str, name: str, meant: str
) -> None:
    assert meant_by(indexes[graph], name)[0].label == meant
