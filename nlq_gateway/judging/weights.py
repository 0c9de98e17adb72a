"""The weights of the features, learned by `python -m training.judging.fit`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from nlq_gateway.judging.evidence import BEFORE

FILE = "weights.json"


@dataclass(frozen=True, slots=True)
class JudgeWeights:
    """A number for each of `BEFORE`, in log odds; 0 for those that are not named."""

    numbers: Mapping[str, float]

    def __getitem__(self, name: str) -> float:
        """The weight of the number with this name."""
        return self.numbers.get(name, 0.0)

    def score(self, found: Mapping[str, float]) -> float:
        """The weighted sum."""
        return sum(self[name] * value for name, value in found.items())

    @classmethod
    def of(cls, numbers: Mapping[str, float]) -> JudgeWeights:
        """Weights by name; raises ValueError for a name that is not among `BEFORE`."""
        unknown = numbers.keys() - BEFORE.keys()
        if unknown:
            raise ValueError(f"the judge knows no {', '.join(sorted(unknown))}")
        return cls({name: float(number) for name, number in numbers.items()})


@lru_cache(maxsize=1)
def shipped() -> JudgeWeights:
    """The package's own."""
    text = resources.files(__package__).joinpath(FILE).read_text(encoding="utf-8")
    return JudgeWeights.of(json.loads(text))
