"""Times of compiled queries on real stores, beside KQA Pro's own hand-written SPARQL.

Embedded Oxigraph always; Oxigraph's server, Fuseki and Virtuoso where `make stores` has started them. Every
query runs once beforehand; then each pair runs in turn, over one connection that is kept open. A pair has no
times on a store that refuses a query of it, and no answer where that is the compiled one.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from operator import attrgetter
from pathlib import Path
from urllib.parse import urlsplit

import pyoxigraph as ox

from benchmarks.questions import DATA, Benchmark, Question, read_benchmark
from benchmarks.stores import ENDPOINTS, Server, graph_of, servers, triples_of_files
from compilers.compile import CompiledQuery
from compilers.read_answers import read_answer
from connectors.protocol import RESULTS_JSON, Dataset, build_request
from connectors.reading import read_json

ROUNDS = 5
TIMEOUT_MS = 10_000
# The hand-written queries have relative IRIs, and use a prefix that they do not declare.
HEAD = "BASE <http://kqapro.example/>\nPREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"

Run = Callable[[str], bytes]


@dataclass(frozen=True, slots=True)
class Store:
    """A store that holds the graph: its dialect, and a way to send it a query for JSON results."""

    name: str
    dialect: str
    run: Run


class Refused(Exception):
    """A store does not answer a query; the message is the store's."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The two queries of one question, and their times in milliseconds."""

    question: Question
    query: CompiledQuery
    ours_ms: float
    theirs_ms: float


@dataclass(slots=True)
class Measured:
    """The results of one store: the answered pairs, and the number of our right answers."""

    store: str
    questions: int
    right: int = 0
    refused: int = 0
    pairs: list[Pair] = field(default_factory=list)

    @contextmanager
    def leaving_out_refused(self) -> Iterator[None]:
        """Count a pair that is refused, and say why of the first."""
        try:
            yield
        except Refused as refusal:
            self.refused += 1
            if self.refused == 1:
                print(f"{self.store} refuses a query: {refusal}", file=sys.stderr)


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks execute", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with programs.jsonl.gz and kb.ttl.gz")
    parser.add_argument("--worst", type=int, default=0, help="print so many of our slowest queries (0)")
    options = parser.parse_args(arguments)
    benchmark = read_benchmark(options.data)
    if not all(question.sparql for question in benchmark.questions):
        print("execute: needs KQA Pro's data: name its folder with --data")
        return
    print(f"execute: {len(benchmark.questions)} programs ({benchmark.name}), median of {ROUNDS} rounds each")
    print(f"{'':<18}{'compiled ms':>22}{'hand-written ms':>22}{'ratio':>8}   reference answers")
    print(f"{'':<18}{'total':>12}{'median':>10}{'total':>12}{'median':>10}{'of totals':>11}")
    for store in _stores(benchmark.files):
        measured = _measure(benchmark, store)
        print(_row(measured), flush=True)
        for pair in sorted(measured.pairs, key=attrgetter("excess_ms"), reverse=True)[: options.worst]:
            print(f"\n{pair.ours_ms:.2f} ms, hand-written {pair.theirs_ms:.2f} ms")
            print(f"{pair.query.text}\n\n{pair.question.sparql}\n")
    if not ENDPOINTS.exists():
        print("No store's server is running: make stores", file=sys.stderr)


def _row(measured: Measured) -> str:
    ours = [pair.ours_ms for pair in measured.pairs]
    theirs = [pair.theirs_ms for pair in measured.pairs]
    refused = f", {measured.refused} pairs refused" if measured.refused else ""
    if not measured.pairs:
        return f"{measured.store:<18}{refused.removeprefix(', ')}"
    times = "".join(f"{sum(one):>12.0f}{statistics.median(one):>10.2f}" for one in (ours, theirs))
    right = f"{measured.right} of {measured.questions}"
    return f"{measured.store:<18}{times}{sum(ours) / sum(theirs):>11.2f}   {right}{refused}"


def _stores(files: tuple[Path, ...]) -> Iterator[Store]:
    triples = triples_of_files(files)
    yield Store("embedded Oxigraph", "oxigraph", _embedded(triples))
    for name, server in servers().items() if ENDPOINTS.exists() else ():
        server.holding(triples)
        yield Store(name, server.dialect, _over_http(server, graph_of(triples)))


def _embedded(triples: bytes) -> Run:
    store = ox.Store()
    store.bulk_load(triples, ox.RdfFormat.N_TRIPLES)

    def run(text: str) -> bytes:
        found = store.query(text)
        assert isinstance(found, ox.QuerySolutions | ox.QueryBoolean), "questions are SELECT or ASK"
        body = found.serialize(format=ox.QueryResultsFormat.JSON)
        assert body is not None, "a result that is written nowhere is returned"
        return body

    return run


def _over_http(server: Server, graph: str) -> Run:
    parts = urlsplit(server.query)
    assert parts.hostname is not None, "a store has an address"
    connection = HTTPConnection(parts.hostname, parts.port, timeout=TIMEOUT_MS / 1000)
    dataset = Dataset((graph,))
    login = server.login

    def run(text: str, challenges: Sequence[str] = ()) -> bytes:
        request = build_request(
            server.query, text, RESULTS_JSON, dataset=dataset, dialect=server.dialect, timeout_ms=TIMEOUT_MS
        )
        signature = login.headers(server.query, challenges)
        connection.request("POST", request.target, request.body, {**request.headers, **signature})
        with connection.getresponse() as response:
            body = response.read()
        if response.status == 401 and not challenges:
            return run(text, response.headers.get_all("WWW-Authenticate", ()))
        if response.status != 200:
            raise Refused(body[:200].decode(errors="replace"))
        return body

    return run


def _measure(benchmark: Benchmark, store: Store) -> Measured:
    answered: list[tuple[Question, CompiledQuery]] = []
    measured = Measured(store.name, len(benchmark.questions))
    for question in benchmark.questions:
        query = benchmark.compile(question, store.dialect)
        with measured.leaving_out_refused():
            measured.right += _is_right(question, query, store)
            store.run(HEAD + question.sparql)
            answered.append((question, query))
    for question, query in answered:
        with measured.leaving_out_refused():
            times = _times(store.run, query.text, HEAD + question.sparql)
            measured.pairs.append(Pair(question, query, *times))
    return measured


def _is_right(question: Question, query: CompiledQuery, store: Store) -> bool:
    """True if the results are the reference answer."""
    result = read_json(store.run(query.text), max_rows=100_000, endpoint=store.name)
    return question.is_answered_by(read_answer(query, result.columns, result.rows).strings)


def _times(run: Run, *texts: str) -> tuple[float, ...]:
    """The median time of each text in milliseconds, taken in turn."""
    rounds = [[_time(run, text) for text in texts] for _ in range(ROUNDS)]
    return tuple(statistics.median(times) for times in zip(*rounds, strict=True))


def _time(run: Run, text: str) -> float:
    start = time.perf_counter()
    run(text)
    return (time.perf_counter() - start) * 1000
