from __future__ import annotations

from collections.abc import Iterator

import pytest

from nlq_gateway.answering import Gateway
from nlq_gateway.settings import Settings


@pytest.fixture(scope="session")
def gateway() -> Iterator[Gateway]:
    """The sample graph, ready."""
    gateway = Gateway(Settings.for_data(["builtin:sample"]))
    gateway.endpoint(None).prepare()
    yield gateway
    gateway.close()
