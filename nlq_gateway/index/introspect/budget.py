"""The shares of the reading time for the stages of introspection."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

# In the order of most layouts. The shares need not add up to one: unused time goes to later stages.
SHARES: Mapping[str, float] = {
    "ontology": 0.04,
    "concepts": 0.08,
    "relations": 0.15,
    "attributes": 0.15,
    "attribute examples": 0.05,
    "qualifiers": 0.1,
    "qualifier examples": 0.03,
    "inverses": 0.04,
    "partitions": 0.08,
    "partition values": 0.06,
    "schema labels": 0.06,
    "entity concepts": 0.08,
    "entity labels": 0.15,
    "entities without a concept": 0.05,
    "entity degrees": 0.1,
    "text values": 0.1,
}
_OTHER = 0.1


@dataclass(slots=True)
class StageBudget:
    """Time for all stages in seconds; the current stage has a deadline of its own."""

    seconds: float
    _started: float = field(init=False)
    _until: float = field(init=False)

    def __post_init__(self) -> None:
        """All of the time is free before the first stage."""
        self._started = time.monotonic()
        self._until = self._started + self.seconds

    def begin(self, stage: str) -> None:
        """Give a stage its share of the time left, relative to the stages after it."""
        now = time.monotonic()
        left = max(0.0, self._started + self.seconds - now)
        self._until = now + left * share_of(stage)

    @property
    def left_s(self) -> float:
        """Seconds until the deadline of the current stage; negative after it."""
        return self._until - time.monotonic()


def share_of(stage: str) -> float:
    """The part of the time left that a stage may take, in (0, 1]."""
    own = SHARES.get(stage, _OTHER)
    return own / (own + sum(_after(stage)))


def _after(stage: str) -> Iterator[float]:
    names = list(SHARES)
    yield from (
        (SHARES[name] for name in names[names.index(stage) + 1 :]) if stage in SHARES else (1 - _OTHER,)
    )
