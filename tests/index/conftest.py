from __future__ import annotations

from pathlib import Path

import pytest

from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.index import BuildOptions, Index, MiniLM, build

FIXTURES = Path(__file__).parent / "fixtures"
DATA = Path(__file__).parents[3] / "shared" / "data"


@pytest.fixture(scope="session")
def embedder() -> MiniLM:
    return MiniLM()


@pytest.fixture(scope="session")
def shop_store() -> EmbeddedOxigraph:
    return EmbeddedOxigraph.in_memory([FIXTURES / "shop.ttl"])


@pytest.fixture(scope="session")
def shop_folder(
    shop_store: EmbeddedOxigraph, embedder: MiniLM, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    build(
        shop_store,
        "direct",
        folder,
        BuildOptions(embedder=embedder, endpoint="shop", prefixes=shop_store.prefixes),
    )
    return folder


@pytest.fixture(scope="session")
def shop(shop_folder: Path, embedder: MiniLM) -> Index:
    return Index.open(shop_folder, embedder)


@pytest.fixture(scope="session")
def facts_store() -> EmbeddedOxigraph:
    return EmbeddedOxigraph.in_memory([FIXTURES / "facts.ttl"])


@pytest.fixture(scope="session")
def facts(facts_store: EmbeddedOxigraph, tmp_path_factory: pytest.TempPathFactory) -> Index:
    """An index of a small graph in the kqapro layout, without vectors."""
    folder = tmp_path_factory.mktemp("facts")
    build(facts_store, "kqapro", folder)
    return Index.open(folder, None)


@pytest.fixture(scope="session")
def data() -> Path:
    if not DATA.is_dir():
        pytest.skip(f"the benchmark data folder {DATA} is missing")
    return DATA
