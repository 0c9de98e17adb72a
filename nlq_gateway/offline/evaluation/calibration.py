"""Calibration of confidence: the reliability table and the expected calibration error. Pure.

Answers are put into bins by their confidence. In each, the mean confidence should be the share that is right;
the expected calibration error is the mean distance of the two, weighted by the number of answers (Guo et al.,
"On Calibration of Modern Neural Networks", 2017, section 2). Refusals claim nothing and are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

BINS = 10


@dataclass(frozen=True, slots=True)
class Claim:
    """An answer's confidence, and how right it is, in [0, 1]."""

    confidence: float
    right: float


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """The answers with a confidence in [begin, end), the last bin with `end`: how many, and the means."""

    begin: float
    end: float
    n: int
    confidence: float
    right: float

    def as_json(self) -> dict[str, float | int]:
        """The bin, rounded to four digits."""
        return {
            "from": round(self.begin, 4),
            "to": round(self.end, 4),
            "n": self.n,
            "confidence": round(self.confidence, 4),
            "right": round(self.right, 4),
        }


def reliability(claims: Iterable[Claim]) -> tuple[CalibrationBin, ...]:
    """The table: bins of equal width, without the empty ones."""
    inside: list[list[Claim]] = [[] for _ in range(BINS)]
    for claim in claims:
        inside[min(int(claim.confidence * BINS), BINS - 1)].append(claim)
    return tuple(
        CalibrationBin(
            number / BINS,
            (number + 1) / BINS,
            len(found),
            sum(claim.confidence for claim in found) / len(found),
            sum(claim.right for claim in found) / len(found),
        )
        for number, found in enumerate(inside)
        if found
    )


def calibration_error(table: Iterable[CalibrationBin]) -> float:
    """The expected calibration error of a table; 0 without answers."""
    rows = list(table)
    total = sum(row.n for row in rows)
    return sum(row.n * abs(row.confidence - row.right) for row in rows) / total if total else 0.0


def calibration(claims: Iterable[Claim]) -> dict[str, Any]:
    """The part of a report: `expected_error` and the table."""
    table = reliability(claims)
    return {"expected_error": round(calibration_error(table), 4), "table": [row.as_json() for row in table]}
