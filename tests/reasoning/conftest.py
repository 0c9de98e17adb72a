from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks import building, company
from benchmarks.rooms import opened
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.store_surroundings import StoreSurroundings
from nlq_gateway.core.types import Draft, Question
from nlq_gateway.drafts.reasoning import BottomUp
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.settings import SAMPLE, Settings

CINEMA = Path(__file__).parents[1] / "pipeline" / "fixtures" / "cinema.ttl"

GatewayOf = Callable[[str], Pipeline]
DraftOf = Callable[[str], tuple[Draft, ...]]


@pytest.fixture(scope="session")
def gateway() -> Iterator[Pipeline]:
    """A small graph with names that are hard to read, ready."""
    with opened((CINEMA,)) as gateway:
        yield gateway


@pytest.fixture(scope="session")
def strategy(gateway: Pipeline) -> BottomUp:
    endpoint = gateway.endpoint(None)
    return BottomUp(endpoint.index, StoreSurroundings(endpoint.connector, endpoint.index, endpoint.layout))


@pytest.fixture(scope="session")
def drafts(strategy: BottomUp) -> DraftOf:
    """Drafts for a question."""

    def drafts(text: str) -> tuple[Draft, ...]:
        links = Linker(strategy.index).link(Question(text))
        return strategy.draft(QuestionReading.of(links, strategy.index))

    return drafts


@pytest.fixture(scope="session")
def gateway_of(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GatewayOf]:
    """The built-in graph, a building or a company, by its name."""
    folder = tmp_path_factory.mktemp("graphs")
    files = {
        "sample": SAMPLE,
        "building": str(building.write(folder / "building.ttl")),
        "company": str(company.write(folder / "company.ttl")),
    }
    opened: dict[str, Pipeline] = {}

    def gateway(graph: str) -> Pipeline:
        if graph not in opened:
            opened[graph] = Pipeline(Settings.for_data((files[graph],)))
            opened[graph].endpoint(None).prepare()
        return opened[graph]

    yield gateway
    for one in opened.values():
        one.close()
