"""Stores for the tests: Oxigraph embedded and as a server, and an HTTP server that breaks as told."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from faulty_server import FaultyServer, Handler

from connectors import EmbeddedOxigraph, HttpEndpoint, Limits, load_files

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
    program = Path(sys.executable).with_name("oxigraph")
    binary = str(program) if program.exists() else shutil.which("oxigraph")
    if binary is None:
        pytest.skip("the oxigraph server is not installed (extra 'test')")
    folder = tmp_path_factory.mktemp("server")
    load_files(folder / "store", [FIXTURES / "films.ttl", write_large(folder)])
    port = free_port()
    server = subprocess.Popen(
        [
            *(binary, "serve-read-only", "-l", str(folder / "store"), "-b", f"127.0.0.1:{port}"),
            *("--timeout-s", str(SERVER_TIMEOUT_S), "--union-default-graph"),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until_open(port)
        yield f"http://127.0.0.1:{port}/query"
    finally:
        server.terminate()
        server.wait(10)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until_open(port: int, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise TimeoutError(f"nothing listens on port {port}")


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
