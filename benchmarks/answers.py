"""How well the default strategy answers: the sample's questions, and MetaQA where its data is.

The peer column quotes BYOKG (Agarwal et al. 2024, table 2: MPT-7B on GPUs, unsupervised, hits@1 and F1 on
MetaQA's test split); it is not measured here, and the split differs.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from itertools import islice
from pathlib import Path

from benchmarks.pools import write_pool
from nlq_gateway.evaluation import Question, evaluate, read_questions
from nlq_gateway.pipeline import Gateway
from nlq_gateway.settings import SAMPLE, Settings

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
_BYOKG = {1: "0.953 / 0.948", 2: "0.819 / 0.803", 3: "0.757 / 0.565"}
_ROW = "{:<16} {:>9} {:>7} {:>7} {:>7} {:>8} {:>8} {:>15}"


@dataclass(frozen=True, slots=True)
class Case:
    """One question file over one graph; `examples` is a pool of demonstrations, made of questions `taken`."""

    name: str
    data: str
    questions: Path
    peer: str = "-"
    examples: Path | None = None
    taken: frozenset[str] = frozenset()

    def asked(self, limit: int) -> Iterator[Question]:
        """The first so many questions that are not among the demonstrations."""
        return islice((one for one in read_questions(str(self.questions)) if one.id not in self.taken), limit)


def cases(data: Path) -> Iterator[Case]:
    """What can be run here."""
    sample = Path(str(resources.files("nlq_gateway.sample")))
    yield Case("sample", SAMPLE, sample / "questions.jsonl")
    graph = data / "metaqa" / "kg.nt.gz"
    if graph.is_file():
        for hops, peer in _BYOKG.items():
            yield Case(f"MetaQA, {hops} hop", str(graph), data / "metaqa" / f"{hops}hop.dev.jsonl.gz", peer)


def with_pool(found: Sequence[Case], folder: Path, size: int, each: bool) -> Iterator[Case]:
    """MetaQA's cases with one pool of so many demonstrations from all of them, or with one for each."""
    files = [case.questions for case in found if case.peer != "-"]
    target = folder / "pool.jsonl"
    taken = frozenset() if each or not files else write_pool(target, files, size)
    for case in found:
        if case.peer == "-":
            continue
        if each:
            target = folder / f"{case.questions.name}.jsonl"
            taken = write_pool(target, [case.questions], size)
        yield replace(case, examples=target, taken=taken)


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks answers", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the benchmark data")
    parser.add_argument("--limit", type=int, default=300, help="questions of each file (300)")
    parser.add_argument("--pool", type=int, help="so many of MetaQA's questions are demonstrations")
    parser.add_argument("--each", action="store_true", help="a pool for each file, in place of one for all")
    options = parser.parse_args(arguments)
    found = list(cases(options.data))
    with tempfile.TemporaryDirectory() as folder:
        if options.pool:
            found = list(with_pool(found, Path(folder), options.pool, options.each))
        _print(found, options.limit)
    if not (options.data / "metaqa").is_dir():
        print("\nMetaQA's data is not here: name its folder with --data")
    print()


def _print(found: Sequence[Case], limit: int) -> None:
    print("Default strategy, no model\n")
    print(_ROW.format("graph", "questions", "hits@1", "f1", "exact", "p50 ms", "p95 ms", "BYOKG"))
    for case in found:
        gateway = Gateway(Settings.for_data([case.data], examples=case.examples))
        gateway.endpoint(None).prepare()
        report = evaluate(gateway, case.asked(limit))
        quality = (f"{report[key]:.3f}" for key in ("hits_at_1", "f1", "exact"))
        times = (f"{report['latency_ms'][key]:.0f}" for key in ("p50", "p95"))
        print(_ROW.format(case.name, report["n"], *quality, *times, case.peer), flush=True)
        gateway.close()
