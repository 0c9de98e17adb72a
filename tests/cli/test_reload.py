"""`nlq serve` reads its configuration again on SIGHUP, and nobody who asks notices."""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import urllib3
from serving import QUESTION, SECONDS, ask, children, get, running
from urllib3.exceptions import HTTPError

from tests.clock import until
from tests.slow_store import GRAPH
from tests.warm import WarmServer

SAMPLE = "- {id: sample, data: ['builtin:sample']}\n"
ONE = f"endpoints:\n{SAMPLE}"
TWO = f"{ONE}- {{id: films, aliases: [cinema], data: [films.ttl]}}\n"


QUESTIONS = ("POST", "/nlq", QUESTION)
LISTS = ("GET", "/datasets", None)
Served = tuple[WarmServer, str]


@dataclass
class Client:
    """Asks without pause, or with one after each answer, on one connection or on a new one each time."""

    address: str
    request: tuple[str, str, object]
    keeps: bool
    pause: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)

    def ask_until(self, stopped: threading.Event) -> None:
        headers = {} if self.keeps else {"Connection": "close"}
        with urllib3.PoolManager(retries=False, timeout=SECONDS, headers=headers) as http:
            while not stopped.wait(self.pause):
                method, path, body = self.request
                try:
                    status = http.request(method, f"{self.address}{path}", json=body).status
                    self.outcomes[str(status)] += 1
                except HTTPError as error:
                    self.outcomes[repr(error)] += 1


@contextmanager
def asking(*clients: Client) -> Iterator[None]:
    stopped = threading.Event()
    threads = [threading.Thread(target=client.ask_until, args=(stopped,)) for client in clients]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stopped.set()
        for thread in threads:
            thread.join()


def all_hear(clients: list[Client]) -> None:
    """Wait until each client has one more outcome than now."""
    before = {id(client): client.outcomes.total() for client in clients}
    until(lambda: all(client.outcomes.total() > before[id(client)] for client in clients))


def datasets(address: str) -> set[str]:
    with urllib3.PoolManager(retries=False, timeout=SECONDS) as http:
        return {one["id"] for one in http.request("GET", f"{address}/datasets").json()["datasets"]}


def reloaded(server: WarmServer, address: str) -> None:
    """Have the server read its configuration again, and wait until it says that it has it."""
    server.send_signal(signal.SIGHUP)
    assert server.stdout.readline() == f"nlq: reloaded, open {address}\n"


def line_with(server: WarmServer, words: str) -> str:
    """The next line on standard error that has these words."""
    given_up = threading.Timer(SECONDS, server.send_signal, (signal.SIGKILL,))
    given_up.start()
    try:
        return next(line for line in server.stderr if words in line)
    finally:
        given_up.cancel()


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a store that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/sparql"


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("configuration")
    (folder / "films.ttl").write_text(GRAPH, encoding="utf-8")
    file = folder / "nlq.yaml"
    file.write_text(ONE, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def served(environment: dict[str, str], config: Path) -> Iterator[Served]:
    """A server with one worker process, which each test leaves able to answer."""
    config.write_text(ONE, encoding="utf-8")
    with running(environment, "serve", "--config", str(config), "--workers", "1") as server:
        yield server


def test_no_request_is_lost_while_the_configuration_changes(
    environment: dict[str, str], config: Path
) -> None:
    with running(environment, "serve", "--config", str(config), "--workers", "2") as (server, address):
        clients = [
            Client(address, request, keeps, pause)
            for request, pause in ((QUESTIONS, 0), (LISTS, 0.005), (LISTS, 0.3))
            for keeps in (True, False)
        ]
        with asking(*clients):
            all_hear(clients)
            reloaded(server, address)
            assert datasets(address) == {"sample"}
            config.write_text(TWO.replace("aliases", "alias"), encoding="utf-8")
            server.send_signal(signal.SIGHUP)
            said = line_with(server, "not reloaded")
            assert f"{config}, line 3, endpoints[1].alias: unknown key" in said
            assert "did you mean aliases?" in said
            assert datasets(address) == {"sample"}
            config.write_text(TWO, encoding="utf-8")
            reloaded(server, address)
            until(lambda: datasets(address) == {"sample", "films"})
            all_hear(clients)
        assert [set(client.outcomes) for client in clients] == [{"200"}] * 6


def test_a_configuration_that_is_long_in_coming_can_be_taken_back(
    served: Served, config: Path, silent: str
) -> None:
    server, address = served
    old = children(server)
    config.write_text(f"endpoints: [{{id: sample, url: '{silent}'}}]", encoding="utf-8")
    server.send_signal(signal.SIGHUP)
    until(lambda: len(children(server)) == 2)
    assert ask(address)[0] == 200
    config.write_text(ONE, encoding="utf-8")
    reloaded(server, address)
    until(lambda: len(children(server)) == 1)
    assert children(server) != old
    assert ask(address)[0] == 200


def test_the_old_configuration_stays_where_a_new_worker_is_lost(
    served: Served, config: Path, silent: str
) -> None:
    server, address = served
    old = children(server)
    config.write_text(f"endpoints: [{{id: sample, url: '{silent}'}}]", encoding="utf-8")
    server.send_signal(signal.SIGHUP)
    until(lambda: len(children(server)) == 2)
    [new] = set(children(server)) - set(old)
    os.kill(int(new), signal.SIGKILL)
    assert "a worker process with the new one has ended" in line_with(server, "not reloaded")
    until(lambda: children(server) == old)
    assert ask(address)[0] == 200
    config.write_text(ONE, encoding="utf-8")


def test_a_request_that_was_begun_before_is_answered(served: Served) -> None:
    server, address = served
    [old] = children(server)
    host, _, port = address.removeprefix("http://").partition(":")
    body = json.dumps(QUESTION).encode()
    fields = ("POST /nlq HTTP/1.1", f"Host: {host}", "Content-Type: application/json")
    head = "\r\n".join((*fields, f"Content-Length: {len(body)}", "", ""))
    with socket.create_connection((host, int(port)), timeout=SECONDS) as connection:
        connection.sendall(head.encode() + body[:9])
        reloaded(server, address)
        assert old in children(server)
        connection.sendall(body[9:])
        assert connection.recv(100).startswith(b"HTTP/1.1 200 OK")
    until(lambda: old not in children(server))


def test_what_is_new_is_not_waited_for_and_readiness_tells_of_it(
    served: Served, config: Path, silent: str
) -> None:
    server, address = served
    until(lambda: get(f"{address}/readyz")[0] == 200)
    config.write_text(f"{ONE}- {{id: late, url: '{silent}'}}\n", encoding="utf-8")
    for worker in children(server):
        os.kill(int(worker), signal.SIGHUP)
    reloaded(server, address)
    until(lambda: "late is loading" in get(f"{address}/readyz")[1].get("detail", ""))
    assert ask(address)[0] == 200


def test_traces_that_cannot_be_kept_there_change_nothing(served: Served, config: Path) -> None:
    server, address = served
    old = children(server)
    config.write_text(f"{ONE}server: {{trace_store: 'sqlite:////proc/traces.sqlite'}}\n", encoding="utf-8")
    server.send_signal(signal.SIGHUP)
    assert "/proc/traces.sqlite" in line_with(server, "not reloaded")
    assert (children(server), ask(address)[0]) == (old, 200)
