from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.rooms import opened
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.settings import SAMPLE


@pytest.fixture(scope="session")
def gateway() -> Iterator[Pipeline]:
    """The sample graph, ready."""
    with opened((SAMPLE,)) as gateway:
        yield gateway


@pytest.fixture(scope="session")
def grounder(gateway: Pipeline) -> Grounder:
    return Grounder(gateway.endpoint(None).index)
