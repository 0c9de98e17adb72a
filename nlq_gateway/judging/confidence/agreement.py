"""The effect of other ways to the same answer on its confidence: Keqing's repeated runs (its section 3.3).

Keqing sums the confidences of runs with one answer. Here each further way to an answer is evidence for or
against it, which moves the odds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

# In logits. That of another method is fitted (`make bench ARGS=agreement`). A second run of one model makes
# its mistakes again: its vote is set lower, by hand, as fitting it takes runs of real models.
AGAIN = 0.4
INDEPENDENT = 1.15
_NEVER = 1e-6


@dataclass(frozen=True, slots=True)
class Vote:
    """The agreement of another program's answers; `independent` if another method wrote it."""

    agrees: bool
    independent: bool = False


def agreed(probability: float, votes: Iterable[Vote]) -> float:
    """The probability that an answer is right, once others have been heard."""
    sure = min(1 - _NEVER, max(_NEVER, probability))
    odds = math.log(sure / (1 - sure))
    for vote in votes:
        weight = INDEPENDENT if vote.independent else AGAIN
        odds += weight if vote.agrees else -weight
    return 1 / (1 + math.exp(-odds))
