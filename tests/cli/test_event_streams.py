"""Event streams of a real server: they end with their connection, and nothing of them stays."""

from __future__ import annotations

import json
import operator
import shutil
import signal
import socket
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from model_servers import QUESTION as UNSURE
from model_servers import manners
from protocol_server import ProtocolServer, Trouble
from serving import HTTP, ask, children, running

from nlq_gateway.edges.server.threads import SPARE
from tests.clock import PROMPT_S, until
from tests.fault_proxy import STALL_SECONDS, FaultProxy, before_sample
from tests.warm import WarmServer

pytestmark = pytest.mark.oxigraph_server

# Room for all that are there at once: none is told to come again.
LIMITS = {"concurrency": 64, "queue": 64}
THREADS = sum(LIMITS.values()) + SPARE
PROGRAM = {"program": "Find(Pulp Fiction)->Relate(directed by, forward)->What()"}
QUESTION = "Who directed Pulp Fiction?"
ABORTED = 200
AT_ONCE = 24
SECONDS = 20

Server = tuple[WarmServer, str]


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FaultProxy]:
    """In front of a real store with the sample graph; poisoned with "stall" it answers nothing."""
    with before_sample(tmp_path_factory.mktemp("store") / "data") as proxy:
        yield proxy


@pytest.fixture(scope="module")
def server(
    proxy: FaultProxy, environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    config = tmp_path_factory.mktemp("config") / "nlq.yaml"
    limits = {"query_ms": 60_000, "per_second": 10_000}
    endpoint = {"id": "slow", "url": proxy.url, "layout": "kqapro", "dialect": "oxigraph", "limits": limits}
    settings = {"endpoints": [endpoint], "server": {"limits": LIMITS}}
    config.write_text(json.dumps(settings), encoding="utf-8")
    with running(environment, "serve", "--config", str(config), "--workers", "1") as served:
        # The example questions are made beside what is asked, by queries of their own.
        until(lambda: HTTP.request("GET", f"{served[1]}/datasets").json()["datasets"][0].get("examples"), 60)
        yield served


def opened(address: str, target: str, body: bytes = b"", version: str = "1.1") -> socket.socket:
    """A connection over which a request for events was sent."""
    parts = urlsplit(address)
    assert parts.hostname is not None
    connection = socket.create_connection((parts.hostname, parts.port or 80), SECONDS)
    lines = [
        f"{'POST' if body else 'GET'} {target} HTTP/{version}",
        f"Host: {parts.netloc}",
        "Accept: text/event-stream",
        f"Content-Length: {len(body)}",
        "Content-Type: application/json",
    ]
    connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
    return connection


def read_until(connection: socket.socket, mark: bytes) -> bytes:
    received = b""
    while mark not in received:
        chunk = connection.recv(65536)
        if not chunk:
            break
        received += chunk
    return received


def aborted(address: str, kind: int) -> None:
    """One of three ways to leave: after some events, before the first, and without reading any."""
    if kind % 3 == 0:
        with opened(address, "/run", json.dumps(PROGRAM).encode()) as connection:
            assert b"event: sparql" in read_until(connection, b"event: sparql")
    else:
        with opened(address, f"/nlq?question={quote(QUESTION)}"):
            time.sleep(0.1 * (kind % 3 - 1))


def held(process: str) -> Sequence[int]:
    """The threads and the open files of a process."""
    return [len(list(Path(f"/proc/{process}/{what}").iterdir())) for what in ("task", "fd")]


def settled(process: str, bound: Sequence[int]) -> Sequence[int]:
    """The resources of a process once they are at most this, or after a while."""
    end = time.monotonic() + SECONDS
    while any(map(operator.gt, now := held(process), bound)) and time.monotonic() < end:
        time.sleep(0.1)
    return now


def test_aborted_streams_leave_nothing_behind(server: Server, proxy: FaultProxy) -> None:
    process, address = server
    (worker,) = children(process)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        proxy.poison("stall")
        list(pool.map(aborted, [address] * AT_ONCE, range(AT_ONCE)))
        time.sleep(2)
        before = held(worker)
        started = time.monotonic()
        list(pool.map(aborted, [address] * ABORTED, range(ABORTED)))
        proxy.poison("")
    answer = HTTP.request("POST", f"{address}/run", json=PROGRAM)
    assert (answer.status, answer.json()["answer"]["text"]) == (200, "Quentin Tarantino")
    # Each query had a minute: none was waited for.
    assert time.monotonic() - started < 60
    after = settled(worker, [most + THREADS for most in before])
    # Each of the server's threads, and of those that work for them, may have been idle before.
    assert after[0] <= before[0] + THREADS
    assert after[1] <= before[1] + THREADS


def test_the_request_to_the_store_is_closed_when_the_client_leaves(server: Server, proxy: FaultProxy) -> None:
    _, address = server
    proxy.poison("stall")
    try:
        connection = opened(address, "/run", json.dumps(PROGRAM).encode())
        read_until(connection, b"event: sparql")
        until(lambda: proxy.stalled)
        connection.close()
        # The query had a minute, and the proxy sleeps for some seconds.
        until(lambda: not proxy.stalled, STALL_SECONDS - 2)
    finally:
        proxy.poison("")
    counted = HTTP.request("GET", f"{address}/metrics").data.decode()
    assert 'code="cancelled",route="/run"' in counted


def test_events_arrive_while_the_store_is_busy(server: Server, proxy: FaultProxy) -> None:
    """Events are sent at once, while the rest is waited for."""
    _, address = server
    proxy.poison("stall")
    try:
        with opened(address, "/run", json.dumps(PROGRAM).encode()) as connection:
            received = read_until(connection, b"event: sparql").decode()
    finally:
        proxy.poison("")
    assert "Transfer-Encoding: chunked" in received
    assert "event: answer" not in received


def test_a_client_of_http_1_0_reads_to_the_end(server: Server) -> None:
    _, address = server
    with opened(address, f"/nlq?question={quote(QUESTION)}", version="1.0") as connection:
        head, _, body = read_until(connection, b"never").decode().partition("\r\n\r\n")
    assert "chunked" not in head
    assert body.startswith("id: 1\nevent: links\ndata: {")
    assert "\nevent: done\ndata: {" in body
    assert body.endswith("}\n\n")


def test_a_connection_serves_more_after_a_stream(server: Server) -> None:
    """The watch for a client that leaves takes nothing of its next request."""
    _, address = server
    target = f"/nlq?question={quote(QUESTION)}"
    with opened(address, target) as connection:
        assert b"event: done" in read_until(connection, b"\r\n0\r\n\r\n")
        connection.sendall(f"GET {target} HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n".encode())
        assert b"HTTP/1.1 200 OK" in read_until(connection, b"never")


def test_a_stream_that_is_left_ends_the_work_of_the_model(environment: dict[str, str]) -> None:
    model = ProtocolServer(manners())
    source = ("--data", "builtin:sample", "--model", model.url, "--workers", "1")
    body = json.dumps({"question": UNSURE, "strategy": "steps"}).encode()
    try:
        with running(environment, "serve", *source) as (_, address):
            assert ask(address, question=UNSURE, strategy="code")[0] == 200
            model.always = Trouble(wait=60)
            asked = len(model.requests)
            with opened(address, "/nlq", body) as connection:
                assert b"event: links" in read_until(connection, b"event: links")
                until(lambda: len(model.requests) > asked)
                assert not model.left.wait(0.5)
            assert model.left.wait(PROMPT_S)
    finally:
        model.close()


# What a page does that never closes its EventSource: it is led to the end by the 204.
EVENT_SOURCE = """
() => new Promise((done) => {
  const told = [];
  const events = new EventSource("/nlq?question=How+long+is+the+Danube%3F");
  for (const name of ["links", "program", "grounding", "sparql", "step", "answer", "done"]) {
    events.addEventListener(name, (event) => told.push(Number(event.lastEventId)));
  }
  events.onerror = () => events.readyState === EventSource.CLOSED && done(told);
})
"""


@pytest.mark.browser
def test_a_browsers_event_source_gets_each_event_once(server: Server) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not on the PATH")
    _, address = server
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto(f"{address}/")
        assert page.evaluate(EVENT_SOURCE) == list(range(1, 9))
        browser.close()


def test_a_stream_is_finished_by_a_server_that_stops(environment: dict[str, str]) -> None:
    with running(environment, "serve", "--data", "builtin:sample", "--workers", "1") as (process, address):
        with opened(address, f"/nlq?question={quote(QUESTION)}") as connection:
            received = read_until(connection, b"\r\n\r\n")
            process.send_signal(signal.SIGTERM)
            received += read_until(connection, b"event: done")
        assert b"event: done" in received
    assert process.returncode == 0
