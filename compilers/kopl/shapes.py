"""The form in which an attribute's values are ordered and calculated with: one type, one unit.

A shape belongs to a step, not to a value: it is the same for every value that the step gives, so that
a query can be written for it before a value is seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from compilers.kopl.functions import ValueType
from compilers.kopl.units import conversion_factor
from compilers.kopl.values import (
    NO_UNIT,
    Date,
    Quantity,
    String,
    Value,
    Year,
)

YEAR_UNIT, DAY_UNIT = "year", "day"


@dataclass(frozen=True, slots=True)
class Shape:
    """The type of a step's values, and the unit of quantities; DATE stands for years among dates too."""

    type: ValueType
    unit: str = NO_UNIT


NUMBER = Shape(ValueType.QUANTITY)
# A half, plus the error of doubles: 1.005 * 100 is 100.49999999999999.
HALF = 0.500001


def shape_of(types: Iterable[ValueType], units: Iterable[str]) -> Shape:
    """The shape of values of these types; `units` begin with the one to calculate in.

    Quantities take precedence over times, times over texts. Values of unknown type are texts.
    """
    known = frozenset(types)
    if ValueType.QUANTITY in known:
        return Shape(ValueType.QUANTITY, next(iter(units), NO_UNIT))
    if ValueType.DATE in known:
        return Shape(ValueType.DATE)
    return Shape(ValueType.YEAR if ValueType.YEAR in known else ValueType.STRING)


def units_by_commonness(counts: Mapping[str, int]) -> tuple[str, ...]:
    """The counted units, the commonest first; on a tie a named one first, then by alphabet."""
    return tuple(sorted(counts, key=lambda unit: (-counts[unit], unit == NO_UNIT, unit)))


def order_key(value: Value) -> tuple[float, int, int, int] | str:
    """Orders the values of one shape; a year stands before its days."""
    match value:
        case Quantity():
            return (value.number, 0, 0, 0)
        case Year():
            return (value.year, 0, 0, 0)
        case Date():
            return (value.year, value.month, value.day, value.second)
        case String():
            return value.text


def calculated_shape(operator: str, first: Shape, second: Shape) -> Shape | None:
    """The shape of `first operator second`, or None if they cannot be calculated with each other."""
    if operator == "-" and first.type == second.type and first.type in (ValueType.YEAR, ValueType.DATE):
        return Shape(ValueType.QUANTITY, YEAR_UNIT if first.type == ValueType.YEAR else DAY_UNIT)
    if first.type != ValueType.QUANTITY or second.type != ValueType.QUANTITY:
        return None
    alike = conversion_factor(second.unit, first.unit) is not None
    if operator in ("+", "-"):
        return first if alike else None
    return Shape(ValueType.QUANTITY, _combined_unit(operator, first.unit, second.unit, alike))


def _combined_unit(operator: str, first: str, second: str, alike: bool) -> str:
    if second == NO_UNIT:
        return first
    if operator == "/" and first == NO_UNIT:
        return f"per {second}"
    if operator == "/":
        return NO_UNIT if alike else f"{first} per {second}"
    return second if first == NO_UNIT else f"{first} {second}"


def period_shape(period: str, of: Shape) -> Shape | None:
    """The shape of the years or months of values, or None if these have none."""
    if period == "year" and of.type in (ValueType.YEAR, ValueType.DATE):
        return Shape(ValueType.YEAR)
    return Shape(ValueType.STRING) if of.type == ValueType.DATE else None


def converts_to_first(operator: str, first: Shape, second: Shape) -> float:
    """The factor that brings the second number to the unit of the first before the calculation."""
    if operator == "*" or first.type != ValueType.QUANTITY:
        return 1.0
    return conversion_factor(second.unit, first.unit) or 1.0
