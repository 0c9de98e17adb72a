"""Scores of one answer against the gold answer, and averages over many. Pure.

Answers are compared as sets of strings, case kept, numbers and dates by value; rows as multisets.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

# A number with its unit. A leading zero makes a code (a telephone number, an ISBN), which is text.
_NUMBER = re.compile(r"([+-]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?:\s+([^\d\s].*))?", re.DOTALL)
_DATE = re.compile(r"(-?\d{4,})-(\d\d)-(\d\d)(?:T00:00:00(?:\.0+)?)?(?:Z|[+-]\d\d:\d\d)?")

Item = str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """How right one answer is; all in [0, 1]."""

    hits_at_1: float = 0.0
    precision: float = 0.0
    recall: float = 0.0
    f1: float = 0.0
    exact: float = 0.0
    answered: float = 0.0


WRONG = Score()


def score(predicted: Sequence[Sequence[Item]], gold: Sequence[Item]) -> Score:
    """Compare an answer with the gold answer.

    Args:
        predicted: for each value the ways to write it, the preferred one first (a label and an IRI);
            the first that the gold answer has counts.
        gold: the right values, as strings, or as tuples of strings where rows were asked for.
    """
    rows = any(isinstance(item, tuple) for item in gold)
    wanted = Counter(canonical(item) for item in gold)
    found = Counter(_chosen(ways, wanted) for ways in predicted)
    if not rows:
        wanted, found = Counter(set(wanted)), Counter(set(found))
    shared = (wanted & found).total()
    if not found:
        return WRONG
    precision = shared / found.total()
    recall = shared / wanted.total() if wanted else 0.0
    f1 = 2 * precision * recall / (precision + recall) if shared else 0.0
    return Score(precision, precision, recall, f1, float(found == wanted), 1.0)


def canonical(item: Item) -> Hashable:
    """What two spellings of one value share; a row is a tuple of such."""
    if isinstance(item, tuple):
        return tuple(canonical(cell) for cell in item)
    text = item.strip()
    if date := _DATE.fullmatch(text):
        return tuple(int(part) for part in date.groups())
    if number := _NUMBER.fullmatch(text):
        return (float(number[1]), (number[2] or "").strip())
    return text


def _chosen(ways: Sequence[Item], wanted: Counter[Hashable]) -> Hashable:
    keys = [canonical(way) for way in ways]
    return next((key for key in keys if key in wanted), keys[0])


def averages(scores: Iterable[Score]) -> dict[str, float | int]:
    """The means of a report, rounded to four digits, and how many scores there are."""
    kept = list(scores)
    names = ("hits_at_1", "f1", "exact", "answered")
    means = {name: sum(getattr(s, name) for s in kept) / max(len(kept), 1) for name in names}
    return {"n": len(kept), **{name: round(mean, 4) for name, mean in means.items()}}


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which that share of the values lies (nearest rank); 0 without values."""
    ordered = sorted(values)
    rank = max(1, -(-int(share * 1000) * len(ordered) // 1000))
    return ordered[min(rank, len(ordered)) - 1] if ordered else 0.0
