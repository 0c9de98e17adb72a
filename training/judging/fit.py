"""Learns what the network's reading counts beside other evidence: `python -m training.judging.fit`.

The weights come from graphs that the network did not learn from: the ten development graphs of Spider4SPARQL,
a part of KQA Pro and the half `look` of `benchmarks.sure`. The table is of these, and of the graphs that were
kept out of everything. Written is `nlq_gateway/judging/weights.json`.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks.published import published_encoder
from compilers.kopl.notations import read_program
from nlq_gateway.answering.attempt import BOTTOM_UP
from nlq_gateway.core.types import Draft
from nlq_gateway.judging import BEFORE, Candidate
from nlq_gateway.judging.evidence import DRAFTED, WordsSaid, before, has_own
from nlq_gateway.judging.judge import SETTLED, WRITTEN
from nlq_gateway.judging.weights import FILE
from training.judging.network import Judge
from training.judging.train import Asked, read, scored

SHIPPED = Path(str(resources.files("nlq_gateway.judging"))) / FILE
FITS = "dev "
LIKE_THE_DRAFTERS = ("plain", "syn")
_UNLIKE = 3.0
_ROUNDS, _RATE, _SHRINK = 400, 0.03, 0.003

Json = dict[str, Any]
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the evidence on each candidate before it is run."""

    asked: Asked
    numbers: list[int]
    evidence: list[dict[str, float]]

    @classmethod
    def of(cls, asked: Asked, readings: Sequence[float] | NDArray[np.float32], without: str = "") -> Question:
        """The judge's evidence at run time; made-up candidates and those of `without` alone are left out."""
        records = asked.record["candidates"]
        numbers = [n for n, one in enumerate(records) if set(one["sources"]) - {"gold", "mutant", without}]
        made = {n: _candidate(records[n], without) for n in numbers}
        best = max((one.draft.score for one in made.values() if has_own(one)), default=0.0)
        said = {n: WordsSaid(**records[n]["said"]) for n in numbers}
        evidence = [before(made[n], float(readings[n]), best, said[n]) for n in numbers]
        return cls(asked, numbers, evidence)

    def record(self, at: int) -> Json:
        """The collected record of a candidate."""
        found: Json = self.asked.record["candidates"][self.numbers[at]]
        return found

    def right(self, at: int) -> bool:
        """True if a candidate gives the right answer."""
        return self.asked.right[self.numbers[at]]

    @property
    def telling(self) -> list[int]:
        """The candidates that find something."""
        return [at for at in range(len(self.numbers)) if self.record(at)["tells"]]

    def is_settled(self, at: int) -> bool:
        """True if the reasoner need not search where this candidate is the best without its drafts."""
        record = self.record(at)
        written = record["parts"].get(DRAFTED, -math.inf)
        return not record["impossible"] and written >= WRITTEN and self.evidence[at]["reading"] >= SETTLED

    def taken(self, weights: Array) -> int | None:
        """The candidate that the gateway would take: the first that finds something; None where none does."""
        scores = [float(np.dot(weights, list(one.values()))) for one in self.evidence]
        return min(self.telling, key=lambda at: (self.record(at)["impossible"], -scores[at]), default=None)


def _candidate(record: Json, without: str) -> Candidate:
    program = read_program(json.dumps(record["program"]))
    draft = Draft(program, record["sources"][0], record["own"], record["parts"])
    return Candidate(draft, frozenset(record["sources"]) - {without}, record["worth"])


def order_weights(questions: Sequence[Question]) -> Array:
    """The weights that rank right candidates first: a listwise softmax regression.

    Each kind of questions has the same total weight, and those over graphs unlike the drafter's have
    three times that weight.
    """
    lists, kinds = [], []
    for one in questions:
        right = [one.right(at) for at in one.telling]
        if any(right) and not all(right):
            values = [list(one.evidence[at].values()) for at in one.telling]
            lists.append((torch.tensor(values), torch.tensor(right)))
            kinds.append(one.asked.kind)
    many = Counter(kinds)
    counts = torch.tensor([(1.0 if kind in LIKE_THE_DRAFTERS else _UNLIKE) / many[kind] for kind in kinds])
    counts = counts / counts.mean()
    weights = torch.zeros(len(BEFORE), requires_grad=True)
    optimizer = torch.optim.Adam([weights], lr=_RATE)
    for _ in range(_ROUNDS):
        losses = [torch.logsumexp(x @ weights, 0) - torch.logsumexp((x @ weights)[r], 0) for x, r in lists]
        loss = (torch.stack(losses) * counts).mean() + _SHRINK * (weights * weights).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    found: Array = weights.detach().numpy().astype(np.float64)
    return found


def table(name: str, questions: Sequence[Question], weights: Array) -> None:
    """Print how often the candidate taken is right where one is."""
    groups: defaultdict[str, list[Question]] = defaultdict(list)
    for one in questions:
        groups[one.asked.kind].append(one)
    for kind, inside in sorted(groups.items()):
        there = [one for one in inside if any(one.right(at) for at in one.telling)]
        taken = ((one, one.taken(weights)) for one in there)
        right = sum(at is not None and one.right(at) for one, at in taken)
        print(
            f"{name} {kind}: {len(inside)}, right {right} of {len(there)}: {right / max(1, len(there)):.3f}"
        )


def effort(early: Sequence[Question], whole: Sequence[Question], weights: Array) -> None:
    """Print how many questions need no search, before any answer is looked at, and how many are then worse.

    `early` are the questions without the reasoner's drafts, `whole` the same with them.
    """
    settled = worse = 0
    for short, one in zip(early, whole, strict=True):
        first, at = short.taken(weights), one.taken(weights)
        if first is not None and at is not None and short.is_settled(first):
            settled += 1
            worse += one.right(at) and not short.right(first)
    print(f"of {len(whole)} questions {settled} need no search; {worse} of these are answered worse without")


def main() -> None:
    """Fit, print both tables, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--candidates", type=Path, required=True)
    parser.add_argument("--judge", type=Path, required=True, help="folder of judge.safetensors")
    options = parser.parse_args()
    network = Judge()
    encoder = published_encoder()
    assert encoder is not None
    network.load(encoder / "model.safetensors", options.judge / "judge.safetensors")
    asked = read(options.candidates, training=False)
    readings = scored(network.bfloat16(), asked)
    found = [Question.of(one, own) for one, own in zip(asked, readings, strict=True)]
    early = [Question.of(one, own, BOTTOM_UP) for one, own in zip(asked, readings, strict=True)]
    fits = [one for one in found if one.asked.graph.startswith(FITS)]
    weights = order_weights(fits)
    table("fitted on", fits, weights)
    table("kept out", [one for one in found if one not in fits], weights)
    effort(early, found, weights)
    numbers = {name: round(float(one), 4) for name, one in zip(BEFORE, weights, strict=True)}
    # No question here has demonstrations: both are in words of the question.
    numbers["worth"] = numbers["own"]
    SHIPPED.write_text(json.dumps(numbers, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
