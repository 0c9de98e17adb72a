"""Learns the weights of the ranking from questions whose right answers are known.

    python -m training.ranking collect FOLDER [--graphs FOLDER --questions FOLDER]
    python -m training.ranking fit FOLDER

`collect` asks questions that the drafter has not learned, since it is too sure of those that it has: the
built-in graph's, some of KQA Pro's small set (the others measure), and those of GRAPH.jsonl over GRAPH.nt
in the folders given, for the graphs kept from training. Of each question it carries out the first
candidates, and writes to FOLDER/GRAPH.jsonl what is seen in them and which are right; graphs that are there
are passed over. `fit` leaves graphs out to choose how near weights stay to the prior, and writes them to
the package: the prior itself where learning does not help on graphs left out.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from tqdm import tqdm

from benchmarks.answers import DATA, KQAPRO_TEACHES, kqapro_questions
from compilers.kopl.notations import NOTATIONS
from connectors.errors import DataError, EndpointError
from nlq_gateway.errors import GatewayError
from nlq_gateway.evaluation import Question, read_questions
from nlq_gateway.evaluation.gold import gold_of
from nlq_gateway.pipeline import Gateway
from nlq_gateway.ranking import PRIOR, Weights
from nlq_gateway.settings import SAMPLE, Settings
from nlq_gateway.tuning import Choice, Collector, Listed, fitted
from training.examples import split_of

WEIGHTS = Path(str(resources.files("nlq_gateway.ranking") / "weights.json"))
PENALTIES = (1.0, 3.0, 10.0, 30.0, 100.0)
FOLDS = 6
LARGEST = 4_000_000  # bytes of a graph
PIECES = 8  # into which a graph of many questions is cut, to be left out one by one
MANY = 100
SEED = 7

Json = dict[str, Any]


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


def collect(target: Path, found: Sequence[Part], limit: int) -> None:
    """Write the candidates of at most so many questions of each part."""
    target.mkdir(parents=True, exist_ok=True)
    for part in tqdm(found, unit="graph", disable=None):
        file = target / f"{part.name}.jsonl"
        if file.is_file():
            continue
        try:
            lines = [json.dumps(record, ensure_ascii=False) for record in _collected(part, limit)]
        except (GatewayError, DataError) as error:
            print(f"{part.name}: {error}", file=sys.stderr)
            continue
        file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def _collected(part: Part, limit: int) -> Iterator[Json]:
    gateway = Gateway(Settings.for_data(part.data))
    gateway.endpoint(None).prepare()
    collector = Collector(gateway)
    questions = list(read_questions(str(part.questions)))
    Random(SEED).shuffle(questions)
    for question in islice(questions, limit):
        try:
            gold = gold_of(question, gateway.endpoint(None).connector)
            if gold:
                yield _record(question, collector.collect(question.text, gold, question.language))
        except EndpointError as error:
            print(f"{part.name}, {question.id}: {error}", file=sys.stderr)
    gateway.close()


def _record(question: Question, listed: Listed) -> Json:
    candidates = [
        {
            "program": NOTATIONS["steps"].write(one.ranked.draft.program),
            "source": one.ranked.draft.source,
            "tells": one.tells,
            "right": one.right,
            "features": {name: round(value, 4) for name, value in one.ranked.features.items()},
        }
        for one in listed.carried
    ]
    return {"id": question.id, "question": question.text, "candidates": candidates}


def read_choices(folder: Path) -> list[Choice]:
    """The candidates that `collect` wrote; a graph of many questions counts as several."""
    found: list[Choice] = []
    for file in sorted(folder.glob("*.jsonl")):
        lines = file.read_text(encoding="utf-8").splitlines()
        pieces = PIECES if len(lines) > MANY else 1
        found += (_choice(json.loads(line), f"{file.stem} {at % pieces}") for at, line in enumerate(lines))
    return found


def _choice(record: Json, group: str) -> Choice:
    telling = [one for one in record["candidates"] if one["tells"]]
    features, right = (tuple(one[name] for one in telling) for name in ("features", "right"))
    return Choice(features, right, group)


@dataclass(frozen=True, slots=True)
class Trial:
    """How many questions of graphs left out are right, gained and lost, with weights held by a penalty."""

    penalty: float
    right: int
    gained: int
    lost: int

    @property
    def helps(self) -> bool:
        """Whether more is gained than chance would."""
        return self.gained - self.lost > math.sqrt(self.gained + self.lost)


def trial(choices: Sequence[Choice], penalty: float) -> Trial:
    """Learn without some graphs, and rank their candidates."""
    groups = sorted({one.group for one in choices})
    Random(SEED).shuffle(groups)
    right = gained = lost = 0
    for fold in range(FOLDS):
        out = frozenset(groups[fold::FOLDS])
        weights = fitted([one for one in choices if one.group not in out], PRIOR, penalty)
        for one in choices:
            if one.group in out:
                before, after = one.is_right(PRIOR), one.is_right(weights)
                right, gained, lost = right + after, gained + (after > before), lost + (after < before)
    return Trial(penalty, right, gained, lost)


def fit(choices: Sequence[Choice]) -> Weights:
    """The weights to ship; prints what each penalty would give."""
    print(f"{len(choices)} questions, {sum(any(one.right) for one in choices)} with a right candidate")
    print(f"the prior: {sum(one.is_right(PRIOR) for one in choices)} right")
    trials = [trial(choices, penalty) for penalty in PENALTIES]
    for one in trials:
        print(f"penalty {one.penalty:g}: {one.right} right, {one.gained} gained, {one.lost} lost")
    best = max(trials, key=lambda one: (one.right, one.penalty))
    if not best.helps:
        print("learning does not help on graphs left out: the prior stays")
        return PRIOR
    print(f"penalty {best.penalty:g} it is")
    return fitted(choices, PRIOR, best.penalty)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(prog="python -m training.ranking", description=__doc__)
    parser.add_argument("command", choices=("collect", "fit"))
    parser.add_argument("folder", type=Path, help="where the candidates are")
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the benchmark data")
    parser.add_argument("--graphs", type=Path, help="folder of GRAPH.nt")
    parser.add_argument("--questions", type=Path, help="folder of GRAPH.jsonl")
    parser.add_argument("--limit", type=int, default=1_000, help="questions of each graph (1000)")
    options = parser.parse_args(arguments)
    if options.command == "fit":
        numbers = {
            name: number for name, number in fit(read_choices(options.folder)).numbers.items() if number
        }
        WEIGHTS.write_text(json.dumps({"weights": numbers}, indent=2) + "\n", encoding="utf-8")
        return
    with tempfile.TemporaryDirectory() as folder:
        found = list(parts(options.data, options.graphs, options.questions, Path(folder)))
        collect(options.folder, found, options.limit)


if __name__ == "__main__":
    main()
