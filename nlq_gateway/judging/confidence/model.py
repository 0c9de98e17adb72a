"""A logistic regression from features to a probability; its weights are never negative.

So more of a feature never makes an answer less sure. A feature that is not known counts as the mean.
However much speaks for an answer, some of the probability is left where it is of another kind than was asked
for, or a name was taken out of a longer one; and a program of a language model is no surer than the model was
of what it wrote: `BOUNDS` multiplies. Such programs have features and weights of their own (few_shot.py).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from nlq_gateway.judging.evidence import probability

FILE, FEW_SHOT = "weights.json", "few_shot.json"
# By feature: what is left of the probability where it is 0, and from where on nothing is taken.
BOUNDS: Mapping[str, tuple[float, float]] = {
    "unbroken": (0.5, 1.0),
    "certain_of_none": (0.0, 1.0),
    "kind": (0.4, 1.0),
    "first": (0.0, 0.9),
    "grounded": (0.2, 0.6),
    "fluent": (0.2, 0.6),
    "run": (0.0, 0.5),
}


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """The weights of features, and their means over the questions that the weights were fitted on."""

    bias: float
    weights: Mapping[str, float]
    means: Mapping[str, float]

    @classmethod
    @lru_cache(maxsize=2)
    def shipped(cls, file: str = FILE) -> ConfidenceModel:
        """The model of this version: of the sources that keep to the question, or of a language model."""
        text = resources.files("nlq_gateway.judging.confidence").joinpath(file).read_text(encoding="utf-8")
        return cls.of(json.loads(text))

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> ConfidenceModel:
        """The model of a parsed file."""
        features = document["features"]
        weights = {name: float(feature["weight"]) for name, feature in features.items()}
        means = {name: float(feature["mean"]) for name, feature in features.items()}
        return cls(float(document["bias"]), weights, means)

    def as_json(self, meanings: Mapping[str, str]) -> dict[str, Any]:
        """The file's content, with what each feature means."""
        features = {
            name: {"weight": round(weight, 4), "mean": round(self.means[name], 4), "meaning": meanings[name]}
            for name, weight in self.weights.items()
        }
        return {"bias": round(self.bias, 4), "features": features}

    def probability(self, found: Mapping[str, float]) -> float:
        """The probability that an answer with these features is right."""
        known = (
            weight * (found.get(name, self.means[name]) - self.means[name])
            for name, weight in self.weights.items()
        )
        return bound(found) * probability(self.bias + sum(known))


def bound(found: Mapping[str, float]) -> float:
    """The share of the probability that the bounds leave."""
    left = 1.0
    for name, (least, enough) in BOUNDS.items():
        left *= least + (1 - least) * min(1.0, found.get(name, 1.0) / enough)
    return left
