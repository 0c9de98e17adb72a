"""Fits the weights of the confidence of a language model's programs.

    make bench ARGS="recorded --details outcomes.jsonl"
    python -m training.few_shot fit outcomes.jsonl
    python -m training.few_shot table outcomes.jsonl

The first replays the recorded replies; the second fits on their outcomes, and writes the weights; this and
the third print the calibration: of the shipped ones, and, set by set, of weights fitted on all others.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path

from nlq_gateway.judging.confidence import ConfidenceModel
from nlq_gateway.judging.confidence.few_shot import MEANINGS
from nlq_gateway.judging.confidence.model import FEW_SHOT
from nlq_gateway.offline.evaluation.calibration import Claim, calibration_error, reliability
from training.confidence import Record, fit

SHIPPED = Path(str(resources.files("nlq_gateway.judging.confidence"))) / FEW_SHOT
_ROW = "{:<26} {:>5} {:>7} {:>11} {:>18}"


def read(file: Path) -> list[Record]:
    """The outcomes of the questions, including those without an answer, which is evidence, too."""
    lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return [Record(one["set"], False, True, float(one["scores"]["only"][0]), one["parts"]) for one in lines]


def table(records: Sequence[Record], shipped: ConfidenceModel) -> Iterator[str]:
    """The calibration of confidence."""
    yield _ROW.format("set", "n", "right", "confidence", "calibration error")
    yield _row("all, with shipped weights", [(record, shipped) for record in records])
    left_out = []
    for name in dict.fromkeys(record.graph for record in records):
        inside = [record for record in records if record.graph == name]
        model = fit([record for record in records if record.graph != name], MEANINGS)
        left_out += [(record, model) for record in inside]
        yield _row(name, [(record, model) for record in inside])
    yield _row("all, each left out", left_out)


def _row(name: str, judged: Sequence[tuple[Record, ConfidenceModel]]) -> str:
    claims = [Claim(model.probability(record.features), record.right) for record, model in judged]
    right = sum(one.right for one in claims) / len(claims)
    sure = sum(one.confidence for one in claims) / len(claims)
    error = calibration_error(reliability(claims))
    return _ROW.format(name, len(claims), f"{right:.3f}", f"{sure:.3f}", f"{error:.3f}")


def main(arguments: Sequence[str]) -> None:
    """Fit, or print the table."""
    parser = argparse.ArgumentParser(prog="python -m training.few_shot", description=__doc__)
    parser.add_argument("command", choices=("fit", "table"))
    parser.add_argument("outcomes", type=Path, help="written by `benchmarks recorded --details`")
    options = parser.parse_args(arguments)
    records = [record for record in read(options.outcomes) if record.features]
    model = fit(records, MEANINGS) if options.command == "fit" else ConfidenceModel.shipped(FEW_SHOT)
    if options.command == "fit":
        SHIPPED.write_text(json.dumps(model.as_json(MEANINGS), indent=1) + "\n", encoding="utf-8")
    print("\n".join(table(records, model)))


if __name__ == "__main__":
    main(sys.argv[1:])
