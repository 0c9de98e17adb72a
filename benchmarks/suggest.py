"""Suggestions while a question is written, over a graph with a million names: the time of each request.

The names are made up; the graph has no facts beside them. Each letter of a question is a request to the
application, as a browser makes it.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from flask.testing import FlaskClient

from benchmarks.large_graph import Written, write_graph
from nlq_gateway.answering import Pipeline
from nlq_gateway.edges.http import create_app
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.settings import Settings

SEED = 7
TARGET_P95_MS = 30.0
# Beginnings of questions before a name.
_BEGUN = ("", "Who manages ", "Which documents of ", "tell me about ")


def main(arguments: Sequence[str]) -> None:
    """Print how long suggestions take, letter by letter."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks suggest", description=main.__doc__)
    parser.add_argument("--entities", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--names", type=int, default=100, metavar="N", help="names that are written")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NLQ_CACHE"] = f"{folder}/cache"
        graph = Path(folder) / "graph.nt"
        written = write_graph(graph, options.entities, 0)
        gateway = Pipeline(Settings.for_data([str(graph)]))
        store = TraceStore(Path(folder) / "traces.sqlite")
        gateway.endpoint(None).prepare()
        client = create_app(gateway, store).test_client()
        taken = [_taken(client, text) for text in texts_of(written, options.names)]
        gateway.close()
        store.close()
    print(f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}")
    print(f"{written.entities:,} named things in {written.triples:,} triples, {len(taken):,} requests")
    p95 = _print("time", [seconds for seconds, _ in taken])
    _print("processor time", [seconds for _, seconds in taken])
    print(f"target: p95 of {TARGET_P95_MS:.0f} ms {'held' if p95 <= TARGET_P95_MS else 'missed'}")


def texts_of(written: Written, names: int) -> Iterator[str]:
    """Yield the text of the box after each letter, for questions about some of the names."""
    draw = random.Random(SEED)
    for _, name in draw.sample(written.labels, min(names, len(written.labels))):
        text = f"{draw.choice(_BEGUN)}{name}"
        yield from (text[:end] for end in range(1, len(text) + 1))


def _taken(client: FlaskClient, text: str) -> tuple[float, float]:
    """Seconds of one request: by the clock, and of the processor, which other work does not lengthen."""
    started, worked = time.perf_counter(), time.thread_time()
    response = client.get("/datasets/graph/suggest", query_string={"q": text})
    taken = time.perf_counter() - started, time.thread_time() - worked
    assert response.status_code == 200, response.text
    return taken


def _print(what: str, seconds: Sequence[float]) -> float:
    """Print a line; returns the 95th percentile in milliseconds."""
    ordered = sorted(seconds)
    p95, p99 = (1000 * ordered[int(len(ordered) * share)] for share in (0.95, 0.99))
    print(f"{what}: median {1000 * statistics.median(ordered):.1f} ms, p95 {p95:.1f}, p99 {p99:.1f}")
    return p95
