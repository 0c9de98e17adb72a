"""Compile times of programs, and the number of compiled queries that give the reference answer.

Two peers from PyPI beside it: graphq-trans compiles the same programs; KoPL's own engine, whose answers are
the reference, executes them on the graph in memory. They live in an environment of their own, which
`--install-peers` makes.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from benchmarks import peers
from benchmarks.questions import DATA, Benchmark, Question, read_benchmark, read_text
from compilers.iris import local_name
from compilers.kopl.values import format_number
from compilers.read_answers import read_answer
from connectors.reading import read_json

BASE = "http://kqapro.example/"
ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: times in milliseconds per program, and right answers if counted."""

    name: str
    work: str
    times_ms: tuple[float, ...]
    right: int

    def __str__(self) -> str:
        """The line, in columns."""
        median = statistics.median(self.times_ms)
        p99 = statistics.quantiles(self.times_ms, n=100)[98]
        right = f"{self.right} of {len(self.times_ms)}"
        return f"{self.name:<15}{self.work:<10}{median:>11.3f}{p99:>11.3f}   {right}"


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks compile", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with programs.jsonl.gz and kb.ttl.gz")
    parser.add_argument("--peers", type=Path, default=peers.FOLDER, help="the peers' environment (.peers)")
    parser.add_argument("--install-peers", action="store_true", help="make that environment first")
    options = parser.parse_args(arguments)
    if options.install_peers:
        peers.install(options.peers)
    benchmark = read_benchmark(options.data)
    store = _store(benchmark)
    print(f"compile: {len(benchmark.questions)} programs ({benchmark.name}), median of {ROUNDS} rounds each")
    print(f"{'':<25}{'median ms':>11}{'p99 ms':>11}   reference answers")
    print(_ours(benchmark, store), flush=True)
    for row in _theirs(benchmark, store, options.peers, options.data / "kb.json.gz"):
        print(row, flush=True)


def _store(benchmark: Benchmark) -> ox.Store:
    store = ox.Store()
    for file in benchmark.files:
        store.bulk_load(read_text(file).encode(), ox.RdfFormat.TURTLE)
    return store


def _ours(benchmark: Benchmark, store: ox.Store) -> Row:
    times = tuple(_time(partial(benchmark.compile, one, "oxigraph")) for one in benchmark.questions)
    right = 0
    for question in benchmark.questions:
        query = benchmark.compile(question, "oxigraph")
        rows = store.query(query.text)
        assert isinstance(rows, ox.QuerySolutions), "programs compile to SELECT"
        body = rows.serialize(format=ox.QueryResultsFormat.JSON)
        assert body is not None, "a result that is written nowhere is returned"
        result = read_json(body, max_rows=100_000, endpoint="benchmark")
        found = read_answer(query, result.columns, result.rows, languages=question.languages)
        right += question.is_answered_by(found.strings)
    return Row("nlq-gateway", "compiles", times, right)


def _time(call: Callable[[], object]) -> float:
    """The median time of a call in milliseconds."""
    rounds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        call()
        rounds.append((time.perf_counter() - start) * 1000)
    return statistics.median(rounds)


def _theirs(benchmark: Benchmark, store: ox.Store, environment: Path, graph: Path) -> Iterator[Row | str]:
    if not peers.are_installed(environment):
        yield f"graphq-trans and KoPL are not installed: {peers.INSTALL}"
    elif not graph.is_file():
        yield "graphq-trans and KoPL need KQA Pro's data: name its folder with --data"
    else:
        yield _graphq_trans(benchmark, store, environment, graph)
        yield _kopl(benchmark, environment, graph)


def _programs(benchmark: Benchmark) -> list[Any]:
    return [question.program for question in benchmark.questions]


def _graphq_trans(benchmark: Benchmark, store: ox.Store, environment: Path, graph: Path) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        # The library reads the types of values from here.
        target = Path(folder) / "data" / "kqapro" / "data" / "kb.json"
        target.parent.mkdir(parents=True)
        target.write_text(read_text(graph), encoding="utf-8")
        programs = _programs(benchmark)
        replies = peers.run(environment, "graphq_trans_worker.py", programs, str(ROUNDS), cwd=Path(folder))
    pairs = zip(benchmark.questions, replies, strict=True)
    right = sum(_is_right(question, _run_peer(store, reply["sparql"])) for question, reply in pairs)
    return Row("graphq-trans", "compiles", tuple(reply["ms"] for reply in replies), right)


def _kopl(benchmark: Benchmark, environment: Path, graph: Path) -> Row:
    arguments = (str(ROUNDS), str(graph.resolve()))
    replies = peers.run(environment, "kopl_worker.py", _programs(benchmark), *arguments)
    pairs = zip(benchmark.questions, replies, strict=True)
    right = sum(_is_right(question, reply["answers"]) for question, reply in pairs)
    return Row("KoPL engine", "executes", tuple(reply["ms"] for reply in replies), right)


def _is_right(question: Question, found: list[str] | None) -> bool:
    """A peer that failed is wrong also where nothing is expected."""
    return found is not None and question.is_answered_by(found)


def _run_peer(store: ox.Store, text: str | None) -> list[str] | None:
    """The peer's answers as strings; None for a query that it did not write or the store does not take."""
    if not text:
        return None
    try:
        result = store.query(text, base_iri=BASE, prefixes={"xsd": "http://www.w3.org/2001/XMLSchema#"})
    except SyntaxError:
        return None
    if isinstance(result, ox.QueryBoolean):
        return ["yes" if result else "no"]
    assert isinstance(result, ox.QuerySolutions), "the peer writes SELECT and ASK"
    return [_shown(store, row[0]) for row in result if row[0] is not None]


def _shown(store: ox.Store, term: Any) -> str:
    """A term as the reference answers have it: a name, a number with its unit, a date or a year."""
    if isinstance(term, ox.Literal):
        return term.value
    about = {
        quad.predicate.value: quad.object.value
        for quad in store.quads_for_pattern(term, None, None)
        if not isinstance(quad.object, ox.Triple)
    }
    for part in ("pred:name", "pred:date", "pred:year"):
        if part in about:
            return str(about[part])
    if "pred:value" not in about:
        return local_name(term.value)
    unit = about.get("pred:unit")
    number = format_number(float(about["pred:value"])) if unit else about["pred:value"]
    return f"{number} {unit}" if unit and unit != "1" else str(number)
