"""Fits the weights of the confidence.

    python -m training.confidence collect --out outcomes.jsonl
    python -m training.confidence fit outcomes.jsonl
    python -m training.confidence table outcomes.jsonl

The first asks, and writes the outcomes; the second fits, and writes the weights; this and the third print the
calibration of the shipped weights. The questions are of graphs that neither drafter nor judge learned from,
and not those that measure the judge: the sets for development, and one in ten of the graphs that a model made
up (`training.written`). Questions about absent things are made of them (`benchmarks.absent`).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from importlib import resources
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.answers import DATA, KQAPRO_TEACHES, kqapro_questions, written
from benchmarks.rooms import Room, needs_of, outcomes
from benchmarks.sure import QUESTIONS as SURE
from benchmarks.sure import data_of, read_asked
from nlq_gateway.judging.confidence import MEANINGS, SURE_ENOUGH, ConfidenceModel
from nlq_gateway.judging.confidence.model import BOUNDS, FILE, bound
from nlq_gateway.offline.evaluation import read_questions
from nlq_gateway.offline.evaluation.calibration import Claim, calibration_error, reliability
from training.crowd import crowd
from training.examples import split_of
from training.judging.collect import Collecting, Part, questions_of
from training.written import own_graphs, read_written

SHIPPED = Path(str(resources.files("nlq_gateway.judging.confidence"))) / FILE
_STEPS, _RATE, _SHRINK, _TINY = 4000, 2.0, 0.002, 1e-9
# The share of the weight of questions about absent things, for any number of them: one in ten.
_ABSENT = 0.1
# For each question about an absent thing, so many reworded ones.
_REWORDED = 4
# Questions of other graphs whose names and words are taken.
_OTHERS = 300
# The name of a made-up graph begins so.
_OWN = "own"
# Features that bound the probability have no weight.
_WEIGHED = tuple(name for name in MEANINGS if name not in BOUNDS)

Numbers = NDArray[np.float64]


def rooms(data: Path, folder: Path) -> Iterator[Room]:
    """Graphs that neither drafter nor judge learned from; `folder` takes the files written for them."""
    mini = data / "kqapro" / "mini"
    file = kqapro_questions(mini / "programs.jsonl.gz", folder / "kqapro.jsonl", KQAPRO_TEACHES)
    kqapro = Room("kqapro", (str(mini / "kb.ttl.gz"),), tuple(read_questions(str(file))))
    yield kqapro
    more = crowd(mini / "kb.ttl.gz", data / "kqapro" / "facts.partial.jsonl.gz", folder / "crowd.nt")
    yield replace(kqapro, name="kqapro in a crowd", data=(*kqapro.data, str(more)))
    looked_at = (one for one in read_asked(SURE) if one.half == "look")
    for graph, asked in groupby(looked_at, key=lambda one: one.graph):
        yield Room(f"sure {graph}", (data_of(graph, folder),), tuple(one.question for one in asked))
    for part in written(measured=False):
        yield Room(f"written {part.questions.stem}", part.data, tuple(read_questions(str(part.questions))))
    for file in sorted((data / "spider4sparql").glob("*.ttl.gz")):
        name = file.name.removesuffix(".ttl.gz")
        for source in ("spider4sparql", "spider-syn"):
            questions = data / source / f"{name}.jsonl"
            if questions.is_file():
                yield Room(f"{source} {name}", (str(file),), tuple(read_questions(str(questions))))


def own_rooms() -> Iterator[Room]:
    """The graphs of development among those that a model made up, with what they cannot answer."""
    made = read_written()
    for name, file in own_graphs([graph for graph in made if split_of(graph) == "dev"]).items():
        collecting = Collecting(Part(name, (str(file),), tuple, mutated=False))
        with closing(collecting.gateway):
            asked = [
                replace(one, answers=collecting.gold(one) if one.program else ())
                for one in questions_of(made[name], name)
            ]
        known = tuple(one for one in asked if one.answers or one.unanswerable)
        yield Room(f"{_OWN} {name}", (str(file),), known)


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


def collect(found: Sequence[Room], target: Path, size: int, absent: int) -> None:
    """Ask in every room, and in each what the one before it knows; a line for every outcome."""
    before = [asked for room in found[-3:] for asked in needs_of(room)]
    with target.open("w", encoding="utf-8") as file:
        for room in found:
            for one in outcomes(room, size, absent, before, _REWORDED * absent):
                record = Record(room.name, one.question.unanswerable, one.answered, one.right, one.features)
                file.write(json.dumps({name: getattr(record, name) for name in Record.__slots__}) + "\n")
            file.flush()
            before = [*needs_of(room), *before][:_OTHERS]
            print(room.name, file=sys.stderr, flush=True)


def fit(records: Sequence[Record], meanings: Iterable[str]) -> ConfidenceModel:
    """The logistic regression without negative weights of these features, by projected gradients.

    That there is nothing is right or wrong where the graph knows; where it does not, it is neither.
    """
    kept = [record for record in records if record.features and (record.answered or not record.absent)]
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
    return ConfidenceModel(
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


def table(records: Sequence[Record], model: ConfidenceModel) -> Iterator[str]:
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
        kept_back = f"withholds {lost / right:.1%} of the right"
        yield f"at {threshold:.2f}: answers {invented} of {absent} about absent things, {kept_back}"


def main(arguments: Sequence[str]) -> None:
    """Collect, fit or print the table."""
    parser = argparse.ArgumentParser(prog="python -m training.confidence", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    asking = commands.add_parser("collect")
    asking.add_argument("--data", type=Path, default=DATA, help="folder with the benchmark data")
    asking.add_argument("--out", type=Path, required=True)
    asking.add_argument("--only", default="", help="graphs whose names begin so; all")
    asking.add_argument("--size", type=int, default=120, help="questions of each that have an answer (120)")
    asking.add_argument("--absent", type=int, default=3, help="of each graph and kind that have none (3)")
    for name in ("fit", "table"):
        commands.add_parser(name).add_argument("records", type=Path, nargs="+")
    options = parser.parse_args(arguments)
    if options.command == "collect":
        with tempfile.TemporaryDirectory() as folder:
            own = own_rooms() if _OWN.startswith(options.only[: len(_OWN)]) else ()
            every = (*rooms(options.data, Path(folder)), *own)
            found = [one for one in every if one.name.startswith(options.only)]
            collect(found, options.out, options.size, options.absent)
        return
    records = Record.read(options.records)
    model = fit(records, _WEIGHED) if options.command == "fit" else ConfidenceModel.shipped()
    if options.command == "fit":
        SHIPPED.write_text(json.dumps(model.as_json(MEANINGS), indent=2) + "\n", encoding="utf-8")
    print("\n".join(table(records, model)))


if __name__ == "__main__":
    main(sys.argv[1:])
