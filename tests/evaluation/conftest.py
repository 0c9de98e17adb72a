from __future__ import annotations

from collections.abc import Iterator

import pytest

from nlq_gateway.answering import Pipeline
from nlq_gateway.settings import Settings


@pytest.fixture(scope="session")
def gateway() -> Iterator[Pipeline]:
    """The sample graph, ready."""
    gateway = Pipeline(Settings.for_data(["builtin:sample"]))
    gateway.endpoint(None).prepare()
    yield gateway
    gateway.close()
