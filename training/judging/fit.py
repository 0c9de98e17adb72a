"""Learns what the network's reading counts beside other evidence: `python -m training.judging.fit`.

The weights come from graphs that the network did not learn from, the ten development graphs of Spider4SPARQL;
the table is of the graphs that were kept out of everything. Written is `nlq_gateway/judging/weights.json`.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from compilers.kopl.notations import read_program
from nlq_gateway.choosing import COMPARED, REACH
from nlq_gateway.judging import BEFORE, Candidate, Chances, Ran, after
from nlq_gateway.judging.evidence import before, has_own
from nlq_gateway.judging.weights import FILE
from nlq_gateway.types import Draft
from training.judging.network import Judge
from training.judging.train import Asked, auc, read, scored
from training.pack import published_encoder

SHIPPED = Path(str(resources.files("nlq_gateway.judging"))) / FILE
FITS = "dev "
_ABSENT = 2.0
_ROUNDS, _RATE, _SHRINK = 400, 0.03, 0.003

Json = dict[str, Any]
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what is known of each candidate before it is run."""

    asked: Asked
    numbers: list[int]
    evidence: list[dict[str, float]]

    @classmethod
    def of(cls, asked: Asked, readings: Sequence[float]) -> Question:
        """What the judge would know; made-up candidates are left out."""
        records = asked.record["candidates"]
        numbers = [n for n, one in enumerate(records) if one["sources"] not in (["gold"], ["mutant"])]
        made = {n: _candidate(records[n]) for n in numbers}
        best = max((one.draft.score for one in made.values() if has_own(one)), default=0.0)
        return cls(asked, numbers, [before(made[n], float(readings[n]), best) for n in numbers])

    def record(self, at: int) -> Json:
        """What was collected of a candidate."""
        found: Json = self.asked.record["candidates"][self.numbers[at]]
        return found

    def right(self, at: int) -> bool:
        """Whether a candidate gives the right answer."""
        return self.asked.right[self.numbers[at]]

    @property
    def telling(self) -> list[int]:
        """The candidates that find something."""
        return [at for at in range(len(self.numbers)) if self.record(at)["tells"]]

    def taken(self, weights: Array) -> tuple[int, dict[str, float]] | None:
        """The candidate that the gateway would take, with what is known then; None where none tells."""
        scores = [float(np.dot(weights, list(one.values()))) for one in self.evidence]
        order = sorted(range(len(scores)), key=lambda at: (self.record(at)["impossible"], -scores[at]))
        ran: list[Ran] = []
        best: int | None = None
        for at in order:
            if best is not None and (len(ran) >= COMPARED or scores[at] < scores[best] - REACH):
                break
            tells = self.record(at)["tells"]
            ran.append(Ran(scores[at], self.record(at)["key"] if tells else None))
            best = at if best is None and tells else best
        if best is None:
            return None
        return best, after(next(one for one in ran if one.answer is not None), ran)


def _candidate(record: Json) -> Candidate:
    program = read_program(json.dumps(record["program"]))
    draft = Draft(program, record["sources"][0], record["own"], record["parts"])
    return Candidate(draft, frozenset(record["sources"]), record["worth"])


def order_weights(questions: Sequence[Question]) -> Array:
    """The weights by which right candidates come first: a listwise softmax regression."""
    lists = []
    for one in questions:
        right = [one.right(at) for at in one.telling]
        if any(right) and not all(right):
            values = [list(one.evidence[at].values()) for at in one.telling]
            lists.append((torch.tensor(values), torch.tensor(right)))
    weights = torch.zeros(len(BEFORE), requires_grad=True)
    optimizer = torch.optim.Adam([weights], lr=_RATE)
    for _ in range(_ROUNDS):
        losses = [torch.logsumexp(x @ weights, 0) - torch.logsumexp((x @ weights)[r], 0) for x, r in lists]
        _stepped(optimizer, torch.stack(losses).mean() + _SHRINK * (weights * weights).sum())
    found: Array = weights.detach().numpy().astype(np.float64)
    return found


def chances_of(found: Sequence[tuple[dict[str, float], bool, float]]) -> Chances:
    """The logistic regression of what is known of the candidates taken, with how much each counts."""
    values = torch.tensor([list(one.values()) for one, _, _ in found])
    right = torch.tensor([float(right) for _, right, _ in found])
    counts = torch.tensor([count for _, _, count in found])
    means, spread = values.mean(0), values.std(0) + 1e-6
    inputs = (values - means) / spread
    weights, bias = torch.zeros(values.shape[1], requires_grad=True), torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.Adam([weights, bias], lr=_RATE)
    for _ in range(_ROUNDS):
        losses = functional.binary_cross_entropy_with_logits(inputs @ weights + bias, right, reduction="none")
        _stepped(optimizer, (losses * counts).mean() + _SHRINK * (weights * weights).sum())
    names = list(found[0][0])
    scaled = (weights.detach() / spread).tolist()
    return Chances(
        float(bias.detach()[0]),
        dict(zip(names, scaled, strict=True)),
        dict(zip(names, means.tolist(), strict=True)),
    )


def _stepped(optimizer: torch.optim.Optimizer, loss: Tensor) -> None:
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def table(name: str, questions: Sequence[Question], weights: Array, chances: Chances) -> None:
    """Print how often the candidate taken is right, and what the probability says of that."""
    groups: defaultdict[str, list[Question]] = defaultdict(list)
    for one in questions:
        groups["absent" if one.asked.record["absent"] else one.asked.kind].append(one)
    for kind, inside in sorted(groups.items()):
        taken = [(one, found) for one in inside if (found := one.taken(weights)) is not None]
        sure = np.array([chances.probability(known) for _, (_, known) in taken])
        right = np.array([one.right(at) for one, (at, _) in taken])
        there = sum(any(one.right(at) for at in one.telling) for one, _ in taken)
        error = sum(
            here.sum() * abs(sure[here].mean() - right[here].mean())
            for low in np.arange(0, 1, 0.1)
            if (here := (sure >= low) & (sure < low + 0.1)).any()
        ) / max(1, len(sure))
        given = " ".join(
            f"@{least}: kept back {right[sure < least].sum() / max(1, right.sum()):.2f}"
            f" wrong {1 - right[sure >= least].mean() if (sure >= least).any() else 0:.2f}"
            f" of {(sure >= least).sum()}"
            for least in (0.4, 0.5, 0.6, 0.7)
        )
        chosen = f"right {right.sum()} of {there} ({right.sum() / max(1, there):.3f})"
        print(
            f"{name} {kind}: {len(inside)}, {chosen}, AUC {auc(sure, right):.3f}, error {error:.3f}, {given}"
        )


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
    fits = [one for one in found if one.asked.graph.startswith(FITS)]
    weights = order_weights(fits)
    taken = [(one, result) for one in fits if (result := one.taken(weights)) is not None]
    likely = chances_of(
        [(known, one.right(at), _ABSENT if one.asked.record["absent"] else 1.0) for one, (at, known) in taken]
    )
    table("fitted on", fits, weights, likely)
    table("kept out", [one for one in found if one not in fits], weights, likely)
    numbers = {name: round(float(one), 4) for name, one in zip(BEFORE, weights, strict=True)}
    # No question here has demonstrations: both are in words of the question.
    document = {
        "before": numbers | {"worth": numbers["own"]},
        "after": likely.as_json(),
    }
    SHIPPED.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
