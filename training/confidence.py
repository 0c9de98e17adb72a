"""Fits the weights by which the gateway tells how sure it is.

    python -m training.confidence collect --graphs FOLDER --questions FOLDER --out outcomes.jsonl
    python -m training.confidence fit outcomes.jsonl
    python -m training.confidence table outcomes.jsonl

The first asks, and writes what came of it; the second fits, and writes the weights; this and the third
print how reliable the shipped weights are. The questions are of graphs that the drafter has not learned;
questions about what a graph lacks are made of them (`benchmarks.absent`).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.answers import DATA, KQAPRO_TEACHES, kqapro_questions
from benchmarks.rooms import Room, needs_of, outcomes
from nlq_gateway.confidence import MEANINGS, SURE_ENOUGH, Model
from nlq_gateway.confidence.model import FILE, bound
from nlq_gateway.evaluation import read_questions
from nlq_gateway.evaluation.calibration import Claim, calibration_error, reliability
from nlq_gateway.settings import SAMPLE
from training.crowd import crowd
from training.examples import split_of

LARGEST = 4_000_000  # bytes of a graph
SHIPPED = Path(str(resources.files("nlq_gateway.confidence"))) / FILE
_STEPS, _RATE, _SHRINK, _TINY = 4000, 2.0, 0.002, 1e-9
# So much of the weight have the questions about what is not there, however many were asked.
_ABSENT = 0.4

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Part:
    """Questions over a graph."""

    name: str
    data: tuple[str, ...]
    questions: Path


def parts(data: Path, graphs: Path | None, questions: Path | None, folder: Path) -> Iterator[Part]:
    """What can be asked here; `folder` takes question files in this project's form."""
    sample = Path(str(resources.files("nlq_gateway.sample") / "questions.jsonl"))
    yield Part("sample", (SAMPLE,), sample)
    mini = data / "kqapro" / "mini"
    if mini.is_dir():
        file = kqapro_questions(mini / "programs.jsonl.gz", folder / "kqapro.jsonl", KQAPRO_TEACHES)
        yield Part("kqapro", (str(mini / "kb.ttl.gz"),), file)
    if graphs and questions:
        for file in sorted(questions.glob("*.jsonl")):
            graph = graphs / f"{file.stem}.nt"
            if split_of(file.stem) == "dev" and graph.stat().st_size < LARGEST:
                yield Part(file.stem, (str(graph),), file)


@dataclass(frozen=True, slots=True)
class Record:
    """One outcome: the features of an answer with values, and whether it is right."""

    graph: str
    absent: bool
    answered: bool
    right: float
    features: dict[str, float]

    @classmethod
    def read(cls, files: Sequence[Path]) -> list[Record]:
        """The records of JSON Lines files."""
        lines = (line for file in files for line in file.read_text(encoding="utf-8").splitlines())
        return [cls(**json.loads(line)) for line in lines]


def rooms(found: Iterable[Part]) -> Iterator[Room]:
    """The graphs with their questions."""
    for part in found:
        yield Room(part.name, part.data, tuple(read_questions(str(part.questions))))


def crowded(found: Iterable[Part], facts: Path, folder: Path) -> Iterator[Part]:
    """The parts, and KQA Pro's graph once more, among many other names."""
    for part in found:
        yield part
        if part.name == "kqapro" and facts.is_file():
            more = crowd(Path(part.data[0]), facts, folder / "crowd.nt")
            yield Part("kqapro in a crowd", (*part.data, str(more)), part.questions)


def collect(found: Iterable[Part], target: Path, size: int, absent: int) -> None:
    """Ask in every room, and in each what the one before it knows; a line for every outcome."""
    with target.open("w", encoding="utf-8") as file:
        all_rooms = list(rooms(found))
        before = needs_of(all_rooms[-1])
        for room in all_rooms:
            for one in outcomes(room, size, absent, before):
                record = Record(room.name, one.question.unanswerable, one.answered, one.right, one.features)
                file.write(json.dumps({name: getattr(record, name) for name in Record.__slots__}) + "\n")
            file.flush()
            before = needs_of(room)
            print(room.name, file=sys.stderr, flush=True)


