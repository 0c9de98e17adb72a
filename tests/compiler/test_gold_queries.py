"""The benchmarks' own queries turned into programs: which can be, and whether the rows are the same."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pyoxigraph as ox
import pytest

from benchmarks.gold import Gold, different, gold_rows, program_query, program_rows, schema_of, solutions
from compilers.from_sparql import CannotState, Schema, program_of
from compilers.kopl.check import check

DATA = Path(__file__).parents[3] / "shared" / "data"
ACME, SPIDER = DATA / "acme", DATA / "spider4sparql"
UNSTATED = Path(__file__).parent / "fixtures" / "gold_queries_unstated.jsonl"
BASE = "http://valuenet/ontop/"
WANTED_SHARE = 0.7

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(
        not (ACME.is_dir() and SPIDER.is_dir()), reason="needs the benchmark data: acme, spider4sparql"
    ),
]


def _store(*files: Path) -> ox.Store:
    store = ox.Store()
    for path in files:
        with gzip.open(path) as file:
            store.bulk_load(file.read(), ox.RdfFormat.TURTLE)
    return store


def _queries(path: Path) -> list[tuple[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(different([json.loads(line) for line in file]))


def _gold(store: ox.Store, query: str) -> Gold:
    return gold_rows(query, partial(solutions, store, base=BASE))


def _why_not(store: ox.Store, schema: Schema, query: str) -> str:
    """Why a query's program does not stand for it; empty where it does."""
    try:
        program = program_of(query, schema, {"": BASE})
    except CannotState as refused:
        return refused.message
    assert not check(program.program)
    return "" if _gold(store, query).admits(program_rows(store, program_query(program))) else "other rows"


def _unstated(path: Path, store: ox.Store) -> Iterator[dict[str, str]]:
    schema = schema_of(store)
    for identifier, query in _queries(path):
        if reason := _why_not(store, schema, query):
            yield {"graph": path.stem, "id": identifier, "reason": reason}


def test_every_query_of_acme() -> None:
    unstated = list(_unstated(ACME / "questions.jsonl", _store(ACME / "kg.nt.gz")))
    assert unstated == []
    assert len(_queries(ACME / "questions.jsonl")) == 44


def test_queries_of_spider4sparql() -> None:
    unstated, asked = [], 0
    for path in sorted(SPIDER.glob("*.jsonl")):
        found = list(_unstated(path, _store(path.with_suffix(".ttl.gz"))))
        number = len(_queries(path))
        print(f"{path.stem:26} {number - len(found):3} of {number:3}")
        unstated += found
        asked += number
    print(f"{'all':26} {asked - len(unstated):3} of {asked:3}")
    expected = [json.loads(line) for line in UNSTATED.read_text(encoding="utf-8").splitlines()]
    assert asked == 252
    assert unstated == expected
    assert asked - len(unstated) >= WANTED_SHARE * asked
