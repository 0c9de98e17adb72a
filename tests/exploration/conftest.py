from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from library import lines_of, write_plain, write_statements, write_tiny

from nlq_gateway.answering import Pipeline
from nlq_gateway.offline.exploration import (
    Corpus,
    Exploration,
    ExplorationBudget,
    SchemaItems,
    here,
    schema_digest,
)
from nlq_gateway.settings import SAMPLE, Settings


@pytest.fixture(scope="session")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    """The sample graph, a small one in two layouts, and a tiny one, ready."""
    folder = tmp_path_factory.mktemp("library")
    files = {"plain": write_plain, "statements": write_statements, "tiny": write_tiny}
    sources = (SAMPLE, *(write(folder / f"{name}.ttl") for name, write in files.items()))
    gateway = Pipeline(
        Settings(endpoints=tuple(Settings.for_data([source]).endpoints[0] for source in sources))
    )
    for endpoint in gateway.endpoints.values():
        endpoint.prepare()
    yield gateway
    gateway.close()


@pytest.fixture
def explored(gateway: Pipeline) -> Callable[..., tuple[str, Exploration]]:
    """Explores an endpoint in this process: the reason to stop, and the exploration."""

    def run(file: Path, dataset: str = "plain", seed: int = 0, **budget: Any) -> tuple[str, Exploration]:
        endpoint = gateway.endpoint(dataset)
        schema = endpoint.index.schema
        corpus = Corpus(file, {"schema": schema_digest(schema), "seed": seed})
        with here(endpoint) as pool:
            exploration = Exploration(SchemaItems(schema), corpus, pool, seed, ExplorationBudget(**budget))
            return exploration.run(), exploration

    return run


@pytest.fixture(scope="session")
def corpora(gateway: Pipeline, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """A corpus of each graph."""
    folder = tmp_path_factory.mktemp("corpora")
    sizes = {"sample": 400, "plain": 160, "statements": 160}
    for name, programs in sizes.items():
        endpoint = gateway.endpoint(name)
        corpus = Corpus(folder / name, {})
        with here(endpoint) as pool:
            Exploration(
                SchemaItems(endpoint.index.schema), corpus, pool, 3, ExplorationBudget(programs)
            ).run()
    return {name: lines_of(folder / name) for name in sizes}
