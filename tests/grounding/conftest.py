from __future__ import annotations

from collections.abc import Iterator

import pytest

from nlq_gateway.answering import Gateway
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.settings import SAMPLE, Settings


@pytest.fixture(scope="session")
def gateway() -> Iterator[Gateway]:
    """The sample graph, ready."""
    gateway = Gateway(Settings.for_data([SAMPLE]))
    gateway.endpoint(None).prepare()
    yield gateway
    gateway.close()


@pytest.fixture(scope="session")
def grounder(gateway: Gateway) -> Grounder:
    return Grounder(gateway.endpoint(None).index)
