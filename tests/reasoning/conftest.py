from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nlq_gateway.answering import Gateway
from nlq_gateway.answering.store_surroundings import StoreSurroundings
from nlq_gateway.core.types import Draft, Question
from nlq_gateway.drafts.reasoning import BottomUp
from nlq_gateway.question.linking import Linker
from nlq_gateway.settings import Settings

CINEMA = Path(__file__).parents[1] / "pipeline" / "fixtures" / "cinema.ttl"

DraftOf = Callable[[str], tuple[Draft, ...]]


@pytest.fixture(scope="session")
def gateway() -> Iterator[Gateway]:
    """A small graph with names that are hard to read, ready."""
    gateway = Gateway(Settings.for_data([CINEMA]))
    gateway.endpoint(None).prepare()
    yield gateway
    gateway.close()


@pytest.fixture(scope="session")
def strategy(gateway: Gateway) -> BottomUp:
    endpoint = gateway.endpoint(None)
    return BottomUp(endpoint.index, StoreSurroundings(endpoint.connector, endpoint.index, endpoint.layout))


@pytest.fixture(scope="session")
def drafts(strategy: BottomUp) -> DraftOf:
    """Drafts for a question."""
    return lambda text: strategy.draft(strategy.read(Linker(strategy.index).link(Question(text))))
