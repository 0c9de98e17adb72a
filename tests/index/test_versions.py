from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from connectors.base import RawResponse
from connectors.errors import EndpointUnreachable
from connectors.oxigraph import EmbeddedOxigraph
from connectors.results import Result
from nlq_gateway.index import BuildLimits, BuildOptions, Index, IndexBusy, LabelPreferences, ensure
from nlq_gateway.index.lease import held


class Counting:
    """A store that counts the queries that reach it, and fails from the `dies_at`-th on."""

    address = "counting"
    dialect = "oxigraph"

    def __init__(self, store: EmbeddedOxigraph, dies_at: int | None = None) -> None:
        self.store, self.dies_at, self.queries = store, dies_at, 0

    def query(self, text: str, *, timeout_ms: int | None = None, max_rows: int | None = None) -> Result:
        self.queries += 1
        if self.dies_at is not None and self.queries >= self.dies_at:
            raise EndpointUnreachable("gone", endpoint=self.address)
        return self.store.query(text, timeout_ms=timeout_ms, max_rows=max_rows)

    def raw(self, text: str, accept: str, *, timeout_ms: int | None = None) -> RawResponse:
        raise NotImplementedError

    def close(self) -> None:
        """Do nothing: it holds no resources."""


@pytest.fixture
def store(shop_store: EmbeddedOxigraph) -> Counting:
    return Counting(shop_store)


def test_a_fitting_version_is_used_again(store: Counting, tmp_path: Path) -> None:
    first = ensure(store, "direct", tmp_path)
    asked = store.queries
    assert ensure(store, "direct", tmp_path) == first
    assert store.queries == asked
    assert Index.open(first, None).manifest.version == first.name


@pytest.mark.parametrize(
    "change",
    [
        {"options": BuildOptions(labels=LabelPreferences(languages=("de",)))},
        {"options": BuildOptions(limits=BuildLimits(entities=5))},
        {"options": BuildOptions(data="another day")},
        {"max_age_s": 0.0},
    ],
)
def test_another_setting_or_age_builds_anew(
    store: Counting, tmp_path: Path, change: dict[str, object]
) -> None:
    first = ensure(store, "direct", tmp_path)
    assert ensure(store, "direct", tmp_path, **change) != first  # type: ignore[arg-type]


def test_the_content_decides_the_name(store: Counting, tmp_path: Path) -> None:
    hashes = [ensure(store, "direct", tmp_path, max_age_s=0).name.rpartition("-")[2] for _ in range(2)]
    assert hashes[0] == hashes[1]
    fewer = ensure(store, "direct", tmp_path, BuildOptions(limits=BuildLimits(entities=5)))
    assert fewer.name.rpartition("-")[2] != hashes[0]


def test_old_versions_go(store: Counting, tmp_path: Path) -> None:
    folders = [ensure(store, "direct", tmp_path, max_age_s=0) for _ in range(4)]
    assert [folder.exists() for folder in folders] == [False, False, True, True]


def test_a_build_that_fails_leaves_nothing_and_tells_why(
    shop_store: EmbeddedOxigraph, tmp_path: Path
) -> None:
    with pytest.raises(EndpointUnreachable, match="gone"):
        ensure(Counting(shop_store, dies_at=9), "direct", tmp_path)
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".pages-")


def test_what_a_killed_build_left_is_no_version(store: Counting, tmp_path: Path) -> None:
    first = ensure(store, "direct", tmp_path)
    cut_off = tmp_path / ".building-1"
    cut_off.mkdir()
    (cut_off / "items.sqlite").write_text("half")
    (tmp_path / "99991231T000000Z-half").mkdir()
    assert ensure(store, "direct", tmp_path) == first
    ensure(store, "direct", tmp_path, max_age_s=0)
    assert not cut_off.exists()


def test_a_version_of_another_format_is_not_used(store: Counting, tmp_path: Path) -> None:
    first = ensure(store, "direct", tmp_path)
    manifest = json.loads((first / "manifest.json").read_text())
    (first / "manifest.json").write_text(json.dumps({**manifest, "format": 0}))
    assert ensure(store, "direct", tmp_path) != first


def test_builds_take_turns(store: Counting, tmp_path: Path) -> None:
    found: list[Path] = []
    threads = [
        threading.Thread(target=lambda: found.append(ensure(store, "direct", tmp_path))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(found)) == 1


def test_waiting_for_another_process_has_an_end(store: Counting, tmp_path: Path) -> None:
    with held(tmp_path / ".lock", 1), pytest.raises(IndexBusy, match="Another process") as caught:
        ensure(store, "direct", tmp_path, wait_s=0.2)
    assert caught.value.retryable
    assert f"process {os.getpid()}" in caught.value.hint
