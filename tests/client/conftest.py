from __future__ import annotations

from collections.abc import Iterator

import pytest

from nlq_gateway import Gateway


@pytest.fixture(scope="session")
def gateway() -> Iterator[Gateway]:
    """The sample graph in this process."""
    with Gateway.open() as opened:
        yield opened
