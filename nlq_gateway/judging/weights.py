"""What each number counts: learned by `python -m training.judging.fit`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from nlq_gateway.judging.evidence import AFTER, BEFORE, probability

FILE = "weights.json"


@dataclass(frozen=True, slots=True)
class Weights:
    """A number for each of `BEFORE`, in log odds; 0 for those that are not named."""

    numbers: Mapping[str, float]

    def __getitem__(self, name: str) -> float:
        """The weight of the number with this name."""
        return self.numbers.get(name, 0.0)

    def score(self, found: Mapping[str, float]) -> float:
        """The weighted sum."""
        return sum(self[name] * value for name, value in found.items())

    @classmethod
    def of(cls, numbers: Mapping[str, float]) -> Weights:
        """Weights by name; raises ValueError for a name that is not among `BEFORE`."""
        unknown = numbers.keys() - BEFORE.keys()
        if unknown:
            raise ValueError(f"the judge knows no {', '.join(sorted(unknown))}")
        return cls({name: float(number) for name, number in numbers.items()})


@dataclass(frozen=True, slots=True)
class Chances:
    """A logistic regression. What is not known counts as the mean over what it was fitted on."""

    bias: float
    weights: Mapping[str, float]
    means: Mapping[str, float]

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Chances:
        """That of a parsed file; raises ValueError for a name that is not among `AFTER`."""
        if unknown := document["weights"].keys() - AFTER.keys():
            raise ValueError(f"the judge knows no {', '.join(sorted(unknown))}")
        return cls(float(document["bias"]), document["weights"], document["means"])

    def as_json(self) -> dict[str, Any]:
        """The file's content."""
        weights = {name: round(weight, 4) for name, weight in self.weights.items()}
        means = {name: round(self.means[name], 4) for name in self.weights}
        return {"bias": round(self.bias, 4), "weights": weights, "means": means}

    def probability(self, found: Mapping[str, float]) -> float:
        """The probability that an answer with these numbers is right."""
        known = (
            weight * (found.get(name, self.means[name]) - self.means[name])
            for name, weight in self.weights.items()
        )
        return probability(self.bias + sum(known))


@lru_cache(maxsize=1)
def _file() -> Mapping[str, Any]:
    text = resources.files(__package__).joinpath(FILE).read_text(encoding="utf-8")
    document: Mapping[str, Any] = json.loads(text)
    return document


@lru_cache(maxsize=1)
def shipped() -> Weights:
    """What counts before candidates are run: the package's own."""
    return Weights.of(_file()["before"])


@lru_cache(maxsize=1)
def chances() -> Chances:
    """What counts once candidates ran: the package's own."""
    return Chances.of(_file()["after"])
