"""Rates: exact over threads and processes, with a Retry-After that is true."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from tokens import BEARER, bearer

from nlq_gateway.core.errors import RateLimited
from nlq_gateway.edges.http.access import rates
from nlq_gateway.edges.http.access.rates import Limit, Rates, address_of, limits_of
from tests.warm import APART

Made = Callable[..., FlaskClient]
SECONDS = 60


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(rates, "time", clock)
    return clock


def wait_for(counted: Rates, client: str) -> float:
    with pytest.raises(RateLimited) as caught:
        counted.take(client)
    return caught.value.retry_after_s


def test_what_a_setting_says() -> None:
    assert limits_of("none") == ()
    assert limits_of("60/minute and client") == (Limit(60, 60, True),)
    assert limits_of("5 per 2 second; 1000/hour and client") == (Limit(5, 2, False), Limit(1000, 3600, True))


def test_a_window_moves(clock: Clock) -> None:
    counted = Rates(limits_of("3/minute and client"), None)
    left = []
    for _ in range(3):
        standing = counted.take("a")
        assert standing is not None
        left.append(standing.left)
        clock.now += 10
    assert left == [2, 1, 0]
    assert wait_for(counted, "a") == pytest.approx(30)
    assert counted.take("b") is not None
    clock.now += 29.9
    assert wait_for(counted, "a") == pytest.approx(0.1)
    clock.now += 0.11
    counted.take("a")
    assert wait_for(counted, "a") == pytest.approx(10, abs=0.1)
    counted.close()


def test_never_more_than_allowed_in_any_window(clock: Clock) -> None:
    counted, taken = Rates(limits_of("7/10 second"), None), []
    for step in range(400):
        clock.now += (step * 7 % 5) / 10
        try:
            counted.take("a")
            taken.append(clock.now)
        except RateLimited:
            pass
    assert len(taken) > 50
    for begin in taken:
        assert sum(begin <= at < begin + 10 for at in taken) <= 7
    counted.close()


def test_several_limits_hold_together(clock: Clock) -> None:
    counted = Rates(limits_of("2/second and client; 3/minute"), None)
    counted.take("a")
    counted.take("a")
    assert wait_for(counted, "a") == pytest.approx(1)
    counted.take("b")
    assert wait_for(counted, "b") == pytest.approx(60)
    assert wait_for(counted, "c") == pytest.approx(60)
    clock.now += 60
    counted.take("c")
    counted.close()


def test_nothing_is_kept_that_is_out_of_every_window(clock: Clock, tmp_path: Path) -> None:
    counted = Rates(limits_of("100/second and client"), tmp_path / "rates.sqlite")
    for number in range(500):
        counted.take(f"client {number}")
    clock.now += rates.PURGE_SECONDS + 1
    counted.take("another")
    counted.close()
    with sqlite3.connect(tmp_path / "rates.sqlite") as connection:
        assert connection.execute("SELECT count(*) FROM hits").fetchone() == (1,)
    connection.close()


def allowed(file: Path, start: Barrier, tries: int, done: Queue[int]) -> None:
    counted = Rates(limits_of("100/hour and client"), file)
    start.wait(SECONDS)

    def one(_: int) -> int:
        try:
            counted.take("a")
        except RateLimited:
            return 0
        return 1

    with ThreadPoolExecutor(8) as pool:
        done.put(sum(pool.map(one, range(tries))))
    counted.close()


def test_processes_and_threads_together_get_exactly_what_is_allowed(tmp_path: Path) -> None:
    start, done = APART.Barrier(3), APART.Queue()
    processes = [
        APART.Process(target=allowed, args=(tmp_path / "rates.sqlite", start, 80, done)) for _ in range(3)
    ]
    for process in processes:
        process.start()
    found = [done.get(timeout=SECONDS) for _ in processes]
    for process in processes:
        process.join()
    assert sum(found) == 100


@pytest.mark.parametrize(
    ("remote", "counted"),
    [
        ("10.0.0.7", "@10.0.0.7"),
        ("2001:db8:1:2:3:4:5:6", "@2001:db8:1::/48"),
        ("2001:db8:1:ffff::1", "@2001:db8:1::/48"),
        ("::ffff:10.0.0.7", "@10.0.0.7"),
        ("", "@"),
        (None, "@None"),
    ],
)
def test_addresses_are_counted_as_networks(remote: str | None, counted: str) -> None:
    assert address_of(remote) == counted


def test_a_client_beyond_its_rate_is_told_when_to_come_again(client_with: Made) -> None:
    client = client_with(rate="2/second and client")
    first, second, third = (client.get("/datasets") for _ in range(3))
    assert [first.status_code, second.status_code, third.status_code] == [200, 200, 429]
    assert first.headers["RateLimit-Policy"] == '"client";q=2;w=1'
    assert second.headers["RateLimit"].startswith('"client";r=0;t=')
    assert third.get_json()["type"] == "/problems/rate-limited"
    assert third.get_json()["retryable"] is True
    time.sleep(int(third.headers["Retry-After"]))
    assert client.get("/datasets").status_code == 200


def test_what_is_not_counted(client_with: Made) -> None:
    client = client_with(rate="1/hour and client")
    for path in ("/healthz", "/readyz", "/metrics", "/static/page.css", "/", "/problems/forbidden"):
        assert [client.get(path, buffered=True).status_code for _ in range(3)] == [200] * 3
    assert client.options("/nlq").status_code == 200
    assert client.get("/datasets").status_code == 200
    assert client.get("/datasets").status_code == 429


def test_clients_are_counted_by_name_and_strangers_by_address(closed_with_rate: FlaskClient) -> None:
    client = closed_with_rate
    seen = [
        client.get("/datasets", headers=bearer(token)).status_code
        for token in ("t0ken-of-all", "t0ken-of-all", "t0ken-of-films", "guess", "guess 2", "t0ken-of-films")
    ]
    assert seen == [200, 429, 200, 401, 429, 429]


@pytest.fixture
def closed_with_rate(client_with: Made) -> FlaskClient:
    return client_with(auth=BEARER, rate="1/hour and client")


def test_counting_that_fails_costs_no_answer(app_with: Callable[..., Flask], tmp_path: Path) -> None:
    client = app_with(rate="1/hour", shared=tmp_path).test_client()
    assert client.get("/datasets").status_code == 200
    with sqlite3.connect(tmp_path / "rates.sqlite") as connection:
        connection.execute("DROP TABLE hits")
    connection.close()
    assert client.get("/datasets").status_code == 200


def test_a_client_that_changes_its_address_within_its_network_is_one(client_with: Made) -> None:
    client = client_with(rate="2/hour and client")

    def status(address: str) -> int:
        return client.get("/datasets", environ_overrides={"REMOTE_ADDR": address}).status_code

    rotating = ("2001:db8:1:1::a", "2001:db8:1:2::b", "2001:db8:1:ffff:a:b:c:d", "2001:db8:1::")
    assert [status(address) for address in rotating] == [200, 200, 429, 429]
    assert [status(address) for address in ("2001:db8:2:1::a", "192.0.2.7")] == [200, 200]
