"""The processor time of a question by stage, of the default strategy without a language model.

New questions are asked of a gateway in this process, whose index is open and whose networks are loaded, one
at a time. The figures are the processor time of the whole process, so that a busy machine changes little; a
stage's own time leaves out that of the store, which has a row for itself.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from benchmarks.answers import DATA, Case, cases
from connectors.observing import STORE, watch
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.attempt import Ask
from nlq_gateway.neural import runtime
from nlq_gateway.offline.evaluation import read_questions
from nlq_gateway.settings import Settings

GRAPHS = ("sample", "MetaQA, 2 hop", "KQA Pro, unseen")
# Warm-up questions, which load and cache everything that is loaded once.
WARM = 5
OTHER, TOTAL = "other", "total"
_STAGES = (*"link generate draft demonstrate judge ground compile execute probe".split(), STORE)
_STAGE, _CELL = "{:<14}", " {:>11}"


@dataclass
class Meter:
    """Watches the work of one thread, and adds up the processor time of each piece without those inside."""

    milliseconds: Counter[str] = field(default_factory=Counter)
    _inside: list[str] = field(default_factory=lambda: [OTHER])
    _since: float = field(default_factory=time.process_time)

    @contextmanager
    def work(self, name: str, attributes: Mapping[str, str]) -> Iterator[None]:
        """See Watcher."""
        assert attributes is not None
        self._count()
        self._inside.append(name)
        try:
            yield
        finally:
            self._count()
            self._inside.pop()

    def headers(self) -> Mapping[str, str]:
        """See Watcher."""
        return {}

    def taken(self) -> Counter[str]:
        """Milliseconds by name since it was last asked."""
        self._count()
        found, self.milliseconds = self.milliseconds, Counter()
        return found

    def _count(self) -> None:
        now = time.process_time()
        self.milliseconds[self._inside[-1]] += (now - self._since) * 1000
        self._since = now


def measured(case: Case, limit: int) -> list[Counter[str]]:
    """The milliseconds of so many questions, by stage."""
    found = []
    for part in case.parts:
        gateway, meter = Pipeline(Settings.for_data(part.data)), Meter()
        gateway.endpoint(None).prepare()
        watch(meter)
        questions = [one.text for one in islice(read_questions(str(part.questions)), WARM + limit)]
        for number, question in enumerate(questions):
            meter.taken()
            gateway.ask(Ask(question))
            taken = meter.taken()
            if number >= WARM:
                found.append(Counter({**taken, TOTAL: sum(taken.values())}))
        watch()
        gateway.close()
    return found


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of all does not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks cost", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the benchmark data")
    parser.add_argument("--limit", type=int, default=100, help="questions of each graph (100)")
    parser.add_argument("--only", nargs="+", choices=GRAPHS, default=GRAPHS, help="graphs; all of them")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        chosen = [case for case in cases(options.data, Path(folder)) if case.name in options.only]
        columns = {case.name: measured(case, options.limit) for case in chosen}
    networks = "numpy" if runtime() is None else "onnxruntime"
    print(f"Processor time of a question, ms, networks in {networks}\n")
    _print(columns)


def _print(columns: Mapping[str, Sequence[Counter[str]]]) -> None:
    row = _STAGE + _CELL * 2 * len(columns)
    print(row.format("", *(cell for name in columns for cell in (name[:11], ""))))
    print(row.format("stage", *("median", "p95") * len(columns)))
    for stage in (*_STAGES, OTHER, TOTAL):
        cells = []
        for asked in columns.values():
            values = [one[stage] for one in asked]
            cells += [statistics.median(values), percentile(values, 0.95)]
        print(row.format(stage, *(f"{cell:.1f}" for cell in cells)))
    print()
