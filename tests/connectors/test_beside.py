"""Queries that run on after their time block no others, those of clients as little as the gateway's own."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from connectors import (
    Dataset,
    EmbeddedOxigraph,
    EndpointError,
    EndpointFailed,
    EndpointRefusedQuery,
    EndpointTimeout,
    IncompleteResult,
    Limits,
    load_files,
)

THINGS = 1_000
# Every pair of things, thirty times: seconds of work of which nothing comes before its end.
BAD = f"SELECT (COUNT(*) AS ?n) {{ ?a ?p ?x . ?b ?q ?y VALUES ?v {{ {' '.join(map(str, range(30)))} }} }}"
PAIRS = "SELECT ?a ?b { ?a ?p ?x . ?b ?q ?y }"
ASKED = "SELECT ?o { <urn:thing:7> <urn:p> ?o }"
JSON = "application/sparql-results+json"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("beside")
    lines = (f'<urn:thing:{number}> <urn:p> "{number}" .\n' for number in range(THINGS))
    (made / "things.nt").write_text("".join(lines), encoding="utf-8")
    load_files(made / "store", [made / "things.nt"])
    return made / "store"


@pytest.fixture
def store(folder: Path) -> Iterator[EmbeddedOxigraph]:
    with closing(EmbeddedOxigraph.open(folder, address="things", limits=Limits(max_bytes=2_000))) as store:
        yield store


def by_query(store: EmbeddedOxigraph, text: str, timeout_ms: int | None = None) -> object:
    (row,) = store.query(text, timeout_ms=timeout_ms).rows
    return row[0] and row[0].value


def by_raw(store: EmbeddedOxigraph, text: str, timeout_ms: int | None = None) -> object:
    body = store.raw(text, JSON, timeout_ms=timeout_ms).body
    return "7" if b'"value":"7"' in body else body


WAYS: list[Callable[[EmbeddedOxigraph, str, int | None], object]] = [by_query, by_raw]


def processes() -> set[int]:
    """The running children of this process."""
    children = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return {int(child) for file in children for child in file.read_text().split()}


@pytest.mark.parametrize("way", WAYS)
def test_ten_bad_queries_in_a_row_do_not_block_the_next(
    store: EmbeddedOxigraph, way: Callable[[EmbeddedOxigraph, str, int | None], object]
) -> None:
    assert way(store, ASKED, 60_000) == "7"
    for _ in range(10):
        with pytest.raises(EndpointTimeout, match="no answer within the deadline") as caught:
            way(store, BAD, 100)
        assert caught.value.endpoint == "things"
    assert store._pool().abandoned <= 1
    assert by_query(store, ASKED) == "7"
    assert by_raw(store, ASKED) == "7"


def test_what_is_killed_leaves_no_process(store: EmbeddedOxigraph) -> None:
    before = processes()
    assert by_raw(store, ASKED) == "7"
    (first,) = processes() - before
    assert by_raw(store, ASKED) == "7"
    assert processes() - before == {first}
    with pytest.raises(EndpointTimeout):
        by_raw(store, BAD, 100)
    assert processes() == before
    assert by_raw(store, ASKED) == "7"
    store.close()
    assert processes() == before


def test_a_process_that_starts_slowly_is_waited_for_by_the_next(store: EmbeddedOxigraph) -> None:
    before = processes()
    for _ in range(5):
        with pytest.raises(EndpointTimeout):
            by_raw(store, ASKED, 1)
    assert len(processes() - before) == 1
    assert by_raw(store, ASKED) == "7"


def test_errors_are_those_of_the_store_and_cost_no_process(store: EmbeddedOxigraph) -> None:
    before = processes()
    assert by_raw(store, ASKED) == "7"
    running = processes() - before
    for text, error in (("SELECT", EndpointRefusedQuery), ("SELECT * { ?s ?p ?o }", IncompleteResult)):
        with pytest.raises(error) as caught:
            store.raw(text, JSON)
        assert isinstance(caught.value, EndpointError)
        assert (caught.value.endpoint, bool(caught.value.hint)) == ("things", True)
    assert processes() - before == running


def test_the_dataset_and_the_row_limit_go_along(store: EmbeddedOxigraph) -> None:
    nowhere = Dataset(("urn:nowhere",))
    assert b'"value"' not in store.raw(ASKED, JSON, dataset=nowhere).body
    result = store._beside().run("query", {"text": PAIRS, "max_rows": 3}, time.monotonic() + 60)
    assert (len(result.rows), result.truncated) == (3, True)


def test_a_process_that_ends_is_a_failure_and_the_next_is_another(store: EmbeddedOxigraph) -> None:
    before = processes()
    assert by_raw(store, ASKED) == "7"
    for child in processes() - before:
        os.kill(child, 9)
    with pytest.raises(EndpointFailed, match="has ended"):
        by_raw(store, ASKED)
    assert by_raw(store, ASKED) == "7"
