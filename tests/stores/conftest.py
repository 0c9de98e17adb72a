"""Each store that runs, and the graphs of the tests loaded into it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

import nlq_gateway
from benchmarks.stores import ENDPOINTS, Server, servers, triples_of_files
from connectors import EmbeddedOxigraph, EndpointError, HttpEndpoint
from nlq_gateway.index import Index, build
from tests.stores.questions import Question, read_questions

SAMPLE = Path(nlq_gateway.__file__).parent / "sample"
MINI = Path(__file__).parents[3] / "shared" / "data" / "kqapro" / "mini"

STORES = tuple(
    pytest.param(name, marks=(pytest.mark.stores, getattr(pytest.mark, marker)))
    for name, marker in (
        ("oxigraph", "oxigraph_server"),
        ("fuseki", "fuseki"),
        ("fuseki_memory", "fuseki"),
        ("virtuoso", "virtuoso"),
    )
)


@pytest.fixture(scope="session", params=STORES)
def server(request: pytest.FixtureRequest) -> Server:
    """A running store, or a skip that says which one is not up."""
    return running(request.param)


def running(name: str) -> Server:
    """The store of this name; skips the test where it is not up."""
    if not ENDPOINTS.exists():
        pytest.skip("no store is running (.stores/endpoints.json is absent): make stores")
    found = servers().get(name)
    if found is None:
        pytest.skip(f"{name} was not started: make stores")
    if error := _silence(found):
        pytest.skip(f"{name} is not up ({error}): make stores")
    return found


def _silence(server: Server) -> str:
    """Why a store answers nothing, empty where it answers."""
    try:
        server.endpoint("http://stores.example/none").query("ASK {}")
    except EndpointError as error:
        return error.message
    return ""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """End the run where a test fails and its store answers nothing any more: all others would fail slowly."""
    report = yield
    server = getattr(item, "funcargs", {}).get("server")
    if report.failed and isinstance(server, Server) and (error := _silence(server)):
        print(report.longreprtext)
        reason = f"{server.name} answers nothing any more ({error}): scripts/stores.sh revive"
        pytest.exit(reason, returncode=3)
    return report


@pytest.fixture(scope="session")
def sample_files() -> tuple[Path, ...]:
    return tuple(sorted(SAMPLE.glob("*.ttl")))


@pytest.fixture(scope="session")
def mini_files() -> tuple[Path, ...]:
    if not MINI.is_dir():
        pytest.skip("needs the benchmark data: kqapro/mini")
    return (MINI / "kb.ttl.gz",)


@pytest.fixture(scope="session")
def sample(server: Server, sample_files: tuple[Path, ...]) -> HttpEndpoint:
    """The built-in sample graph in the store."""
    return server.holding(triples_of_files(sample_files))


@pytest.fixture(scope="session")
def mini(server: Server, mini_files: tuple[Path, ...]) -> HttpEndpoint:
    """The benchmark's small graph in the store."""
    return server.holding(triples_of_files(mini_files))


@pytest.fixture(scope="session")
def index_of(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Any], Index]]:
    """Builds the index of a graph in the kqapro layout, without vectors, from any connector."""
    opened: list[Index] = []

    def made(connector: Any) -> Index:
        folder = tmp_path_factory.mktemp("index")
        build(connector, "kqapro", folder)
        opened.append(Index.open(folder, None))
        return opened[-1]

    yield made
    for index in opened:
        index.close()


@pytest.fixture(scope="session")
def sample_index(sample_files: tuple[Path, ...], index_of: Callable[[Any], Index]) -> Index:
    """The sample graph's index, built from the embedded store."""
    return index_of(EmbeddedOxigraph.in_memory(sample_files))


@pytest.fixture(scope="session")
def mini_index(mini_files: tuple[Path, ...], index_of: Callable[[Any], Index]) -> Index:
    """The benchmark graph's index, built from the embedded store."""
    return index_of(EmbeddedOxigraph.in_memory(mini_files))


@pytest.fixture(scope="session")
def sample_questions(sample_index: Index) -> tuple[Question, ...]:
    return read_questions(SAMPLE / "questions.jsonl", "answers", sample_index)


@pytest.fixture(scope="session")
def mini_questions(mini_index: Index) -> tuple[Question, ...]:
    return read_questions(MINI / "programs.jsonl.gz", "expected", mini_index)
