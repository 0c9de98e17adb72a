"""The form in which an attribute's values are ordered and calculated with: one type, one unit.

A shape belongs to a step, not to a value: it is the same for every value that the step gives, so that
a query can be written for it before a value is seen.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from compilers.kopl.functions import ValueType
from compilers.kopl.units import conversion_factor
from compilers.kopl.values import (
    COMPARE,
    NO_UNIT,
    Date,
    Quantity,
    String,
    Value,
    Year,
    compare,
    number_in,
    rounded,
    type_of,
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


def shape_of_values(values: Iterable[Value]) -> Shape:
    """The shape of these values, quantities in their commonest unit."""
    held = list(values)
    return shape_of({type_of(value) for value in held}, commonest_units(held))


def commonest_units(values: Iterable[Value]) -> tuple[str, ...]:
    """The units of the quantities, the commonest first; on a tie a named one first, then by alphabet."""
    return units_by_commonness(Counter(value.unit for value in values if isinstance(value, Quantity)))


def units_by_commonness(counts: Mapping[str, int]) -> tuple[str, ...]:
    """The counted units, the commonest first; on a tie a named one first, then by alphabet."""
    return tuple(sorted(counts, key=lambda unit: (-counts[unit], unit == NO_UNIT, unit)))


def shaped(value: Value, shape: Shape) -> Value | None:
    """The value in a shape, or None for a value of another type or unit."""
    match value:
        case Quantity() if shape.type == ValueType.QUANTITY:
            number = number_in(value, shape.unit)
            return None if number is None else Quantity(number, shape.unit)
        case Year() | Date() if shape.type in (ValueType.YEAR, ValueType.DATE):
            return value
        case String() if shape.type == ValueType.STRING:
            return value
    return None


def compares(value: Value, comparison: str, target: Value) -> bool:
    """True if `value comparison target` holds; as `values.compare`, but texts compare letter by letter."""
    if isinstance(value, String) and isinstance(target, String):
        return COMPARE[comparison](value.text, target.text)
    return compare(value, comparison, target)


def order_key(value: Value) -> tuple[float, int, int] | str:
    """Orders the values of one shape; a year stands before its days."""
    match value:
        case Quantity():
            return (value.number, 0, 0)
        case Year():
            return (value.year, 0, 0)
        case Date():
            return (value.year, value.month, value.day)
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


def converts_to_first(operator: str, first: Shape, second: Shape) -> float:
    """The factor that brings the second number to the unit of the first before the calculation."""
    if operator == "*" or first.type != ValueType.QUANTITY:
        return 1.0
    return conversion_factor(second.unit, first.unit) or 1.0


def calculate(operator: str, first: Value, second: Value, shapes: tuple[Shape, Shape]) -> Value | None:
    """The first value with the second, both shaped.

    None for a division by zero, for a result beyond a double's range, and for years with days.
    """
    shape = calculated_shape(operator, *shapes)
    if shape is None:
        return None
    if isinstance(first, Date) and isinstance(second, Date):
        return Quantity(float(day_number(first) - day_number(second)), DAY_UNIT)
    if isinstance(first, Year) and isinstance(second, Year) and shape.unit == YEAR_UNIT:
        return Quantity(float(first.year - second.year), YEAR_UNIT)
    if not isinstance(first, Quantity) or not isinstance(second, Quantity):
        return None
    number = second.number * converts_to_first(operator, *shapes)
    if operator == "/" and number == 0:
        return None
    results = {"+": first.number + number, "-": first.number - number, "*": first.number * number}
    result = results[operator] if operator in results else first.number / number
    return Quantity(rounded(result), shape.unit) if math.isfinite(result) else None


def round_to(value: Value, decimals: int) -> Value | None:
    """A quantity rounded to so many decimals, halves up; None for any other value."""
    if not isinstance(value, Quantity):
        return None
    scale = 10.0**decimals
    return Quantity(rounded(math.floor(value.number * scale + HALF) / scale), value.unit)


def day_number(date: Date) -> int:
    """Days since an arbitrary day, by the Julian day formula for the Gregorian calendar (floor division)."""
    year = date.year if date.month > 2 else date.year - 1
    month = date.month if date.month > 2 else date.month + 12
    century = year // 100
    return (1461 * year) // 4 + (306 * (month + 1)) // 10 + date.day - century + century // 4
