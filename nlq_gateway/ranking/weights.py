"""What each feature counts: shipped weights, learned by `python -m training.ranking`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from nlq_gateway.ranking.features import FEATURES

FILE = "weights.json"


@dataclass(frozen=True, slots=True)
class Weights:
    """A number for each feature, in words of the question; 0 for those that are not named."""

    numbers: Mapping[str, float]

    def __getitem__(self, name: str) -> float:
        """The weight of the feature with this name."""
        return self.numbers.get(name, 0.0)

    def score(self, features: Mapping[str, float]) -> float:
        """The weighted sum of the features."""
        return sum(self[name] * value for name, value in features.items())

    @classmethod
    def of(cls, numbers: Mapping[str, float]) -> Weights:
        """Weights by name; raises ValueError for a name that is no feature."""
        unknown = numbers.keys() - FEATURES.keys()
        if unknown:
            raise ValueError(f"no features of the ranking: {', '.join(sorted(unknown))}")
        return cls({name: float(number) for name, number in numbers.items()})


# Prices set by hand, which learning is held to.
PRIOR = Weights(
    {"score": 1.0, "worth": 1.0, "agreed": 0.3, "likeness": 0.3, "from drafter": -2.0, "probability": 3.0}
)


@lru_cache(maxsize=1)
def shipped() -> Weights:
    """The weights that come with the package."""
    text = (resources.files(__package__) / FILE).read_text(encoding="utf-8")
    return Weights.of(json.loads(text)["weights"])
