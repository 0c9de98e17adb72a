"""The building in an embedded store, and a gateway over it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.building import write
from nlq_gateway.answering import Pipeline
from nlq_gateway.settings import Settings


@pytest.fixture(scope="session")
def building(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("building") / "building.ttl")


@pytest.fixture(scope="module")
def gateway(building: Path) -> Iterator[Pipeline]:
    with closing(Pipeline(Settings.for_data((str(building),)))) as gateway:
        gateway.endpoint(None).prepare()
        yield gateway
