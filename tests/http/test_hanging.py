"""A worker process in which nothing gets on says so, and is given up."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from nlq_gateway.answering import Pipeline
from nlq_gateway.edges.http import create_app
from nlq_gateway.edges.server.board import Board
from nlq_gateway.edges.server.worker import HANGING_SECONDS, Worker
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.settings import SAMPLE, Settings
from nlq_gateway.settings.server import LoadSettings


def worker(*seconds: float) -> Worker:
    """One of two turns, which have been taken for so long."""
    made = Worker.__new__(Worker)
    settings = Settings.for_data([SAMPLE])
    server = settings.server.model_copy(update={"limits": LoadSettings(concurrency=2)})
    made.generation = SimpleNamespace(
        settings=settings.model_copy(update={"server": server}), board=Board(workers=1)
    )
    made.slot = made.nr_conns = 0
    made._busy = {thread: time.monotonic() - busy for thread, busy in enumerate(seconds)}
    return made


@pytest.mark.parametrize(
    "seconds", [(), (HANGING_SECONDS + 1,), (HANGING_SECONDS + 1, HANGING_SECONDS - 5), (0.0, 0.0)]
)
def test_a_worker_with_a_thread_that_gets_on_is_well(seconds: tuple[float, ...]) -> None:
    assert worker(*seconds).hangs() == ""


def test_a_worker_all_of_whose_threads_hang_tells_the_master_nothing() -> None:
    hanging = worker(HANGING_SECONDS + 1, HANGING_SECONDS + 9)
    assert hanging.hangs() == "2 threads have been busy with the same requests for 300 s"
    told: list[str] = []
    hanging.booted = False
    hanging.tmp = SimpleNamespace(notify=lambda: told.append("well"))
    hanging.notify()
    assert told == []
    hanging._busy.clear()
    hanging.notify()
    assert told == ["well"]


def test_health_tells_it(gateway: Pipeline, tmp_path: Path) -> None:
    why = ["all threads hang"]
    app = create_app(gateway, TraceStore(tmp_path / "traces.sqlite"), hangs=lambda: why[0])
    response = app.test_client().get("/healthz")
    assert (response.status_code, response.get_json()["detail"]) == (503, "all threads hang")
    assert "Retry-After" in response.headers
    why[0] = ""
    assert app.test_client().get("/healthz").get_json() == {"status": "ok"}
