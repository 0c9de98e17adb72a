"""The gateway's own time for a question: the total without the store's and a model's.

The sample's questions are asked of the application as a web server would, over the built-in graph, with the
index open and each question asked before. The time of the search for a program (by the reasoner and by the
drafter), and that of the store, are measured separately. The rest is the gateway's own: reading the request,
linking, judging, grounding, compiling, checking, wording, storing the trace,
writing the document.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from nlq_gateway.answering import Pipeline
from nlq_gateway.edges.http import create_app
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.settings import SAMPLE, Settings

TARGET_MS = 10.0
_ROW = "{:<44} {:>9} {:>9} {:>9} {:>9}"


_inside = threading.local()


@dataclass
class Clock:
    """Milliseconds spent in the wrapped calls, unless another clock measures them already."""

    now: Callable[[], float]
    spent_ms: float = 0.0

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, timed."""

        def timed(*arguments: Any, **named: Any) -> Any:
            if getattr(_inside, "timed", False):
                return call(*arguments, **named)
            _inside.timed = True
            begun = self.now()
            try:
                return call(*arguments, **named)
            finally:
                _inside.timed = False
                self.spent_ms += (self.now() - begun) * 1000

        return timed

    def taken(self) -> float:
        """The time spent since the last call."""
        spent, self.spent_ms = self.spent_ms, 0.0
        return spent


@dataclass(frozen=True)
class Asked:
    """Milliseconds of one question: in all, in the search for a program, in the store besides."""

    total: float
    search: float
    store: float

    @property
    def own(self) -> float:
        """The time of the gateway itself."""
        return self.total - self.search - self.store


@contextmanager
def served(now: Callable[[], float] = time.perf_counter) -> Iterator[tuple[FlaskClient, Clock, Clock]]:
    """A client of the application, and what times the search and the store."""
    with tempfile.TemporaryDirectory() as folder:
        gateway: Any = Pipeline(Settings.for_data([SAMPLE]))
        endpoint = gateway.endpoint(None)
        endpoint.prepare()
        traces = TraceStore(Path(folder) / "traces.sqlite")
        search, store = Clock(now), Clock(now)
        gateway.propose = search.around(gateway.propose)
        connector = endpoint.connector
        connector.query = store.around(connector.query)
        yield create_app(gateway, traces).test_client(), search, store
        traces.close()
        gateway.close()


def questions(limit: int) -> list[str]:
    """The sample's own."""
    text = (resources.files("nlq_gateway.sample") / "questions.jsonl").read_text(encoding="utf-8")
    return [json.loads(line)["question"] for line in text.splitlines() if line][:limit]


def measured(asked: Sequence[str], times: int, now: Callable[[], float]) -> dict[str, list[Asked]]:
    """Each question, asked once before and then so many times."""
    found: dict[str, list[Asked]] = {question: [] for question in asked}
    with served(now) as (client, search, store):
        for attempt in range(times + 1):
            for question in asked:
                search.taken(), store.taken()
                begun = now()
                response = client.post("/nlq", json={"question": question})
                total = (now() - begun) * 1000
                assert response.status_code == 200, response.text
                if attempt:
                    found[question].append(Asked(total, search.taken(), store.taken()))
    return found


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks overhead", description=__doc__)
    parser.add_argument("--questions", type=int, default=40, help="of the sample's questions (40)")
    parser.add_argument("--times", type=int, default=10, help="how often each is asked (10)")
    parser.add_argument(
        "--cpu",
        action="store_true",
        help="processor time of the thread that answers, for a machine that is busy",
    )
    options = parser.parse_args(arguments)
    now = time.thread_time if options.cpu else time.perf_counter
    found = measured(questions(options.questions), options.times, now)
    kind = "processor" if options.cpu else "wall"
    print(f"The gateway's own time for a question, ms of {kind} time, medians\n")
    print(_ROW.format("question", "total", "search", "store", "own"))
    medians = {question: _median(all_) for question, all_ in found.items()}
    for question, one in sorted(medians.items(), key=lambda pair: pair[1].own):
        print(_ROW.format(question[:44], *_cells(one)))
    every = [one for all_ in found.values() for one in all_]
    own = sorted(one.own for one in every)
    print(_ROW.format("all: median", *_cells(_median(every))))
    p95 = own[int(len(own) * 0.95)]
    verdict = "held" if statistics.median(own) <= TARGET_MS else "missed"
    p50 = statistics.median(own)
    print(f"\nown time p50 {p50:.1f} ms, p95 {p95:.1f} ms; target {TARGET_MS:.0f} ms: {verdict}\n")


def _median(asked: Sequence[Asked]) -> Asked:
    own, search, store = (
        statistics.median(getattr(one, part) for one in asked) for part in ("own", "search", "store")
    )
    return Asked(own + search + store, search, store)


def _cells(asked: Asked) -> Sequence[str]:
    return [f"{value:.1f}" for value in (asked.total, asked.search, asked.store, asked.own)]
