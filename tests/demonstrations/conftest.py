from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.answering import Pipeline
from nlq_gateway.core.types import Demonstration
from nlq_gateway.drafts.demonstrations import write_demonstrations
from nlq_gateway.index import BuildOptions, Index, build
from nlq_gateway.settings import SAMPLE, Settings

Open = Callable[..., Pipeline]

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.fixture(scope="session")
def films_store() -> EmbeddedOxigraph:
    return EmbeddedOxigraph.in_memory([FIXTURES / "films.ttl"])


@pytest.fixture(scope="session")
def films(films_store: EmbeddedOxigraph, tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("films")
    build(films_store, "direct", folder, BuildOptions(prefixes=films_store.prefixes))
    return Index.open(folder, None)


@pytest.fixture(scope="session")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    """The sample graph with the demonstrations given."""
    gateways: list[Pipeline] = []

    def open_(*demonstrations: Demonstration) -> Pipeline:
        file = tmp_path_factory.mktemp("pool") / "examples.jsonl"
        write_demonstrations(file, demonstrations)
        gateway = Pipeline(Settings.for_data([SAMPLE]).with_source(examples=str(file)))
        gateways.append(gateway)
        gateway.endpoint(None).prepare()
        return gateway

    yield open_
    for gateway in gateways:
        gateway.close()
