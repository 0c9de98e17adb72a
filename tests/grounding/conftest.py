from __future__ import annotations

from collections.abc import Iterator

import pytest

from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.settings import SAMPLE, Settings


@pytest.fixture(scope="session")
def gateway() -> Iterator[Pipeline]:
    """The sample graph, ready."""
    gateway = Pipeline(Settings.for_data([SAMPLE]))
    gateway.endpoint(None).prepare()
    yield gateway
    gateway.close()


@pytest.fixture(scope="session")
def grounder(gateway: Pipeline) -> Grounder:
    return Grounder(gateway.endpoint(None).index)
