from __future__ import annotations

import gc
import os
import random
import signal
import socket
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Before numpy is loaded, as `nlq` does it: a question's matrices are small, and threads wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# What a shell starts in the background ignores it, and so would what tests start, and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes says more of the machine than of the code.
settings.register_profile(
    "project",
    parent=settings(),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    max_examples=int(os.environ.get("NLQ_EXAMPLES", "30")),
)
settings.load_profile("project")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens",
        action="store_true",
        help="rewrite the expected queries and prompts in tests/*/fixtures, docs/functions.md, "
        "docs/errors.md, the tables of docs/configuration.md and the configuration's JSON Schema",
    )
    parser.addoption("--shuffle", metavar="SEED", help="run files, and the tests of each, in a random order")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Any order will do: tests stay with their file, and pytest then puts those of one parameter together."""
    seed = config.getoption("--shuffle")
    if seed is not None:
        draw = random.Random(seed)
        files = {item.path: draw.random() for item in sorted(items, key=lambda item: str(item.path))}
        draw.shuffle(items)
        items.sort(key=lambda item: files[item.path])


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the collector of garbage from the many objects that live as long as the process."""
    gc.disable()
    found = yield
    gc.freeze()
    gc.enable()
    return found


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The cache folder of all tests, also of those in other processes, so that a graph is indexed once."""
    own = tmp_path_factory.getbasetemp()
    common = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLQ_CACHE", str(common / "cache"))
        patch.setenv("NLQ_DATA", str(own / "data"))
        yield common / "cache"


@pytest.fixture
def own_cache(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder for this test alone, in which the sample graph is indexed."""
    from benchmarks.rooms import opened

    monkeypatch.setenv("NLQ_CACHE", str(cache))
    with opened(("builtin:sample",)):
        pass
    here = tmp_path / "cache"
    sample = Path("endpoints", "sample")
    (here / sample).mkdir(parents=True)
    for part in ("data", "index"):
        (here / sample / part).symlink_to(cache / sample / part)
    monkeypatch.setenv("NLQ_CACHE", str(here))
    return here


@pytest.fixture(scope="session")
def closed_port() -> Iterator[int]:
    """A port that refuses connections: it is bound, and nobody listens."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]
