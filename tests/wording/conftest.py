from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from nlq_gateway.answering import Pipeline
from nlq_gateway.language.wording import Wording
from nlq_gateway.settings import SAMPLE, Settings

CLINIC, CHOIR = (Path(__file__).parent / "fixtures" / f"{name}.ttl" for name in ("clinic", "choir"))


@pytest.fixture(scope="session")
def wordings() -> Iterator[Mapping[str, Wording]]:
    """The wordings of the sample graph, of one whose names are in its IRIs alone, and of one of people."""
    endpoints = [Settings.for_data([source]).endpoints[0] for source in (SAMPLE, CLINIC, CHOIR)]
    gateway = Pipeline(Settings(endpoints=tuple(endpoints)))
    for endpoint in gateway.endpoints.values():
        endpoint.prepare()
    yield {name: Wording(endpoint.index) for name, endpoint in gateway.endpoints.items()}
    gateway.close()


@pytest.fixture(scope="session")
def sample(wordings: Mapping[str, Wording]) -> Wording:
    return wordings["sample"]
