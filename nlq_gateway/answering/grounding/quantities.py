"""Units by the graph's names, and numbers in its scale (SymKGQA, section 3.3, quantities and units)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from compilers.kopl.functions import ValueType
from compilers.kopl.lexicon import SHORT_UNITS
from compilers.kopl.units import convertible
from compilers.kopl.values import NO_UNIT, Quantity, rounded, value_or_none
from nlq_gateway.index.text import fold, stem

_SHORT = SHORT_UNITS | {
    "hr": "hour", "sec": "second", "secs": "second", "yr": "year", "yrs": "year", "kgs": "kilogram",
    "kms": "kilometre", "kph": "kilometre per hour", "lbs": "pound", "us$": "United States dollar",
    "gbp": "pound sterling", "jpy": "Japanese yen", "chf": "Swiss franc",
}  # fmt: skip
_SQUARE = re.compile(r"(?:sq\.? |square )(?P<long>.+)|(?P<short>[^\W\d]+)(?:²|\^?2)", re.I)
_CUBIC = re.compile(r"(?:cu\.? |cubic )(?P<long>.+)|(?P<short>[^\W\d]+)(?:³|\^?3)", re.I)
_NONE = frozenset({"", "1", "none", "unit", "units", "people", "inhabitants", "persons", "times"})


@dataclass(frozen=True, slots=True)
class Normalised:
    """A quantity as the graph states its like, and a clause that says what was done."""

    text: str
    why: str


def in_units_of_graph(text: str, units: Sequence[str]) -> Normalised | None:
    """A quantity with a unit of the graph, the commonest first in `units`; None where it stays as it is.

    A unit by another name or in a short form takes the graph's name; one that the graph does not have is
    converted to the first that it converts to; where there is none and the graph has just one, that is
    added, and where it states no units, none is. Currencies are not converted.
    """
    quantity = value_or_none(text, ValueType.QUANTITY)
    if not isinstance(quantity, Quantity) or not units or quantity.unit in units:
        return None
    if quantity.unit == NO_UNIT:
        added = len(units) == 1
        return _stated(quantity.number, units[0], f"the graph states it in {units[0]}") if added else None
    named = _named(quantity.unit, units)
    if named is not None:
        return _stated(quantity.number, named, f"the graph has {quantity.unit!r} as {named!r}")
    if set(units) == {NO_UNIT}:
        return _stated(quantity.number, NO_UNIT, "the graph states it without a unit")
    conversions = convertible(_spelled_out(quantity.unit), tuple(units))
    if not conversions:
        return None
    unit, factor = min(conversions, key=lambda one: one[1] != 1)
    how = f"the graph has {quantity.unit!r} as {unit!r}" if factor == 1 else f"the graph states it in {unit}"
    return _stated(rounded(quantity.number * factor), unit, how)


def _stated(number: float, unit: str, why: str) -> Normalised:
    return Normalised(str(Quantity(number, unit)), why)


def _named(unit: str, units: Sequence[str]) -> str | None:
    """The graph's unit with the same name but for case and number, or the only one with all its words."""
    wanted = _words(_spelled_out(unit))
    if fold(unit) in _NONE and NO_UNIT in units:
        return NO_UNIT
    same = [one for one in units if _words(one) == wanted]
    with_more = [one for one in units if wanted < _words(one)]
    return same[0] if same else with_more[0] if len(with_more) == 1 and not _converts(unit, units) else None


def _converts(unit: str, units: Sequence[str]) -> bool:
    return bool(convertible(_spelled_out(unit), tuple(units)))


def _words(unit: str) -> frozenset[str]:
    return frozenset(stem(fold(unit).replace("meter", "metre")).split())


def _spelled_out(unit: str) -> str:
    """A unit in words: `km²` as `square km`, `km/h` as `km per h`."""
    upper, slash, lower = unit.partition("/")
    if slash:
        return f"{_spelled_out(upper.strip())} per {_spelled_out(lower.strip())}"
    for word, pattern in (("square", _SQUARE), ("cubic", _CUBIC)):
        if match := pattern.fullmatch(unit.strip()):
            return f"{word} {_spelled_out(match['long'] or match['short'])}"
    return _SHORT.get(unit.strip().lower(), unit.strip())
