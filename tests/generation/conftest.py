from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.store_surroundings import StoreSurroundings
from nlq_gateway.drafts.generation.context.facts import FactFinder
from nlq_gateway.drafts.generation.context.names import NameFinder
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.question.linking import Linker
from nlq_gateway.settings import SAMPLE, Settings
from tests.generation.asked import Asked

HOSTILE = Path(__file__).parent / "fixtures" / "hostile_names.ttl"


@pytest.fixture(scope="session")
def gateway() -> Iterator[Pipeline]:
    """The sample graph, and a small one whose names look like programs, quotes and code."""
    endpoints = (Settings.for_data([source]).endpoints[0] for source in (SAMPLE, str(HOSTILE)))
    gateway = Pipeline(Settings(endpoints=tuple(endpoints)))
    for endpoint in gateway.endpoints.values():
        endpoint.prepare()
    yield gateway
    gateway.close()


@pytest.fixture(scope="session")
def sample(gateway: Pipeline) -> Asked:
    return _asked(gateway.endpoint("sample"))


@pytest.fixture(scope="session")
def hostile(gateway: Pipeline) -> Asked:
    return _asked(gateway.endpoint("hostile_names"))


def _asked(endpoint: Endpoint) -> Asked:
    ready = endpoint.prepared
    around = StoreSurroundings(ready.connector, ready.index, ready.layout, ready.traits, ready.options)
    return Asked(Linker(ready.index), FactFinder(ready.index, around), NameFinder(ready.index, around))
