"""How long a program takes to compile, and how many compiled queries give the reference answer.

The programs are KQA Pro's where the data folder is at hand (with a store to run them on), else those of
the built-in sample (time only). The peer is graphq-trans from PyPI, in a virtual environment of its own.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from compilers.answers import local_name, read_answer
from compilers.compile import CompiledQuery, compile_program
from compilers.grounded import GroundedProgram
from compilers.kopl.notations import read_program
from compilers.kopl.values import format_number
from compilers.layouts import Options
from connectors.results import read_json

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data" / "kqapro" / "mini"
SAMPLE = ROOT / "nlq_gateway" / "sample" / "questions.jsonl"
WORKER = Path(__file__).with_name("graphq_trans_worker.py")
BASE = "http://kqapro.example/"
ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: times in milliseconds per program, and right answers where they were counted."""

    name: str
    times_ms: tuple[float, ...]
    right: int | None = None

    def __str__(self) -> str:
        """The line, in columns."""
        median = statistics.median(self.times_ms)
        p99 = statistics.quantiles(self.times_ms, n=100)[98]
        right = "-" if self.right is None else f"{self.right} of {len(self.times_ms)}"
        return f"{self.name:<22}{median:>11.3f}{p99:>11.3f}   {right}"


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks compile", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with programs.jsonl.gz and kb.ttl.gz")
    parser.add_argument("--peer", type=Path, help="virtual environment with graphq-trans in it")
    options = parser.parse_args(arguments)
    has_data = (options.data / "programs.jsonl.gz").is_file()
    questions = _lines(options.data / "programs.jsonl.gz") if has_data else _lines(SAMPLE)
    store = _store(options.data / "kb.ttl.gz") if has_data else None
    source = "KQA Pro" if has_data else "built-in sample"
    print(f"compile: {len(questions)} programs ({source}), median of {ROUNDS} rounds each")
    print(f"{'':<22}{'median ms':>11}{'p99 ms':>11}   reference answers")
    print(_ours(questions, store))
    print(_peer(questions, store, options.peer, options.data))


def _lines(path: Path) -> list[dict[str, Any]]:
    opener: Callable[..., Any] = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _store(path: Path) -> ox.Store:
    store = ox.Store()
    with gzip.open(path) as file:
        store.bulk_load(file.read(), ox.RdfFormat.TURTLE)
    return store


def _ours(questions: Sequence[dict[str, Any]], store: ox.Store | None) -> Row:
    options = Options(plain_labels=True)

    def compiled(program: Any) -> CompiledQuery:
        return compile_program(GroundedProgram(read_program(program)), "kqapro", options)

    times = [_time(partial(compiled, question["program"])) for question in questions]
    if store is None:
        return Row("nlq-gateway", tuple(times))
    right = 0
    for question in questions:
        query = compiled(question["program"])
        found = store.query(query.text)
        assert isinstance(found, ox.QuerySolutions), "programs compile to SELECT"
        body = found.serialize(format=ox.QueryResultsFormat.JSON)
        assert body is not None, "a result that is written nowhere is returned"
        result = read_json(body, max_rows=100_000, endpoint="benchmark")
        right += _is_right(question, read_answer(query, result.columns, result.rows).strings)
    return Row("nlq-gateway", tuple(times), right)


def _time(call: Callable[[], object]) -> float:
    """The median time of a call in milliseconds."""
    rounds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        call()
        rounds.append((time.perf_counter() - start) * 1000)
    return statistics.median(rounds)


def _is_right(question: dict[str, Any], found: Iterable[str]) -> bool:
    """Whether the answers are the expected ones; Select may give some of those that tie."""
    answers, expected = set(found), set(question["expected"])
    if question["program"][-1]["function"].startswith("Select"):
        return bool(answers) and answers <= expected
    return answers == expected


def _peer(
    questions: Sequence[dict[str, Any]], store: ox.Store | None, environment: Path | None, data: Path
) -> Row | str:
    python = environment / "bin" / "python" if environment else None
    if python is None or not python.exists():
        return (
            f"{'graphq-trans':<22}not installed: python3 -m venv DIR; DIR/bin/pip install graphq-trans; "
            "then --peer DIR"
        )
    with tempfile.TemporaryDirectory() as folder:
        _unpack_graph(data / "kb.json.gz", Path(folder))
        found = subprocess.run(
            [python, WORKER, str(ROUNDS)],
            input=json.dumps([question["program"] for question in questions]),
            capture_output=True,
            text=True,
            cwd=folder,
            check=True,
        )
    replies = json.loads(found.stdout)
    times = tuple(reply["ms"] for reply in replies)
    if store is None:
        return Row("graphq-trans", times)
    pairs = zip(questions, replies, strict=True)
    right = sum(_is_right(question, _run_peer(store, reply["sparql"])) for question, reply in pairs)
    return Row("graphq-trans", times, right)


def _unpack_graph(source: Path, folder: Path) -> None:
    """Put the graph where the peer looks for the types of values."""
    if source.is_file():
        target = folder / "data" / "kqapro" / "data"
        target.mkdir(parents=True)
        with gzip.open(source) as file:
            (target / "kb.json").write_bytes(file.read())


def _run_peer(store: ox.Store, text: str | None) -> list[str]:
    """The peer's answers as strings; none for a query that it did not write or the store does not take."""
    if not text:
        return []
    try:
        result = store.query(text, base_iri=BASE, prefixes={"xsd": "http://www.w3.org/2001/XMLSchema#"})
    except SyntaxError:
        return []
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
