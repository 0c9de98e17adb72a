"""Values in the shape of their step, compared and calculated with as the interpreter does."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from compilers.kopl.functions import ValueType
from compilers.kopl.shapes import (
    DAY_UNIT,
    HALF,
    YEAR_UNIT,
    Shape,
    calculated_shape,
    converts_to_first,
    shape_of,
    units_by_commonness,
)
from compilers.kopl.values import (
    COMPARE,
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


def shape_of_values(values: Iterable[Value]) -> Shape:
    """The shape of these values, quantities in their commonest unit."""
    held = list(values)
    return shape_of({type_of(value) for value in held}, commonest_units(held))


def commonest_units(values: Iterable[Value]) -> tuple[str, ...]:
    """The units of the quantities, the commonest first; on a tie a named one first, then by alphabet."""
    return units_by_commonness(Counter(value.unit for value in values if isinstance(value, Quantity)))


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


def in_period(value: Value, period: str) -> Value | None:
    """The year of a time, or the month of a date; None for any other value."""
    if not isinstance(value, Year | Date):
        return None
    if period == "year":
        return Year(value.year)
    return String(f"{value.year}-{value.month:02}") if isinstance(value, Date) else None


def day_number(date: Date) -> int:
    """Days since an arbitrary day, by the Julian day formula for the Gregorian calendar (floor division)."""
    year = date.year if date.month > 2 else date.year - 1
    month = date.month if date.month > 2 else date.month + 12
    century = year // 100
    return (1461 * year) // 4 + (306 * (month + 1)) // 10 + date.day - century + century // 4
