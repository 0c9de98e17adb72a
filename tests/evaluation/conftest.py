from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.rooms import opened
from nlq_gateway.answering import Pipeline


@pytest.fixture(scope="session")
def gateway() -> Iterator[Pipeline]:
    """The sample graph, ready."""
    with opened(("builtin:sample",)) as gateway:
        yield gateway