def fit(records: Sequence[Record], meanings: Iterable[str] = MEANINGS) -> Model:
    """The logistic regression without negative weights of these features, by projected gradients."""
    kept = [record for record in records if record.answered and record.features]
    names = [name for name in meanings if any(name in record.features for record in kept)]
    values = np.array([[record.features.get(name, np.nan) for name in names] for record in kept])
    right = np.array([record.right for record in kept])
    absent = np.array([record.absent for record in kept])
    asked = sum(record.absent for record in records)
    weight = _ABSENT / (1 - _ABSENT) * (len(records) - asked) / max(asked, 1)
    shares = np.where(absent, weight, 1.0)
    known = ~np.isnan(values)
    means = np.nansum(values * shares[:, None], axis=0) / (known * shares[:, None]).sum(axis=0)
    inputs = np.where(known, values - means, 0.0)
    bounds = np.array([bound(record.features) for record in kept])
    bias, weights = _regress(inputs, right, bounds, shares)
    return Model(
        bias,
        {name: float(weight) for name, weight in zip(names, weights, strict=True)},
        {name: float(mean) for name, mean in zip(names, means, strict=True)},
    )


def _regress(inputs: Numbers, right: Numbers, bounds: Numbers, shares: Numbers) -> tuple[float, Numbers]:
    """The likeliest bias and weights where the probability is the bound times the logistic function."""
    bias, weights = 0.0, np.zeros(inputs.shape[1])
    for _ in range(_STEPS):
        free = 1 / (1 + np.exp(-(inputs @ weights + bias)))
        wrong = (1 - right) * bounds * free / (1 - bounds * free + _TINY)
        miss = (wrong - right) * (1 - free) * shares
        bias -= _RATE * float(miss.mean())
        weights = np.maximum(0.0, weights - _RATE * (inputs.T @ miss / len(right) + _SHRINK * weights))
    return bias, weights


def table(records: Sequence[Record], model: Model) -> Iterator[str]:
    """Reliability, and what a threshold would keep back."""
    kept = [(record, model.probability(record.features)) for record in records if record.features]
    answers = [(record, sure) for record, sure in kept if record.answered]
    bins = reliability(Claim(sure, record.right) for record, sure in answers)
    for row in bins:
        yield f"{row.begin:4.0%} – {row.end:<5.0%} {row.n:6} {row.confidence:8.3f} {row.right:8.3f}"
    yield f"expected calibration error {calibration_error(bins):.3f} over {len(answers)} answers"
    absent = sum(record.absent for record in records)
    right = sum(record.right for record, _ in answers)
    for threshold in sorted({*(number / 20 for number in range(1, 13)), SURE_ENOUGH}):
        invented = sum(record.absent and sure >= threshold for record, sure in answers)
        lost = sum(record.right for record, sure in answers if sure < threshold)
        kept_back = f"keeps back {lost / right:.1%} of the right"
        yield f"at {threshold:.2f}: answers {invented} of {absent} about what is not there, {kept_back}"


def main(arguments: Sequence[str]) -> None:
    """Collect, fit or print the table."""
    parser = argparse.ArgumentParser(prog="python -m training.confidence", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    asking = commands.add_parser("collect")
    asking.add_argument("--data", type=Path, default=DATA, help="folder with the benchmark data")
    asking.add_argument("--graphs", type=Path, help="folder of GRAPH.nt")
    asking.add_argument("--questions", type=Path, help="folder of GRAPH.jsonl")
    asking.add_argument("--out", type=Path, required=True)
    asking.add_argument("--size", type=int, default=120, help="questions of each that have an answer (120)")
    asking.add_argument("--absent", type=int, default=3, help="of each graph and kind that have none (3)")
    for name in ("fit", "table"):
        commands.add_parser(name).add_argument("records", type=Path, nargs="+")
    options = parser.parse_args(arguments)
    if options.command == "collect":
        with tempfile.TemporaryDirectory() as folder:
            found = parts(options.data, options.graphs, options.questions, Path(folder))
            facts = options.data / "kqapro" / "facts.partial.jsonl.gz"
            collect(crowded(found, facts, Path(folder)), options.out, options.size, options.absent)
        return
    records = Record.read(options.records)
    model = fit(records) if options.command == "fit" else Model.shipped()
    if options.command == "fit":
        SHIPPED.write_text(json.dumps(model.as_json(MEANINGS), indent=2) + "\n", encoding="utf-8")
    print("\n".join(table(records, model)))


if __name__ == "__main__":
    main(sys.argv[1:])
