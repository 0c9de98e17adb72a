from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Before numpy is loaded, as `nlq` does it: a question's matrices are small, and threads wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# How long an example takes says more of the machine than of the code.
settings.register_profile(
    "project", parent=settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("project")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens",
        action="store_true",
        help="rewrite the expected queries and prompts in tests/*/fixtures, docs/functions.md, "
        "docs/errors.md, the tables of docs/configuration.md and the configuration's JSON Schema",
    )


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The cache folder, shared by all tests that want the sample graph, which is then indexed once."""
    folder = tmp_path_factory.getbasetemp() / "cache"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLQ_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="session")
def closed_port() -> Iterator[int]:
    """A port that refuses connections: it is bound, and nobody listens."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]
