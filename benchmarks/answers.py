"""How well the default strategy answers: the sample's questions, and MetaQA where its data is.

The peer column quotes BYOKG (Agarwal et al. 2024, table 2: MPT-7B on GPUs, unsupervised, hits@1 and F1 on
MetaQA's test split); it is not measured here, and the split differs.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from nlq_gateway.evaluation import evaluate, read_questions
from nlq_gateway.pipeline import Gateway
from nlq_gateway.settings import SAMPLE, Settings

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
_BYOKG = {1: "0.953 / 0.948", 2: "0.819 / 0.803", 3: "0.757 / 0.565"}
_ROW = "{:<16} {:>9} {:>7} {:>7} {:>7} {:>8} {:>8} {:>15}"


@dataclass(frozen=True, slots=True)
class Case:
    """One question file over one graph."""

    name: str
    data: str
    questions: Path
    peer: str = "-"


def cases(data: Path) -> Iterator[Case]:
    """What can be run here."""
    sample = Path(str(resources.files("nlq_gateway.sample")))
    yield Case("sample", SAMPLE, sample / "questions.jsonl")
    graph = data / "metaqa" / "kg.nt.gz"
    if graph.is_file():
        for hops, peer in _BYOKG.items():
            yield Case(f"MetaQA, {hops} hop", str(graph), data / "metaqa" / f"{hops}hop.dev.jsonl.gz", peer)


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks answers", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the benchmark data")
    parser.add_argument("--limit", type=int, default=300, help="questions of each file (300)")
    options = parser.parse_args(arguments)
    print("Default strategy, no model\n")
    print(_ROW.format("graph", "questions", "hits@1", "f1", "exact", "p50 ms", "p95 ms", "BYOKG"))
    for case in cases(options.data):
        gateway = Gateway(Settings.for_data([case.data]))
        gateway.endpoint(None).prepare()
        report = evaluate(gateway, read_questions(str(case.questions), options.limit))
        quality = (f"{report[key]:.3f}" for key in ("hits_at_1", "f1", "exact"))
        times = (f"{report['latency_ms'][key]:.0f}" for key in ("p50", "p95"))
        print(_ROW.format(case.name, report["n"], *quality, *times, case.peer), flush=True)
        gateway.close()
    if not (options.data / "metaqa").is_dir():
        print("\nMetaQA's data is not here: name its folder with --data")
    print()
