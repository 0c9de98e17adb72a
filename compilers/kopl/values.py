"""Literal values of KoPL: reading, comparing, printing.

`=` between a year and a date means "lies in"; order between a year and a date compares years, so that 1960
is `<=` every day of 1960; a moment compares with a day in the same way, by its day. Quantities compare in
equal or convertible units only.
"""

from __future__ import annotations

import math
import operator
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from compilers.errors import CompilerError
from compilers.kopl.functions import EQUALITIES, ValueType
from compilers.kopl.units import conversion_factor

NO_UNIT = "1"
# Compares texts only: the first contains the second, regardless of case.
CONTAINS = "contains"


@dataclass(frozen=True, slots=True)
class String:
    """A text, compared letter by letter."""

    text: str

    def __str__(self) -> str:
        """The text itself."""
        return self.text


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with a unit; unit `1` means none (KQA Pro's convention)."""

    number: float
    unit: str = NO_UNIT

    def __str__(self) -> str:
        """Return `300000 United States dollar`, without exponent or superfluous decimals."""
        return format_number(self.number) + ("" if self.unit == NO_UNIT else f" {self.unit}")


@dataclass(frozen=True, slots=True)
class Year:
    """A year; negative before the common era, 0 is 1 BCE (XSD 1.1)."""

    year: int

    def __str__(self) -> str:
        """The year alone, as `1960`."""
        return str(self.year)


@dataclass(frozen=True, slots=True, order=True)
class Date:
    """A day of the proleptic Gregorian calendar, or a moment of it; ordering is chronological.

    `second` counts the seconds since midnight by the local clock; 0 means the day as a whole.
    """

    year: int
    month: int
    day: int
    second: int = 0

    def __str__(self) -> str:
        """ISO 8601, as `1960-02-01` or `1960-02-01T10:15:00`."""
        sign = "-" if self.year < 0 else ""
        day = f"{sign}{abs(self.year):04d}-{self.month:02d}-{self.day:02d}"
        return f"{day}T{self.clock[0]:02d}:{self.clock[1]:02d}:{self.clock[2]:02d}" if self.second else day

    @property
    def clock(self) -> tuple[int, int, int]:
        """The hour, the minute and the second."""
        return self.second // 3600, self.second // 60 % 60, self.second % 60


Value = String | Quantity | Year | Date

# Hour, minute and second, as groups.
CLOCK = r"([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?"
_DATE = re.compile(rf"(-?\d{{1,6}})[-/](\d{{1,2}})[-/](\d{{1,2}})(?:T{CLOCK}(?:[.]\d+)?Z?)?")
_YEAR = re.compile(r"-?\d{1,6}")
_WHOLE_NUMBER = re.compile(r"[0-9]{1,9}")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?")
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
_COMPARE_TEXTS: dict[str, Callable[[str, str], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    CONTAINS: lambda text, part: part.lower() in text.lower(),
}


class ValueSyntaxError(CompilerError):
    """A text is not a value of the wanted type."""

    code = "invalid-value"


def format_number(number: float) -> str:
    """Shortest decimal form that reads back as the same number: `5`, `-3.7`, `0.001`."""
    return f"{Decimal(repr(float(number or 0))):f}".removesuffix(".0")


def rounded(number: float) -> float:
    """The number to 12 significant digits, to which calculations agree across stores."""
    return float(f"{number:.12g}")


def whole_number(text: str) -> int | None:
    """The whole number written in digits, or None; numbers of more than nine digits give None."""
    digits = text.strip()
    return int(digits) if _WHOLE_NUMBER.fullmatch(digits) else None


def percent_in(text: str) -> int | None:
    """The whole number of per cent, from 1 to 100, that `text` gives as `10 %` does, or None."""
    number = whole_number(text.strip().removesuffix("%")) if text.strip().endswith("%") else None
    return number if number is not None and 1 <= number <= 100 else None


def parse_value(text: str, value_type: ValueType) -> Value:
    """Read `text` as a value of `value_type`; raises ValueSyntaxError.

    Years and dates share one reader, as in the reference engine: the text decides which it is.
    """
    if value_type == ValueType.STRING:
        return String(text)
    if value_type == ValueType.QUANTITY:
        return parse_quantity(text)
    return _parse_time(text)


def value_or_none(text: str, value_type: ValueType) -> Value | None:
    """Return the value of `parse_value`; None if the text is no such value."""
    try:
        return parse_value(text, value_type)
    except ValueSyntaxError:
        return None


def possible_values(text: str) -> tuple[Value, ...]:
    """Every reading of `text`, the most specific first and the plain string last."""
    readings = (value_or_none(text, value_type) for value_type in (ValueType.DATE, ValueType.QUANTITY))
    return (*(value for value in readings if value is not None), String(text))


def likely_value(text: str, value_types: Sequence[ValueType]) -> Value:
    """The reading of `text` where values are of these types, the commonest first.

    It is of the first type that the text can be written in, years and dates being one; else a string.
    """
    readings = {_SPECIFICITY[type_of(reading)]: reading for reading in possible_values(text)}
    wanted = (_SPECIFICITY[value_type] for value_type in value_types)
    return next((readings[one] for one in wanted if one in readings), String(text))


def by_commonness(counts: Mapping[ValueType, int]) -> tuple[ValueType, ...]:
    """The types that occur, the commonest first; years and dates are counted together.

    On a tie the more specific comes first: times, then quantities, then texts.
    """
    together = Counter[int]()
    for value_type, number in counts.items():
        together[_SPECIFICITY[value_type]] += number

    def rank(value_type: ValueType) -> tuple[int, int, int, str]:
        specificity = _SPECIFICITY[value_type]
        return -together[specificity], specificity, -counts[value_type], value_type

    return tuple(sorted((value_type for value_type, number in counts.items() if number), key=rank))


def type_of(value: Value) -> ValueType:
    """The type of a value."""
    return _TYPES[type(value)]


def parse_quantity(text: str) -> Quantity:
    """Read `text` as a number with or without a unit; raises ValueSyntaxError."""
    number, _, unit = text.strip().partition(" ")
    if not _NUMBER.fullmatch(number) or not math.isfinite(float(number)):
        raise ValueSyntaxError(f"{text!r} is not a quantity", hint="write number and unit: 180 centimetre")
    return Quantity(float(number), unit.strip() or NO_UNIT)


def _parse_time(text: str) -> Year | Date:
    stripped = text.strip()
    if match := _DATE.fullmatch(stripped):
        year, month, day, *clock = (int(part or 0) for part in match.groups())
        if 1 <= month <= 12 and 1 <= day <= _days(year, month):
            return Date(year, month, day, seconds(*clock))
    elif _YEAR.fullmatch(stripped):
        return Year(int(stripped))
    raise ValueSyntaxError(f"{text!r} is not a year or a date", hint="write 1960 or 1960-02-01")


def seconds(hour: int, minute: int, second: int) -> int:
    """The seconds from midnight to a time of the day."""
    return hour * 3600 + minute * 60 + second


def _days(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def compare(value: Value, comparison: str, target: Value) -> bool:
    """True if `value comparison target` holds; values that cannot be compared never match."""
    if isinstance(value, String) and isinstance(target, String):
        test = _COMPARE_TEXTS.get(comparison)
        return test is not None and test(value.text, target.text)
    if isinstance(value, Quantity) and isinstance(target, Quantity):
        number = number_in(target, value.unit)
        return number is not None and COMPARE[comparison](value.number, number)
    if isinstance(value, (Year, Date)) and isinstance(target, (Year, Date)):
        return _compare_times(value, comparison, target)
    return False


def number_in(quantity: Quantity, unit: str) -> float | None:
    """The quantity's number in `unit`, to 12 significant digits when converted; None when it cannot be."""
    factor = conversion_factor(quantity.unit, unit)
    if factor is None or factor == 1:
        return None if factor is None else quantity.number
    return rounded(quantity.number * factor)


def _compare_times(value: Year | Date, comparison: str, target: Year | Date) -> bool:
    if isinstance(value, Date) and isinstance(target, Date):
        return COMPARE[comparison](value if target.second else replace(value, second=0), target)
    if isinstance(value, Year) and isinstance(target, Date) and comparison in EQUALITIES:
        return comparison == "!="
    return COMPARE[comparison](value.year, target.year)


_TYPES: dict[type, ValueType] = {
    String: ValueType.STRING,
    Quantity: ValueType.QUANTITY,
    Year: ValueType.YEAR,
    Date: ValueType.DATE,
}
# Years and dates share a rank: they are written and compared alike.
_SPECIFICITY = {ValueType.DATE: 0, ValueType.YEAR: 0, ValueType.QUANTITY: 1, ValueType.STRING: 2}
