"""Pairs of questions, their answers, and contradictions between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from nlq_gateway.offline.evaluation import GoldQuestion
from nlq_gateway.offline.evaluation.measure import Rows
from nlq_gateway.offline.evaluation.questions import Gold
from nlq_gateway.offline.evaluation.score import canonical, score

HALVES = ("look", "kept")
SURE, NOTHING_SURE = 0.8, 0.5


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a pair, which is in a half. `take` is how many of the right values are asked for.

    `holds` is what is true of the answers to both: they `differ`, the first is `within` the second, or the
    second `counts` the first.
    """

    question: GoldQuestion
    graph: str
    pair: str
    half: str
    take: int | None = None
    holds: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """The answer to a question: rows, none for a refusal, and the confidence.

    `status` is the trace's, or "error".
    """

    asked: Asked
    gold: Gold
    rows: Rows
    confidence: float
    status: str

    @property
    def right(self) -> bool:
        """True for a right answer, or for a refusal of an unanswerable question."""
        return _is_right(self.rows, self.gold, self.asked.take) if self.gold else not self.rows

    @property
    def is_sure_and_wrong(self) -> bool:
        """True for a wrong answer with high confidence."""
        return bool(self.rows) and self.confidence >= SURE and not self.right

    @property
    def denies_wrongly(self) -> bool:
        """True if the gateway wrongly claimed an empty answer with confidence."""
        return self.status == "empty" and self.confidence > NOTHING_SURE and bool(self.gold)


def _is_right(rows: Rows, gold: Gold, take: int | None) -> bool:
    """True if the rows are the gold answer, perhaps with more columns; `take` is the number of rows."""
    if take is not None:
        return len(rows) == take and score(rows, gold).precision == 1
    return score(rows, gold).exact == 1 or _has_more_columns(rows, gold) or _is_in_one_column(rows, gold)


def _has_more_columns(rows: Rows, gold: Gold) -> bool:
    wanted = [(one,) if isinstance(one, str) else one for one in gold]
    return len(rows) == len(wanted) and all(
        any(all(_is_among(cell, row) for cell in one) for row in rows) for one in wanted
    )


def _is_in_one_column(rows: Rows, gold: Gold) -> bool:
    """True if the cells of the only gold row are the values of the answer."""
    return len(gold) == 1 and len(rows) == len(gold[0]) and all(_is_among(cell, *rows) for cell in gold[0])


def _is_among(text: str, *rows: Sequence[Sequence[str]]) -> bool:
    wanted = canonical(text)
    return any(canonical(way) == wanted for row in rows for ways in row for way in ways)


def contradicts(first: Said, second: Said) -> bool:
    """True if both were answered, and both answers cannot be true."""
    if not first.rows or not second.rows or not first.asked.holds:
        return False
    return not _HOLDS[first.asked.holds](first.rows, second.rows)


def _differ(first: Rows, second: Rows) -> bool:
    return sorted(first) != sorted(second)


def _within(first: Rows, second: Rows) -> bool:
    """True if each row of the first has a cell in the second: a number may stand beside a name."""
    return all(any(_is_among(ways[0], *second) for ways in row) for row in first)


def _counts(first: Rows, second: Rows) -> bool:
    return [[ways[0] for ways in row] for row in second] == [[str(len(first))]]


_HOLDS: Mapping[str, Callable[[Rows, Rows], bool]] = {"differ": _differ, "within": _within, "counts": _counts}
