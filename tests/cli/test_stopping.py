"""The end of a server: accepted requests are answered, within the time that the operator gives it."""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import urllib3
from serving import HTTP, QUESTION, SECONDS, ask, children, get, running
from slow_store import SlowStore

from tests.clock import promptly, until

Written = Callable[[str, object], str]
REFUSED = "refused"
# What a busy machine tells clients that it let wait for a turn, or for the store.
LATE = {"429", "504"}
WORKING, WAITING = 16, 4


@pytest.fixture
def store() -> Iterator[SlowStore]:
    slow = SlowStore()
    yield slow
    slow.close()


class Crowd:
    """Clients that ask on connections of their own, one after the other, until the server is gone."""

    def __init__(self, address: str, clients: int) -> None:
        self.address = address
        self.outcomes: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._threads = [threading.Thread(target=self._ask) for _ in range(clients)]

    def _ask(self) -> None:
        host, _, port = self.address.removeprefix("http://").partition(":")
        body = json.dumps(QUESTION).encode()
        fields = ("POST /nlq HTTP/1.1", "Host: [::1]", "Connection: close", "Content-Type: application/json")
        head = "\r\n".join((*fields, f"Content-Length: {len(body)}", "", ""))
        while not self._stopped.is_set():
            outcome = self._outcome(host, int(port), head.encode() + body)
            with self._lock:
                self.outcomes[outcome] += 1
            if outcome == REFUSED:
                return

    def _outcome(self, host: str, port: int, request: bytes) -> str:
        try:
            connection = socket.create_connection((host, port), timeout=SECONDS)
        except ConnectionRefusedError:
            return REFUSED
        with connection:
            try:
                connection.sendall(request)
                with connection.makefile("rb") as answer:
                    whole = answer.read()
            except OSError as error:
                return f"lost: {error!r}"
        return (
            whole[9:12].decode()
            if whole.endswith(b"\n") or whole.endswith(b"}")
            else f"lost: {whole[-40:]!r}"
        )

    @contextmanager
    def asking(self) -> Iterator[Crowd]:
        for thread in self._threads:
            thread.start()
        try:
            yield self
        finally:
            self._stopped.set()
            self.join()

    def join(self) -> None:
        for thread in self._threads:
            thread.join(SECONDS)
        assert not any(thread.is_alive() for thread in self._threads)


def test_whoever_was_let_in_is_answered_when_the_server_stops_under_load(environment: dict[str, str]) -> None:
    with running(environment, "serve", "--data", "builtin:sample", "--workers", "2") as (server, address):
        with Crowd(address, 40).asking() as crowd:
            until(lambda: crowd.outcomes["200"] > 20)
            server.send_signal(signal.SIGTERM)
            crowd.join()
        assert set(crowd.outcomes) - LATE == {"200", REFUSED}
        assert crowd.outcomes[REFUSED] == 40
        assert server.wait(SECONDS) == 0


def test_a_killed_worker_takes_only_its_own_requests_with_it(environment: dict[str, str]) -> None:
    with running(environment, "serve", "--data", "builtin:sample", "--workers", "2") as (server, address):
        with Crowd(address, 12).asking() as crowd:
            until(lambda: crowd.outcomes["200"] > 20)
            before = children(server)
            os.kill(int(before[0]), signal.SIGKILL)
            until(lambda: len(set(children(server)) - set(before)) == 1)
            answered = crowd.outcomes["200"]
            until(lambda: crowd.outcomes["200"] > answered + 20)
        lost = sum(count for outcome, count in crowd.outcomes.items() if outcome.startswith("lost"))
        assert lost <= 12
        assert {outcome for outcome in crowd.outcomes if not outcome.startswith("lost")} - LATE == {"200"}
        assert before[1] in children(server)


def test_a_worker_that_has_just_begun_ends_with_the_others(environment: dict[str, str]) -> None:
    """A signal comes but once, and a process that was forked a moment ago does not hear it."""
    with running(environment, "serve", "--data", "builtin:sample", "--workers", "2") as (server, _):
        os.kill(int(children(server)[0]), signal.SIGKILL)
        # About then there is another one.
        time.sleep(0.015)
        with promptly():
            server.send_signal(signal.SIGTERM)
            assert server.wait(SECONDS) == 0


def query(address: str, text: str, outcomes: list[tuple[int, str]]) -> threading.Thread:
    def send() -> None:
        with urllib3.PoolManager(retries=False, timeout=SECONDS) as http:
            response = http.request("GET", f"{address}/sparql", fields={"query": text})
            outcomes.append((response.status, response.data.decode()))

    thread = threading.Thread(target=send)
    thread.start()
    return thread


def slow_server(store: SlowStore, written: Written, **stop: float) -> str:
    limits = {"query_ms": 60_000, "concurrency": 100, "per_second": 1000}
    slow = {"id": store.name, "url": store.address, "dialect": "sparql11", "limits": limits}
    sample = {"id": "sample", "data": ["builtin:sample"]}
    server = {"stop": stop, "limits": {"concurrency": WORKING, "queue": WAITING, "wait_ms": 60_000}}
    return written("nlq.yaml", json.dumps({"endpoints": [sample, slow], "server": server}))


