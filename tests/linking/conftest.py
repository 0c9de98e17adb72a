from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nlq_gateway.answering import Pipeline
from nlq_gateway.question.linking import Linker
from nlq_gateway.settings import SAMPLE, Settings

PLACES = Path(__file__).parent / "fixtures" / "places.ttl"
NAMESAKES = Path(__file__).parent / "fixtures" / "namesakes.ttl"
CINEMA = Path(__file__).parents[1] / "pipeline" / "fixtures" / "cinema.ttl"


@pytest.fixture(scope="session")
def gateway() -> Iterator[Pipeline]:
    """The sample graph, `cinema` with names hard to read, `places` in many languages, and `namesakes`."""
    sources = (SAMPLE, CINEMA, PLACES, NAMESAKES)
    gateway = Pipeline(Settings(endpoints=tuple(Settings.for_data([one]).endpoints[0] for one in sources)))
    for endpoint in gateway.endpoints.values():
        endpoint.prepare()
    yield gateway
    gateway.close()


@pytest.fixture(scope="session")
def sample(gateway: Pipeline) -> Linker:
    return Linker(gateway.endpoint("sample").index)


@pytest.fixture(scope="session")
def cinema(gateway: Pipeline) -> Linker:
    return Linker(gateway.endpoint("cinema").index)


@pytest.fixture(scope="session")
def places(gateway: Pipeline) -> Linker:
    return Linker(gateway.endpoint("places").index)
