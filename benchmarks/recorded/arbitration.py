"""The choice of `auto` between the model's answer and that without the model, by their confidences.

Each question is asked without the model and with the model alone. For each pair of thresholds (the confidence
from which the model is not called; the confidence from which its answer gives way to a surer one) the right
answers of `auto` are counted. `answering/strategies.py` has the pair that loses nothing: no set has fewer
right than with the model alone; among these the pair with most right answers, then with fewest calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from benchmarks.recorded.measure import Outcome

WAYS = ("bottom-up", "only")
# 1.1 is never.
_NUMBERS = (0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.96, 0.97, 0.98, 0.99, 1.1)
_ROW = "{:>5} {:>6} {:>6} {:>6} {:>7}"


@dataclass(frozen=True, slots=True)
class Counted:
    """The result of two thresholds on all questions: right answers, and questions without a call."""

    sure: float
    surer: float
    right: int
    unasked: int
    least: int


def table(made: Sequence[Outcome]) -> Iterator[str]:
    """The best pairs of numbers, best first; `least` is the set that loses or gains least by them."""
    alone = sum(_right(one, "only") for one in made)
    yield f"right with the model alone: {alone} of {len(made)}"
    yield _ROW.format("sure", "surer", "right", "least", "unasked")
    counted = [_counted(made, sure, surer) for sure, surer in product(_NUMBERS, _NUMBERS) if surer >= sure]
    counted.sort(key=lambda one: (one.least >= 0, one.right, one.unasked), reverse=True)
    for one in counted[:12]:
        yield _ROW.format(one.sure, one.surer, one.right, f"{one.least:+}", one.unasked)


def _counted(made: Sequence[Outcome], sure: float, surer: float) -> Counted:
    given = [(one, _given(one, sure, surer)) for one in made]
    gained = [
        sum(_right(one, way) - _right(one, "only") for one, way in given if one.set == name)
        for name in {one.set for one in made}
    ]
    right = sum(_right(one, way) for one, way in given)
    unasked = sum(one.answered["bottom-up"] and _sure(one, "bottom-up") >= sure for one in made)
    return Counted(sure, surer, right, unasked, min(gained, default=0))


def _given(one: Outcome, sure: float, surer: float) -> str:
    """The way whose answer `auto` gives."""
    without, own = _sure(one, "bottom-up"), _sure(one, "only")
    if not one.answered["bottom-up"] or (one.answered["only"] and without < sure and without < surer):
        return "only"
    if without >= sure or not one.answered["only"]:
        return "bottom-up"
    return "bottom-up" if without > own else "only"


def _sure(one: Outcome, way: str) -> float:
    return one.confidence[way] or 0.0


def _right(one: Outcome, way: str) -> bool:
    return one.scores[way][0] == 1


def shown(made: Iterable[Outcome]) -> str:
    """The table as text."""
    return "\n".join(table(list(made)))
