from __future__ import annotations

from pathlib import Path

import pytest

from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.index import Index, build

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.fixture(scope="session")
def films_store() -> EmbeddedOxigraph:
    return EmbeddedOxigraph.in_memory([FIXTURES / "films.ttl"])


@pytest.fixture(scope="session")
def films(films_store: EmbeddedOxigraph, tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("films")
    build(films_store, "direct", folder, prefixes=films_store.prefixes)
    return Index.open(folder, None)
