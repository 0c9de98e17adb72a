"""Scores of one answer against the gold answer, and averages over many. Pure.

Answers are compared as sets of strings, case kept, numbers and dates by value. Where the gold answer is rows,
they are compared as multisets, cell by cell, in the order of their columns. Rows that are all equal once the
columns stand in another order are equal, too: a question seldom says which column comes first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence, Set
from dataclasses import dataclass

# A number with its unit. A leading zero makes a code (a telephone number, an ISBN), which is text.
_NUMBER = re.compile(r"([+-]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?:\s+([^\d\s].*))?", re.DOTALL)
_DATE = re.compile(r"(-?\d{4,})-(\d\d)-(\d\d)(?:T00:00:00(?:\.0+)?)?(?:Z|[+-]\d\d:\d\d)?")

Item = str | tuple[str, ...]
Row = tuple[Hashable, ...]

# Stores compute with different precision; whole numbers are compared by all their digits.
_SIGNIFICANT_DIGITS = 10


@dataclass(frozen=True, slots=True)
class Score:
    """The scores of one answer; all in [0, 1]."""

    hits_at_1: float = 0.0
    precision: float = 0.0
    recall: float = 0.0
    f1: float = 0.0
    exact: float = 0.0
    answered: float = 0.0


WRONG = Score()


def score(predicted: Sequence[Sequence[Sequence[str]]], gold: Sequence[Item]) -> Score:
    """Compare an answer with the gold answer.

    Args:
        predicted: rows of cells; a value is a row of one. Each cell is the ways to write it, the preferred
            one first (a label and an IRI); the first that the gold answer has counts.
        gold: the right values as strings, or rows: tuples of strings, or strings with tabs between cells.
    """
    wanted_rows = [_row((item,) if isinstance(item, str) else item) for item in gold]
    known = frozenset(cell for row in wanted_rows for cell in row)
    found_rows = [_row(_chosen(ways, known) for ways in row) for row in predicted]
    wanted, found = Counter(wanted_rows), Counter(found_rows)
    if not found:
        return WRONG
    if not any(isinstance(item, tuple) or "\t" in item for item in gold):
        wanted, found = Counter(set(wanted)), Counter(set(found))
    elif _equal_in_another_order(found_rows, wanted_rows):
        found = wanted
    shared = (wanted & found).total()
    precision = shared / found.total()
    recall = shared / wanted.total() if wanted else 0.0
    f1 = 2 * precision * recall / (precision + recall) if shared else 0.0
    return Score(precision, precision, recall, f1, float(found == wanted), 1.0)


def _row(cells: Iterable[str]) -> Row:
    """The cells in a form to compare; one that holds a tab is several, as in a row written as a string."""
    return tuple(map(canonical, "\t".join(cells).split("\t")))


def _equal_in_another_order(found: Sequence[Row], wanted: Sequence[Row], order: tuple[int, ...] = ()) -> bool:
    """True if the columns of `found`, those of `order` first, can be arranged to give the rows wanted."""
    if len(found) != len(wanted) or len({len(row) for row in (*found, *wanted)}) != 1:
        return False
    arranged = Counter(tuple(row[column] for column in order) for row in found)
    if arranged != Counter(row[: len(order)] for row in wanted):
        return False
    others = [column for column in range(len(wanted[0])) if column not in order]
    return not others or any(_equal_in_another_order(found, wanted, (*order, column)) for column in others)


def canonical(text: str) -> Hashable:
    """Return a key that all spellings of one value share."""
    text = text.strip()
    if date := _DATE.fullmatch(text):
        return tuple(int(part) for part in date.groups())
    if number := _NUMBER.fullmatch(text):
        return (_rounded(float(number[1])), (number[2] or "").strip())
    return text


def _rounded(number: float) -> float:
    return number if number.is_integer() else float(f"{number:.{_SIGNIFICANT_DIGITS}g}")


def _chosen(ways: Sequence[str], known: Set[Hashable]) -> str:
    return next((way for way in ways if canonical(way) in known), ways[0])


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
