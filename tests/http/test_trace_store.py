"""The store of traces: kept, limited, shared between processes and threads."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nlq_gateway.errors import ConfigurationError
from nlq_gateway.settings import ServerSettings
from nlq_gateway.trace_store import TraceStore


@pytest.fixture
def store(tmp_path: Path) -> TraceStore:
    return TraceStore(tmp_path / "folder" / "traces.sqlite", kept=10)


def test_a_document_comes_back_as_it_was(store: TraceStore) -> None:
    document = {"id": "a", "question": "Wo liegt Zürich? \U0001f600", "n": [1, 2.5, None]}
    store.put("a", document)
    assert store.get("a") == document
    assert store.get("b") is None
    store.close()
    assert store.get("a") == document
    store.close()


def test_the_newest_are_kept(store: TraceStore) -> None:
    for number in range(25):
        store.put(f"t{number}", {"n": number})
    assert [n for n in range(25) if store.get(f"t{n}")] == list(range(15, 25))
    store.close()


def test_the_same_id_is_replaced(store: TraceStore) -> None:
    store.put("a", {"n": 1})
    store.put("a", {"n": 2})
    assert store.get("a") == {"n": 2}
    store.close()


def write(file: Path, name: str) -> None:
    store = TraceStore(file, kept=1_000)
    for number in range(50):
        store.put(f"{name}-{number}", {"n": number})
    store.close()


def test_processes_and_threads_write_at_the_same_time(tmp_path: Path) -> None:
    file = tmp_path / "traces.sqlite"
    store = TraceStore(file, kept=1_000)
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=write, args=(file, f"p{n}")) for n in range(2)]
    for process in processes:
        process.start()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: store.put(f"t-{n}", {"n": n}), range(50)))
    for process in processes:
        process.join()
    names = [f"{name}-{number}" for name in ("p0", "p1", "t") for number in range(50)]
    assert all(store.get(name) for name in names)
    store.close()


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    with pytest.raises(ConfigurationError, match="cannot be kept"):
        TraceStore(blocked / "traces.sqlite").check()
    blocked.write_text("this is no database" * 100, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="cannot be kept"):
        TraceStore(blocked).check()


def test_the_default_place_is_the_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NLQ_CACHE", str(tmp_path))
    assert TraceStore.of(ServerSettings()).place == f"{tmp_path}/traces.sqlite"
    given = ServerSettings.model_validate({"trace_store": "sqlite:////a/b.sqlite"})
    assert TraceStore.of(given).place == "/a/b.sqlite"
