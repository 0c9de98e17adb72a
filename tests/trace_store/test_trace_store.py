"""The store of traces: kept, limited, shared between processes and threads."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from multiprocessing.synchronize import Barrier, Event
from pathlib import Path

import pytest
from judging import said

from nlq_gateway.core.errors import ConfigurationError, TracesUnavailable
from nlq_gateway.edges.trace_store import TraceStore, store
from nlq_gateway.edges.trace_store.databases import database_at
from nlq_gateway.settings import ServerSettings
from tests.warm import APART

Opened = Callable[..., TraceStore]

FORKED = multiprocessing.get_context("fork")
SECONDS = 60


def test_a_document_comes_back_as_it_was(opened: Opened) -> None:
    traces = opened()
    document = {"id": "a", "question": "Wo liegt Zürich? \U0001f600 \0", "n": [1, 2.5, None]}
    traces.put("a", document)
    assert traces.get("a") == document
    assert list(traces.get("a") or ()) == ["id", "question", "n"]
    assert traces.get("b") is None
    assert traces.get("a\0") is None
    traces.close()
    assert traces.get("a") == document
    assert opened().get("a") == document


def test_the_newest_are_kept(opened: Opened) -> None:
    traces = opened(kept=10)
    for number in range(25):
        traces.put(f"t{number}", {"n": number})
    assert [n for n in range(25) if traces.get(f"t{n}") is not None] == list(range(15, 25))


def test_not_many_more_are_kept_than_shall_be(opened: Opened) -> None:
    traces = opened(kept=100)
    for number in range(345):
        traces.put(f"t{number}", {})
    there = [n for n in range(345) if traces.get(f"t{n}") is not None]
    assert there == list(range(345 - len(there), 345))
    assert 100 <= len(there) <= 110


def test_what_is_too_old_is_neither_shown_nor_kept(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    traces, forever = opened(kept=10, age=timedelta(days=1)), opened(kept=10)
    traces.put("old", {})
    traces.judge(said(1), by="curator")
    now = store.time.time()
    monkeypatch.setattr(store.time, "time", lambda: now + 90_000)
    assert traces.get("old") is None
    assert forever.get("old") == {}
    traces.put("new", {})
    assert forever.get("old") is None
    assert forever.get("new") == {}
    assert len(traces.confirmed("films")) == 1


def test_the_same_id_is_replaced(opened: Opened) -> None:
    traces = opened()
    traces.put("a", {"n": 1})
    traces.put("a", {"n": 2})
    assert traces.get("a") == {"n": 2}


def test_feedback_is_shared_and_the_last_word_counts(opened: Opened) -> None:
    here, there = opened(), opened()
    assert there.feedback_version() == 0
    here.judge(said(1), by="curator")
    there.judge(said(2, comment='it\'s "right"'), by="curator")
    assert [one.question for one in here.confirmed("films")] == ["question 1", "question 2"]
    assert here.confirmed("others") == ()
    before = there.feedback_version()
    here.judge(said(1, correct=False, right=None), by="curator")
    assert there.feedback_version() > before
    assert [one.question for one in there.confirmed("films")] == ["question 2"]


def write(address: str, name: str, start: Barrier) -> None:
    traces = TraceStore(database_at(address), kept=1_000)
    start.wait(SECONDS)
    for number in range(50):
        traces.put(f"{name}-{number}", {"n": number})
    traces.judge(said(0), by="curator")
    traces.close()


def test_processes_and_threads_write_at_the_same_time(opened: Opened, address: str) -> None:
    start = APART.Barrier(4)
    processes = [APART.Process(target=write, args=(address, f"p{n}", start)) for n in range(3)]
    for process in processes:
        process.start()
    traces = opened(kept=1_000)
    start.wait(SECONDS)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: traces.put(f"t-{n}", {"n": n}), range(50)))
    for process in processes:
        process.join()
    names = [f"{name}-{number}" for name in ("p0", "p1", "p2", "t") for number in range(50)]
    assert all(traces.get(name) for name in names)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert traces.feedback_version() == 3


def _put_forked(traces: TraceStore, name: str) -> None:
    traces.put(name, {})
    traces.close()


def test_a_store_in_use_can_be_forked(opened: Opened) -> None:
    traces = opened()
    traces.put("before", {})
    processes = [FORKED.Process(target=_put_forked, args=(traces, f"f{n}")) for n in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(SECONDS)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert all(traces.get(name) == {} for name in ("before", "f0", "f1", "f2"))


def _write_without_end(address: str, begun: Event) -> None:
    traces = TraceStore(database_at(address), kept=20)
    for number in range(1_000_000):
        traces.put(f"k-{number}", {"n": number})
        traces.judge(said(number), by="curator")
        begun.set()


def test_a_killed_worker_costs_nobody_else_anything(opened: Opened, address: str) -> None:
    traces = opened(kept=20)
    for _ in range(3):
        begun = APART.Event()
        process = APART.Process(target=_write_without_end, args=(address, begun))
        process.start()
        assert begun.wait(SECONDS)
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        traces.put("after", {"n": 1})
        traces.judge(said(-1), by="curator")
        assert traces.get("after") == {"n": 1}
    assert traces.confirmed("films")


def test_processes_that_come_at_once_make_the_tables_once(address: str, opened: Opened) -> None:
    start = APART.Barrier(4)
    processes = [APART.Process(target=write, args=(address, f"p{n}", start)) for n in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 4
    assert opened().feedback_version() == 4


def test_tables_of_a_later_version_are_refused(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    from nlq_gateway.edges.trace_store import tables

    opened().put("a", {})
    monkeypatch.setattr(tables, "VERSION", tables.VERSION - 1)
    with pytest.raises(ConfigurationError, match="later version"):
        opened().check()


EARLIER = """
CREATE TABLE traces (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  document TEXT NOT NULL
);
CREATE TABLE feedback (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  trace TEXT NOT NULL,
  dataset TEXT NOT NULL,
  question TEXT NOT NULL,
  correct INTEGER NOT NULL,
  program TEXT,
  comment TEXT NOT NULL,
  given TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
INSERT INTO traces (id, document) VALUES ('a', '{"n": 1}');
INSERT INTO feedback (trace, dataset, question, correct, program, comment)
  VALUES ('a', 'films', 'Who?', 1, '{"question": "Who?", "program": "Find(A)->What()"}', '');
"""


def test_a_file_of_the_first_version_is_taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "traces.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(EARLIER)
    traces = TraceStore(file, kept=10, age=timedelta(days=1))
    traces.check()
    assert traces.get("a") == {"n": 1}
    # It was given when everybody's feedback taught: a curator decides on it now.
    assert traces.confirmed("films") == ()
    [waiting] = traces.reviews(state="pending")
    traces.decide(waiting.number, "approved", "curator")
    assert [one.question for one in traces.confirmed("films")] == ["Who?"]
    traces.put("b", {"n": 2})
    traces.judge(said(1), by="curator")
    assert traces.feedback_version() == 2
    now = store.time.time()
    monkeypatch.setattr(store.time, "time", lambda: now + 90_000)
    assert traces.get("a") is None
    traces.close()


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    with pytest.raises(ConfigurationError, match="cannot be kept"):
        TraceStore(blocked / "traces.sqlite").check()
    blocked.write_text("this is no database" * 100, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="cannot be kept"):
        TraceStore(blocked).check()


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    traces = TraceStore(tmp_path / "traces.sqlite")
    traces.put("a", {})
    assert {file.stat().st_mode & 0o077 for file in tmp_path.iterdir()} == {0}
    traces.close()


def test_the_default_place_is_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NLQ_DATA", str(tmp_path))
    assert TraceStore.of(ServerSettings()).place == f"{tmp_path}/traces.sqlite"
    given = ServerSettings.model_validate({"trace_store": "sqlite:////a/b?c %41#@d.sqlite"})
    assert TraceStore.of(given).place == "/a/b?c %41#@d.sqlite"


def test_a_file_that_is_still_in_the_cache_folder_is_moved_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("NLQ_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("NLQ_CACHE", str(tmp_path))
    earlier = TraceStore(tmp_path / "traces.sqlite")
    earlier.put("a", {"kept": "before"})
    for _ in range(2):
        traces = TraceStore.of(ServerSettings())
        assert traces.place == f"{tmp_path}/data/traces.sqlite"
        assert traces.get("a") == {"kept": "before"}
        traces.close()
    earlier.close()
    assert not (tmp_path / "traces.sqlite").exists()
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_a_file_that_cannot_be_moved_stays_in_use(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NLQ_DATA", "/proc/data")
    monkeypatch.setenv("NLQ_CACHE", str(tmp_path))
    (tmp_path / "traces.sqlite").touch()
    assert TraceStore.of(ServerSettings()).place == f"{tmp_path}/traces.sqlite"


def test_a_database_that_is_down_is_told_soon_and_without_its_password(
    closed_port: int, caplog: pytest.LogCaptureFixture
) -> None:
    traces = TraceStore(database_at(f"postgresql://nlq:s3cret@127.0.0.1:{closed_port}/nlq"))
    with caplog.at_level(logging.WARNING):
        traces.check()
    assert f"postgresql://nlq:***@127.0.0.1:{closed_port}/nlq" in caplog.text
    with pytest.raises(TracesUnavailable, match="a moment ago") as told:
        traces.get("a")
    assert str(closed_port) not in f"{told.value.message} {told.value.hint}"
    assert "s3cret" not in f"{caplog.text} {traces.place}"


def test_a_driver_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ConfigurationError) as caught:
        database_at("postgresql://nlq@db/nlq")
    assert caught.value.hint == "pip install '.[postgresql]' in the gateway's source folder"
