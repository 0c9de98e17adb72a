"""Turns: a bounded number of requests at work and waiting; the others are refused at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask, Response

from nlq_gateway.core.errors import Overloaded
from nlq_gateway.edges.http.access.datasets import may_read
from nlq_gateway.edges.http.access.turns import Turns
from tests.clock import promptly

SECONDS = 60


def test_beyond_the_queue_a_request_is_refused_at_once() -> None:
    turns = Turns(concurrency=1, queue=1, wait_s=SECONDS)
    release = turns.take()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(turns.take)
        while not turns.waiting:
            time.sleep(0.01)
        with promptly(), pytest.raises(Overloaded) as caught:
            turns.take()
        assert caught.value.retry_after_s >= 1
        assert not waiting.done()
        release()
        waiting.result(SECONDS)()
    turns.take()()


def test_who_waits_too_long_is_refused() -> None:
    turns = Turns(concurrency=1, queue=1, wait_s=0.05)
    release = turns.take()
    with pytest.raises(Overloaded, match=r"in 0\.05 s"):
        turns.take()
    release()
    turns.take()()


def test_a_turn_that_would_come_too_late_is_not_waited_for() -> None:
    turns = Turns(concurrency=1, queue=5, wait_s=0.1)
    release = turns.take()
    time.sleep(0.3)
    release()
    release = turns.take()
    with pytest.raises(Overloaded, match="0 requests wait already"):
        turns.take()
    release()


def test_a_turn_is_given_back_once() -> None:
    turns = Turns(concurrency=1, queue=0, wait_s=1)
    release = turns.take()
    release()
    release()
    turns.take()
    with pytest.raises(Overloaded):
        turns.take()


LIMITS = {"concurrency": 1, "queue": 0, "wait_ms": 100}


def test_an_overload_is_429_and_health_is_still_told(app_with: Callable[..., Flask]) -> None:
    app, inside, done = app_with(limits=LIMITS), threading.Event(), threading.Event()

    @app.get("/slow")
    def slow() -> str:
        may_read("films")
        inside.set()
        assert done.wait(SECONDS)
        return "done"

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(app.test_client().get, "/slow")
        assert inside.wait(SECONDS)
        refused = app.test_client().get("/slow")
        assert (refused.status_code, refused.get_json()["type"]) == (429, "/problems/overloaded")
        assert int(refused.headers["Retry-After"]) >= 1
        assert refused.get_json()["retryable"] is True
        for path in ("/healthz", "/datasets", "/metrics"):
            assert app.test_client().get(path).status_code == 200
        done.set()
        assert first.result().status_code == 200
    assert app.test_client().get("/slow").status_code == 200


def test_errors_give_their_turn_back(app_with: Callable[..., Flask]) -> None:
    app = app_with(limits=LIMITS)

    @app.get("/broken")
    def broken() -> str:
        raise RuntimeError("a fault")

    for _ in range(3):
        assert app.test_client().get("/broken").status_code == 500
        assert app.test_client().post("/nlq", json={"question": ""}).status_code == 400


@pytest.mark.parametrize("steps", [0, 1, None])
def test_a_stream_has_its_turn_until_its_end(app_with: Callable[..., Flask], steps: int | None) -> None:
    """Closed before its first step, after one, or read to the end."""
    app = app_with(limits=LIMITS)

    @app.get("/stream")
    def stream() -> Response:
        may_read("films")

        def parts() -> Iterator[str]:
            yield "one"
            yield "two"

        return Response(parts())

    response = app.test_client().get("/stream")
    assert app.test_client().get("/stream").status_code == 429
    parts = iter(response.response)
    for _ in range(steps or 0):
        next(parts)
    if steps is None:
        assert b"".join(parts) == b"onetwo"
    else:
        response.close()
    assert app.test_client().get("/stream").status_code == 200
