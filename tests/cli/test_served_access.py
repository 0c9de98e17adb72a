"""Access at a real server: over all its workers, over a reload, and against clients that send slowly."""

from __future__ import annotations

import signal
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import urllib3
from serving import SECONDS, ask, get, running

from tests.clock import until
from tests.warm import WarmServer

Written = Callable[[str, object], str]
SAMPLE = "endpoints: [{id: sample, data: ['builtin:sample']}]\n"
CLOSED = SAMPLE + (
    "server: {auth: {type: header, header: X-API-Key, "
    "clients: [{name: team, token: '${file:KEY_FILE}'}]}, rate: 40/hour and client}\n"
)
HOSTILE = (
    b"X_API_Key: first-k3y",
    b"X-API-Key : first-k3y",
    b" X-API-Key: first-k3y",
    b"X-API-Key: x\r\nX-API-Key: first-k3y",
    b"X-API-Key: first-k3y\x00",
    b"X-Forwarded-For: 127.0.0.1\r\nForwarded: for=127.0.0.1\r\nX-Original-URL: /healthz",
    b"X-API-Key: " + b"x" * 8_000,
)
QUESTION = b'{"question": "Who directed Pulp Fiction?"}'


def statuses(address: str, key: str, times: int) -> Counter[int]:
    """Requests come on connections of their own, which all workers take."""

    def one(_: int) -> int:
        with urllib3.PoolManager(retries=False, timeout=SECONDS) as http:
            headers = {"X-API-Key": key, "Connection": "close"}
            return http.request("GET", f"{address}/datasets", headers=headers).status

    with ThreadPoolExecutor(8) as pool:
        return Counter(pool.map(one, range(times)))


def test_rates_and_keys_of_all_workers_and_over_a_reload(
    environment: dict[str, str], written: Written, tmp_path: Path
) -> None:
    key = tmp_path / "key"
    key.write_text("first-k3y\n", encoding="utf-8")
    config = written("nlq.yaml", CLOSED.replace("KEY_FILE", str(key)))
    with running(environment, "serve", "--config", config, "--workers", "2") as (server, address):
        until(lambda: get(f"{address}/readyz")[0] == 200)
        assert ask(address)[0] == 401
        for header in HOSTILE:
            assert get_with(address, header) in ("400", "401"), header
        assert statuses(address, "first-k3y", 30) == {200: 30}
        key.write_text("second-k3y\n", encoding="utf-8")
        reload(server, address)
        assert statuses(address, "second-k3y", 60) == {200: 10, 429: 50}
        assert set(statuses(address, "first-k3y", 4)) == {401}
        server.send_signal(signal.SIGTERM)
        output, errors = server.communicate(timeout=SECONDS)
    assert "k3y" not in output + errors


def get_with(address: str, header: bytes) -> str:
    """The status of a request with this line among its headers."""
    connection = connected(address)
    connection.sendall(
        b"GET /datasets HTTP/1.1\r\nHost: [::1]\r\n" + header + b"\r\nConnection: close\r\n\r\n"
    )
    return status_of(connection)


def reload(server: WarmServer, address: str) -> None:
    server.send_signal(signal.SIGHUP)
    assert server.stdout.readline() == f"nlq: reloaded, open {address}\n"
    # Those that it has replaced may still take a connection that came before.
    time.sleep(1)


@pytest.fixture(scope="module")
def impatient(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that gives a request two seconds to arrive, and has few threads."""
    limits = "{concurrency: 2, queue: 2, wait_ms: 5000, receive_ms: 2000}"
    config = tmp_path_factory.mktemp("impatient") / "nlq.yaml"
    config.write_text(f"{SAMPLE}server: {{limits: {limits}}}\n", encoding="utf-8")
    with running(environment, "serve", "--config", str(config), "--workers", "1") as (_, address):
        yield address


def connected(address: str) -> socket.socket:
    parts = urlsplit(address)
    return socket.create_connection((parts.hostname, parts.port), timeout=SECONDS)


def status_of(connection: socket.socket) -> str:
    """The status of the response, "" where the connection ends without one."""
    with closing(connection), connection.makefile("rb") as answer:
        return answer.readline().decode().removeprefix("HTTP/1.1 ")[:3]


HEAD = b"POST /nlq HTTP/1.1\r\nHost: [::1]\r\nContent-Type: application/json\r\n"
BEGINNINGS = {
    "nothing": b"",
    "half a header": b"POST /nlq HTTP/1.1\r\nHost: [::1]\r\nX-",
    "half a body": HEAD + b"Content-Length: 500\r\n\r\n{",
    "half a chunk": HEAD + b"Transfer-Encoding: chunked\r\n\r\n40\r\n{",
}


@pytest.mark.parametrize("begun", BEGINNINGS)
def test_clients_that_send_slowly_keep_nobody_waiting(impatient: str, begun: str) -> None:
    """More of them than there are threads."""
    with ExitStack() as stack:
        slow = [stack.enter_context(connected(impatient)) for _ in range(60)]
        for connection in slow:
            connection.sendall(BEGINNINGS[begun])
        begin = time.monotonic()
        assert ask(impatient)[0] == 200
        assert time.monotonic() - begin < 15
        assert {status_of(connection) for connection in slow} <= {"", "400", "408"}
        assert time.monotonic() - begin < 30
    assert get(f"{impatient}/healthz")[0] == 200


def test_a_client_that_sends_a_byte_now_and_then_is_left(impatient: str) -> None:
    connection = connected(impatient)
    connection.sendall(HEAD + b"Content-Length: 500\r\n\r\n")
    begin = time.monotonic()
    try:
        while time.monotonic() - begin < SECONDS:
            connection.sendall(b" ")
            time.sleep(0.2)
    except OSError:
        pass
    assert time.monotonic() - begin < 10
    connection.close()


def chunked(body: bytes, size: int = 16_384) -> bytes:
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def test_bodies_in_chunks_have_the_same_limit(impatient: str) -> None:
    head = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
    whole = connected(impatient)
    whole.sendall(head + chunked(QUESTION, 7))
    assert status_of(whole) == "200"
    large = connected(impatient)
    large.sendall(head + chunked(b" " * 300_000))
    assert status_of(large) == "413"


def test_a_body_cannot_be_told_apart_from_the_next_request_by_two_lengths(impatient: str) -> None:
    """RFC 9112, 6.3: what proxies and servers could read differently is refused."""
    both = connected(impatient)
    both.sendall(HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(QUESTION))
    assert status_of(both) == "400"
