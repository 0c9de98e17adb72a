"""The measurements so far, and their report."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from nlq_gateway.offline.evaluation.calibration import Claim, calibration
from nlq_gateway.offline.evaluation.families import FAMILIES, families_of, hops_of
from nlq_gateway.offline.evaluation.measure import Measurement
from nlq_gateway.offline.evaluation.mistakes import Mistake
from nlq_gateway.offline.evaluation.score import Score, averages, percentile

SHARES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}


@dataclass(slots=True)
class Tally:
    """The measurements in the order of the questions."""

    measurements: list[Measurement] = field(default_factory=list)

    def add(self, measurement: Measurement) -> None:
        """Take in one more."""
        self.measurements.append(measurement)

    @property
    def scored(self) -> list[tuple[Measurement, Score]]:
        """The measurements that count in the averages."""
        return [(m, m.score) for m in self.measurements if m.score is not None]

    @property
    def claims(self) -> list[Claim]:
        """The confidence of each answer, and how right it is."""
        return [Claim(m.confidence, score.hits_at_1) for m, score in self.scored if m.confidence is not None]

    @property
    def times_ms(self) -> list[float]:
        """The time of each question, in milliseconds."""
        return [m.ms for m in self.measurements if m.ms is not None]

    def report(self) -> dict[str, Any]:
        """Return the report of `nlq eval`; `errors` counts failures, `errors_by_code` by code.

        A question that failed counts as wrong. Left out of the averages are those whose gold answer is
        empty (`empty_gold`) or could not be fetched. Questions with a gold program are counted once in
        `by_hops`, and in each family of it in `by_function`. `error_table` has a class for each answer that
        is not exact. `calibration` compares the confidence of answers with how right they are, `hits_at_1`.
        Questions about what the graph does not have are counted in `unanswerable`: refusing them is right.
        """
        scored, times = self.scored, self.times_ms
        unanswerable = [score for m, score in scored if m.question.unanswerable]
        codes = Counter(m.failure.code for m in self.measurements if m.failure)
        mistakes = Counter(m.mistake for m, _ in scored if m.mistake)
        programs = [(m.gold_program.program, s) for m, s in scored if m.gold_program is not None]
        return {
            **averages(score for _, score in scored),
            "by_kind": _grouped((m.question.kind, score) for m, score in scored),
            "by_hops": _grouped((hops_of(program), score) for program, score in programs),
            "by_function": _grouped(
                ((family, score) for program, score in programs for family in families_of(program)), FAMILIES
            ),
            "unanswerable": {
                "n": len(unanswerable),
                "answered": sum(score.answered > 0 for score in unanswerable),
            },
            "calibration": calibration(self.claims),
            "latency_ms": {name: round(percentile(times, share), 1) for name, share in SHARES.items()},
            "errors": codes.total(),
            "errors_by_code": dict(codes),
            "error_table": {str(mistake): mistakes[mistake] for mistake in Mistake},
            "empty_gold": sum(m.score is None and m.failure is None for m in self.measurements),
        }


def _grouped(pairs: Iterable[tuple[str, Score]], order: Iterable[str] = ()) -> dict[str, Any]:
    """The averages of each group, in this order or by name, numbers in it by value."""
    groups: dict[str, list[Score]] = {}
    for name, score in pairs:
        groups.setdefault(name, []).append(score)
    return {
        name: averages(groups[name]) for name in order or sorted(groups, key=_by_number) if name in groups
    }


def _by_number(name: str) -> list[tuple[int, str]]:
    parts = re.split(r"(\d+)", name)
    return [(int(part) if part.isdecimal() else -1, part) for part in parts]