def filled(address: str, store: SlowStore, outcomes: list[tuple[int, str]]) -> list[threading.Thread]:
    """Queries to a server that is ready: it works on as many as it can, the others wait for their turn."""
    until(lambda: get(f"{address}/readyz")[0] == 200)
    text = "ASK { ?SLOW ?p ?o }"
    asking = [query(f"{address}/{store.name}", text, outcomes) for _ in range(WORKING + WAITING)]
    for number in range(WORKING):
        assert store.asked.acquire(timeout=SECONDS), number
    return asking


def test_what_runs_is_finished_and_readiness_ends_first(
    environment: dict[str, str], store: SlowStore, written: Written
) -> None:
    config = slow_server(store, written, announce=1.5, finish=20)
    outcomes: list[tuple[int, str]] = []
    with running(environment, "serve", "--config", config, "--workers", "1") as (server, address):
        until(lambda: get(f"{address}/readyz")[0] == 200)
        asking = query(f"{address}/{store.name}", "ASK { ?SLOW ?p ?o }", outcomes)
        assert store.asked.acquire(timeout=SECONDS)
        server.send_signal(signal.SIGTERM)
        until(lambda: get(f"{address}/readyz")[0] == 503)
        assert get(f"{address}/readyz")[1]["detail"] == "the server is stopping"
        assert ask(address)[0] == 200
        store.answers.set()
        asking.join(SECONDS)
        assert server.wait(SECONDS) == 0
    assert [status for status, _ in outcomes] == [200]


def test_what_takes_too_long_is_told_so(
    environment: dict[str, str], store: SlowStore, written: Written
) -> None:
    config = slow_server(store, written, finish=2)
    outcomes: list[tuple[int, str]] = []
    with running(environment, "serve", "--config", config, "--workers", "1") as (server, address):
        asking = filled(address, store, outcomes)
        with promptly():
            server.send_signal(signal.SIGTERM)
            for thread in asking:
                thread.join(SECONDS)
            assert server.wait(SECONDS) == 0
    assert {status for status, _ in outcomes} == {503}, outcomes
    assert all("the server is stopping" in text for _, text in outcomes)


def test_health_is_told_while_all_threads_are_busy(
    environment: dict[str, str], store: SlowStore, written: Written
) -> None:
    config = slow_server(store, written, finish=1)
    outcomes: list[tuple[int, str]] = []
    with running(environment, "serve", "--config", config, "--workers", "1") as (_, address):
        asking = filled(address, store, outcomes)
        with promptly():
            assert get(f"{address}/healthz") == (200, {"status": "ok"})
            assert get(f"{address}/readyz")[0] == 200
        load = {f"nlq_requests_in_flight {WORKING}.0", f"nlq_requests_waiting {WAITING}.0"}
        until(lambda: load <= metrics(address))
        store.answers.set()
        for thread in asking:
            thread.join(SECONDS)
    assert {status for status, _ in outcomes} == {200}


def test_a_store_that_goes_down_later_is_told_of(
    environment: dict[str, str], store: SlowStore, written: Written
) -> None:
    config = slow_server(store, written)
    with running(environment, "serve", "--config", config, "--workers", "1") as (_, address):
        until(lambda: statuses(address) == {"sample": "ready", store.name: "ready"})
        store.up = False
        until(lambda: statuses(address) == {"sample": "ready", store.name: "down"})
        # Of two one can be asked.
        code, told = get(f"{address}/readyz")
        assert code == 200
        (down,) = (one for one in told["endpoints"] if one["id"] == store.name)
        assert down["detail"]
        assert ask(address, dataset="sample")[0] == 200
        store.up = True
        until(lambda: statuses(address) == {"sample": "ready", store.name: "ready"})


def statuses(address: str) -> dict[str, str]:
    """The state of each endpoint in `/readyz`."""
    return {one["id"]: one["status"] for one in get(f"{address}/readyz")[1]["endpoints"]}


def metrics(address: str) -> set[str]:
    with urllib3.PoolManager(retries=False, timeout=SECONDS) as http:
        return set(http.request("GET", f"{address}/metrics").data.decode().split("\n"))


def test_all_that_is_written_is_json_where_it_shall_be(environment: dict[str, str], written: Written) -> None:
    endpoints = [{"id": "sample", "data": ["builtin:sample"]}]
    settings = {"endpoints": endpoints, "server": {"log": {"format": "json", "level": "info"}}}
    config = written("nlq.yaml", json.dumps(settings))
    with running(environment, "serve", "--config", config, "--workers", "2") as (server, address):
        os.kill(int(children(server)[0]), signal.SIGKILL)
        until(lambda: len(children(server)) == 2)
        HTTP.request("GET", f"{address}/nlq?key=geheim", headers={"X-Request-Id": "a\tb"})
        server.send_signal(signal.SIGTERM)
        _, errors = server.communicate(timeout=SECONDS)
    lines = [json.loads(line) for line in errors.splitlines()]
    assert {"gunicorn.error", "nlq_gateway.request"} <= {line["logger"] for line in lines}
    assert any("SIGKILL" in line["message"] for line in lines)
    assert "geheim" not in errors
