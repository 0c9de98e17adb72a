"""Decisions over values: the extreme one, and the verdict of a comparison.

Shared by the interpreter and by plans that fetch values from a store and decide afterwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import TypeVar

from compilers.kopl.values import NO_UNIT, Date, Quantity, Value, Year, compare, number_in

_T = TypeVar("_T")


class Verdict(StrEnum):
    """The result of a Verify step."""

    YES = "yes"
    NO = "no"
    NOT_SURE = "not sure"


def verdict(values: Collection[Value], comparison: str, target: Value) -> Verdict:
    """Yes when all values satisfy `value comparison target`, no when none does or there are none.

    Zero is zero in every unit, and a whole number without a unit is a year where years are compared: the
    earliest of some years is a number to KoPL.
    """
    satisfied = sum(compare(value, comparison, _like(value, target)) for value in values)
    if satisfied == 0:
        return Verdict.NO
    return Verdict.YES if satisfied == len(values) else Verdict.NOT_SURE


def _like(value: Value, target: Value) -> Value:
    if not isinstance(target, Quantity) or target.unit != NO_UNIT:
        return target
    if isinstance(value, Quantity) and target.number == 0:
        return Quantity(0, value.unit)
    is_year = isinstance(value, (Year, Date)) and target.number % 1 == 0
    return Year(int(target.number)) if is_year else target


def extremes(candidates: Iterable[tuple[_T, Value]], *, largest: bool) -> frozenset[_T]:
    """The items whose value is the largest (or the smallest), all of them on a tie.

    Quantities are compared in the commonest unit (on a tie a unit before none, then the alphabetically
    first); quantities that do not convert to it are left out. Without quantities, years and dates are
    compared, and without these the texts.
    """
    pairs = frozenset(candidates)
    quantities = [(item, value) for item, value in pairs if isinstance(value, Quantity)]
    if quantities:
        return _extreme_quantities(quantities, largest)
    times = [(item, value) for item, value in pairs if isinstance(value, (Year, Date))]
    return _extreme_times(times, largest) if times else _extreme_texts(pairs, largest)


def _extreme_texts(pairs: frozenset[tuple[_T, Value]], largest: bool) -> frozenset[_T]:
    texts = {str(value) for _, value in pairs}
    best = {max(texts) if largest else min(texts)} if texts else set()
    return frozenset(item for item, value in pairs if str(value) in best)


def _extreme_quantities(pairs: list[tuple[_T, Quantity]], largest: bool) -> frozenset[_T]:
    counts = Counter(value.unit for _, value in pairs)
    unit = min(counts, key=lambda name: (-counts[name], name == NO_UNIT, name))
    numbers = [(item, number_in(value, unit)) for item, value in pairs]
    known = [(item, number) for item, number in numbers if number is not None]
    best = (max if largest else min)(number for _, number in known)
    return frozenset(item for item, number in known if number == best)


def _extreme_times(pairs: list[tuple[_T, Year | Date]], largest: bool) -> frozenset[_T]:
    """The extreme items; a bare year ties with every date in it, and of the dates the extreme one counts."""
    pick = max if largest else min
    year = pick(value.year for _, value in pairs)
    within = [(item, value) for item, value in pairs if value.year == year]
    dates = [value for _, value in within if isinstance(value, Date)]
    best = {Year(year), pick(dates)} if dates else {Year(year)}
    return frozenset(item for item, value in within if value in best)
