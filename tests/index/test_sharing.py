"""Versions that several processes, or machines, share: locks, readers, rollback, continued builds."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from connectors.base import RawResponse
from connectors.oxigraph import EmbeddedOxigraph
from connectors.results import Result
from nlq_gateway.index import (
    BuildOptions,
    Index,
    IndexBusy,
    IndexMissing,
    LabelPreferences,
    Manifest,
    Recipe,
    Versions,
    ensure,
)
from nlq_gateway.index.ensure import KEPT
from nlq_gateway.index.lease import held
from tests.clock import until
from tests.index.conftest import FIXTURES
from tests.warm import APART

LONG_AGO = "2020-01-01T00:00:00.000+00:00"
DATED = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix void: <http://rdfs.org/ns/void#> .
@prefix dct: <http://purl.org/dc/terms/> .
<http://t.example/graph> a void:Dataset ; dct:modified "%s" .
<http://t.example/one> a <http://t.example/Thing> ; rdfs:label "one" .
"""


@dataclass
class Asked:
    """A store that writes down what it is asked, and may be slow."""

    store: EmbeddedOxigraph
    log: Path
    pause_s: float = 0.0
    address: str = "asked"
    dialect: str = "oxigraph"
    texts: list[str] = field(default_factory=list)

    def query(self, text: str, *, timeout_ms: int | None = None, max_rows: int | None = None) -> Result:
        time.sleep(self.pause_s)
        with self.log.open("a") as stream:
            stream.write(json.dumps(text) + "\n")
        return self.store.query(text, timeout_ms=timeout_ms, max_rows=max_rows)

    def raw(self, text: str, accept: str, *, timeout_ms: int | None = None) -> RawResponse:
        raise NotImplementedError

    def close(self) -> None:
        """Do nothing: it holds no resources."""

    @property
    def asked(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


def shop() -> EmbeddedOxigraph:
    return EmbeddedOxigraph.in_memory([FIXTURES / "shop.ttl"])


def hold(file: Path, taken: Event) -> None:
    with held(file, 5):
        taken.set()
        time.sleep(60)


def build_slowly(root: Path, log: Path) -> None:
    ensure(Asked(shop(), log, pause_s=0.05), "direct", root)


@contextmanager
def another_holds(file: Path) -> Iterator[BaseProcess]:
    """Another process holds a lock; it ends when the block does."""
    taken = APART.Event()
    process = APART.Process(target=hold, args=(file, taken), daemon=True)
    process.start()
    try:
        assert taken.wait(30)
        yield process
    finally:
        process.kill()
        process.join()


def test_a_lock_is_waited_for_and_taken_over_when_its_process_is_killed(tmp_path: Path) -> None:
    file = tmp_path / ".lock"
    with another_holds(file) as process:
        assert json.loads(file.read_text())["process"] == process.pid
        with pytest.raises(IndexBusy, match="Another process"), held(file, 0.3):
            pass
    with held(file, 5, stale_s=1000):
        assert json.loads(file.read_text())["process"] == os.getpid()
    assert not file.exists()


def test_the_lock_of_another_machine_is_taken_over_when_nobody_touches_it(tmp_path: Path) -> None:
    file = tmp_path / ".lock"
    file.write_text(json.dumps({"host": "elsewhere", "process": 1, "space": "elsewhere", "id": "x"}))
    os.utime(file, (2**31, 2**31))
    with held(file, 5, stale_s=0.3):
        assert json.loads(file.read_text())["process"] == os.getpid()
    assert [path.name for path in tmp_path.iterdir()] == []


def test_a_build_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    root, log = tmp_path / "index", tmp_path / "log"
    process = APART.Process(target=build_slowly, args=(root, log), daemon=True)
    process.start()
    store = Asked(shop(), log)
    until(lambda: len(store.asked) >= 20)
    process.kill()
    process.join()
    before = store.asked
    assert len(before) >= 20
    folder = ensure(store, "direct", root)
    again = store.asked[len(before) :]
    # The one that was under way when the process ended, and whether the store says that nothing changed.
    assert len(set(before) & set(again)) <= 2
    whole = Asked(shop(), tmp_path / "whole")
    other = ensure(whole, "direct", tmp_path / "other")
    assert folder.name.rpartition("-")[2] == other.name.rpartition("-")[2]
    assert {*before, *again} == {*whole.asked}
    assert not list(root.glob(".*"))


def test_a_reader_builds_nothing_and_says_why_nothing_fits(tmp_path: Path) -> None:
    store = shop()
    with pytest.raises(IndexMissing, match="no index that fits") as caught:
        ensure(store, "direct", tmp_path, may_build=False)
    assert "nlq index" in caught.value.hint
    made = ensure(store, "direct", tmp_path)
    assert ensure(store, "direct", tmp_path, may_build=False, max_age_s=0) == made
    with pytest.raises(IndexMissing, match=r"languages is \('en',\), not \('de',\)"):
        ensure(
            store,
            "direct",
            tmp_path,
            BuildOptions(labels=LabelPreferences(languages=("de",))),
            may_build=False,
        )


def recipe_of(store: EmbeddedOxigraph) -> Recipe:
    return Recipe.of(store, "direct", BuildOptions())


def test_an_older_version_is_put_to_use_until_another_is_built(tmp_path: Path) -> None:
    store, versions = shop(), Versions(tmp_path)
    old, new = (ensure(store, "direct", tmp_path, max_age_s=0) for _ in range(2))
    assert ensure(store, "direct", tmp_path) == new
    assert versions.use(recipe_of(store), old.name) == old
    assert ensure(store, "direct", tmp_path, may_build=False) == old
    assert ensure(store, "direct", tmp_path, max_age_s=3600) == old
    assert versions.use(recipe_of(store), "newest") == new
    assert ensure(store, "direct", tmp_path) == new
    versions.use(recipe_of(store), old.name)
    newest = ensure(store, "direct", tmp_path, max_age_s=0)
    assert ensure(store, "direct", tmp_path) == newest
    with pytest.raises(IndexMissing, match="no version 2020"):
        versions.use(recipe_of(store), "2020")


def test_without_a_pointer_the_newest_is_in_use(tmp_path: Path) -> None:
    store = shop()
    folders = [ensure(store, "direct", tmp_path, max_age_s=0) for _ in range(2)]
    for pointer in tmp_path.glob("current-*"):
        pointer.write_text("half")
    assert ensure(store, "direct", tmp_path) == folders[-1]


def test_as_many_versions_stay_as_are_wanted(tmp_path: Path) -> None:
    store = shop()
    folders = [ensure(store, "direct", tmp_path, max_age_s=0, keep=3) for _ in range(5)]
    assert [folder.exists() for folder in folders] == [False, False, True, True, True]
    assert KEPT == 2


def test_a_version_that_is_removed_stays_readable_where_it_is_open(tmp_path: Path) -> None:
    store = shop()
    with Index.open(ensure(store, "direct", tmp_path), None) as index:
        assert index.look_up(["Emma"])
        for _ in range(KEPT):
            ensure(store, "direct", tmp_path, max_age_s=0)
        assert not index.folder.exists()
        assert index.look_up(["Faust"])


def checked_long_ago(root: Path) -> None:
    (pointer,) = root.glob("current-*")
    known = json.loads(pointer.read_text())
    pointer.write_text(json.dumps({**known, "checked_at": LONG_AGO}))


@pytest.mark.parametrize(
    ("before", "after", "is_same"),
    [("2024-01-01", "2024-01-01", True), ("2024-01-01", "2024-02-01", False), ("", "", False)],
)
def test_what_a_store_dates_is_read_again_when_its_date_changes(
    tmp_path: Path, before: str, after: str, is_same: bool
) -> None:
    def dated(date: str) -> EmbeddedOxigraph:
        file = tmp_path / "dated.ttl"
        file.write_text(DATED % date if date else DATED.replace("dct:modified", "dct:title") % date)
        return EmbeddedOxigraph.in_memory([file])

    root = tmp_path / "index"
    first = ensure(dated(before), "direct", root)
    assert Manifest.read(first).state.keys() == ({"triples", "dates"} if before else set())
    log = Asked(dated(after), tmp_path / "log", address=str(tmp_path / "dated.ttl"))
    checked_long_ago(root)
    second = ensure(log, "direct", root, max_age_s=3600)
    assert (second == first) == is_same
    assert (len(log.asked) <= 2) == is_same


def test_what_is_dated_is_not_believed_for_ever(tmp_path: Path) -> None:
    file = tmp_path / "dated.ttl"
    file.write_text(DATED % "2024-01-01")
    store = EmbeddedOxigraph.in_memory([file])
    first = ensure(store, "direct", tmp_path / "index")
    checked_long_ago(tmp_path / "index")
    manifest = Manifest.read(first)
    replace(manifest, built_at=LONG_AGO).write(first)
    assert ensure(store, "direct", tmp_path / "index", max_age_s=3600) != first
