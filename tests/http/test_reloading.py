"""Which worker processes shall be there while a configuration is reloaded."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from nlq_gateway.edges.server.board import Board
from nlq_gateway.edges.server.reloading import Generations, WorkerGeneration
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.settings import SAMPLE, EndpointSettings, Settings

WORKERS = 2


def settings(*names: str) -> Settings:
    return Settings(endpoints=tuple(EndpointSettings(id=name, data=(SAMPLE,)) for name in names))


@pytest.fixture
def store(tmp_path: Path) -> TraceStore:
    return TraceStore(tmp_path / "traces.sqlite")


@pytest.fixture
def generations(store: TraceStore) -> Generations:
    return Generations(WorkerGeneration(settings("a", "b"), store, Board(WORKERS)), WORKERS)


def worker(generation: WorkerGeneration, slot: int) -> SimpleNamespace:
    return SimpleNamespace(generation=generation, slot=slot)


def test_the_coming_generation_takes_over_when_all_its_workers_are_open(
    generations: Generations, store: TraceStore
) -> None:
    first = generations.open
    generations.begin(settings("b", "c"), store)
    coming = generations.coming
    assert coming is not None
    assert generations.alive == (first, coming)
    assert coming.awaited == {"b"}
    for slot in range(WORKERS):
        assert not generations.settle()
        coming.board.open(slot)
    assert generations.settle()
    assert generations.alive == (coming,)
    assert not generations.settle()


def test_a_coming_generation_that_loses_a_worker_is_given_up(
    generations: Generations, store: TraceStore, caplog: pytest.LogCaptureFixture
) -> None:
    first = generations.open
    generations.begin(settings("a"), store)
    assert generations.coming is not None
    generations.lost(worker(generations.coming, 0))
    assert generations.alive == (first,)
    assert "not reloaded" in caplog.text


def test_other_workers_that_are_lost_change_nothing(
    generations: Generations, store: TraceStore, caplog: pytest.LogCaptureFixture
) -> None:
    generations.begin(settings("a"), store)
    replaced = generations.coming
    assert replaced is not None
    generations.begin(settings("b"), store)
    coming = generations.coming
    generations.lost(worker(replaced, 0))
    generations.lost(worker(generations.open, 1))
    assert generations.alive == (generations.open, coming)
    assert caplog.text == ""
