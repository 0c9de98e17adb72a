"""Stores for the tests: Oxigraph embedded and as a server, and an HTTP server that breaks as told."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from faulty_server import FaultyServer, Handler

from connectors import EmbeddedOxigraph, HttpEndpoint, Limits
from tests.oxigraph_store import Store

FIXTURES = Path(__file__).parent / "fixtures"
SERVER_TIMEOUT_S = 1


@pytest.fixture(scope="session")
def films() -> EmbeddedOxigraph:
    return EmbeddedOxigraph.in_memory([FIXTURES / "films.ttl", FIXTURES / "graphs.trig"])


@pytest.fixture
def large(tmp_path: Path) -> EmbeddedOxigraph:
    """3000 statements: their cross product keeps a store busy for many seconds."""
    return EmbeddedOxigraph.in_memory([write_large(tmp_path)])


def write_large(folder: Path) -> Path:
    file = folder / "large.nt"
    file.write_text("".join(f'<http://e.example/{i}> <http://e.example/p> "{i}" .\n' for i in range(3000)))
    return file


@pytest.fixture(scope="session")
def slow() -> str:
    """A query without an answer for many seconds on `large` or the server."""
    return "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f FILTER(CONCAT(STR(?a), STR(?f)) = 'x') }"


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of the test files."""
    return FIXTURES


@pytest.fixture(scope="session")
def oxigraph_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The query service of a real Oxigraph server with `films.ttl` and 3000 other statements."""
    folder = tmp_path_factory.mktemp("server")
    files = [FIXTURES / "films.ttl", write_large(folder)]
    store = Store(folder / "store", files, "--timeout-s", str(SERVER_TIMEOUT_S), "--union-default-graph")
    store.start()
    yield store.url
    store.stop()


@pytest.fixture
def serve() -> Iterator[Callable[[Handler | bytes], FaultyServer]]:
    """Start a faulty server: with a handler, or with the bytes that answer every request."""
    servers: list[FaultyServer] = []

    def start(behaviour: Handler | bytes) -> FaultyServer:
        if isinstance(behaviour, bytes):
            response = behaviour

            def handler(connection: socket.socket, _request: bytes) -> None:
                connection.sendall(response)

            server = FaultyServer(handler)
        else:
            server = FaultyServer(behaviour)
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def connect() -> Iterator[Callable[..., HttpEndpoint]]:
    """Make an endpoint with short limits; closed after the test."""
    endpoints: list[HttpEndpoint] = []

    def make(url: str, limits: Limits | None = None, **options: object) -> HttpEndpoint:
        short = Limits(connect_ms=500, query_ms=1_000, max_rows=100, max_bytes=100_000)
        endpoints.append(HttpEndpoint(url, limits or short, **options))  # type: ignore[arg-type]
        return endpoints[-1]

    yield make
    for endpoint in endpoints:
        endpoint.close()
