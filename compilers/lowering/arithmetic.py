"""Values as expressions: in their shapes, calculated with one another and compared.

An operand is the expression of a value in its shape (compilers/kopl/shapes.py). SPARQL 1.1, 17.4 (functions).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from compilers import algebra as a
from compilers.errors import UnsupportedProgram
from compilers.kopl.functions import EQUALITIES, ValueType
from compilers.kopl.shapes import HALF, Shape, calculated_shape, converts_to_first, period_shape, shape_of
from compilers.kopl.values import (
    Date,
    Quantity,
    Value,
    Year,
    number_in,
    parse_quantity,
)
from compilers.layouts.base import (
    FALSE,
    Column,
    Measure,
    Patterns,
    ValueReference,
    day_literal,
    number_bound,
    number_literal,
)
from compilers.layouts.things import holds_things
from compilers.layouts.vocabulary import XSD
from compilers.lowering.work import Lowering

NOTHING = a.Literal("")
_ROLES = {
    ValueType.QUANTITY: "number",
    ValueType.YEAR: "year",
    ValueType.DATE: "day",
    ValueType.STRING: "value",
}


@dataclass(frozen=True, slots=True)
class Operand:
    """A value as an expression: a number, a year, a day's key (`year * 10000` for a bare year) or a text.

    For days `year` is the year, and `has_day` tells days from bare years where both may come. `date` is the
    date itself where there is one.
    """

    expression: a.Expression
    shape: Shape
    year: a.Expression | None = None
    has_day: a.Expression | None = None
    date: a.Expression | None = None


def operand_of(work: Lowering, step: int, value: ValueReference) -> tuple[Operand, Patterns]:
    """A value in this group as an operand, with the patterns that measure it if they are not there yet."""
    measure, patterns = measured(work, step, value)
    return _measured_operand(measure, value), patterns


def measured(work: Lowering, step: int, value: ValueReference) -> tuple[Measure, Patterns]:
    """A value's measure in its shape's unit, with the patterns that are not in this group yet."""
    known = work.scope.measures.get(step)
    if known is not None:
        return known, ()
    measure = work.layout.measure(value, step)
    work.scope.measures[step] = measure
    work.scope.derive(value, measure.patterns, measure.shown)
    if measure.unit is None or not value.binding.units:
        return measure, measure.patterns
    unit = a.Operation("=", (a.Call("STR", (measure.unit,)), a.Literal(value.binding.units[0])))
    return measure, (*measure.patterns, a.Filter(unit, (step,)))


def _measured_operand(measure: Measure, value: ValueReference) -> Operand:
    shape = value_shape(value)
    if shape.type != ValueType.DATE:
        return Operand(measure.number, shape)
    if measure.has_day is None or measure.day is None:
        assert measure.date is not None, "a measure of days has their date"
        return Operand(measure.number, shape, a.Call("YEAR", (measure.date,)), None, measure.date)
    bare = a.Operation("*", (measure.number, number_literal(10_000)))
    key = a.Call("IF", (measure.has_day, measure.day, bare))
    return Operand(key, shape, measure.number, measure.has_day, measure.date)


def value_shape(value: ValueReference) -> Shape:
    """The shape of an attribute's values: texts if they are things, quantities if their types are unknown."""
    unknown = ValueType.STRING if holds_things(value.binding) else ValueType.QUANTITY
    return shape_of(value.binding.value_types or (unknown,), value.binding.units)


def decoded(number: a.Expression, shape: Shape) -> Operand:
    """A number or a key as an operand; a day's key is split into its parts."""
    if shape.type != ValueType.DATE:
        return Operand(number, shape)
    year = a.Call("FLOOR", (a.Operation("/", (number, a.Literal("10000.0", XSD + "decimal"))),))
    bare = a.Operation("*", (year, number_literal(10_000)))
    return Operand(number, shape, year, a.Operation("!=", (number, bare)))


def number_column(name: str, number: Operand, step: int) -> Column:
    """The column that a calculated number arrives in."""
    return Column(name, _ROLES[number.shape.type], step, number.shape.unit)


def calculation(work: Lowering, step: int, left: Operand, right: Operand) -> Operand:
    """The result of a Calculate; raises UnsupportedProgram for operands that do not go together."""
    operator = work.step(step).inputs[0]
    shape = calculated_shape(operator, left.shape, right.shape)
    if shape is None:
        raise UnsupportedProgram(
            f"{left.shape.type} {operator} {right.shape.type} cannot be calculated"
            f"{_units_apart(left.shape, right.shape)}",
            step=step,
            hint="calculate with quantities of one unit, or with the difference of two dates",
        )
    factor = converts_to_first(operator, left.shape, right.shape)
    second = right.expression
    if factor != 1:
        second = a.Operation("*", (second, number_literal(factor)))
    first = left.expression
    if operator == "/" and work.options.dialect.double_division and not _is_double(first):
        first = a.Call(XSD + "double", (first,))
    return Operand(a.Operation(operator, (first, second)), shape)


def stated_number(work: Lowering, step: int) -> Operand:
    """The constant of a Number, in the form that compares with the store's numbers."""
    quantity = parse_quantity(work.step(step).inputs[0])
    bound = number_bound(quantity.number, work.options)
    return Operand(bound, Shape(ValueType.QUANTITY, quantity.unit))


def rounding(work: Lowering, step: int, number: Operand) -> Operand:
    """A number rounded to the decimals of a Round step, halves up."""
    if number.shape.type != ValueType.QUANTITY:
        raise UnsupportedProgram(
            f"Round does not take values of type {number.shape.type}",
            step=step,
            hint="round quantities; years and dates are whole already",
        )
    scale = a.Literal(repr(10.0 ** work.number(step)), XSD + "double")
    scaled = a.Operation("*", (number.expression, scale))
    whole = a.Call("FLOOR", (a.Operation("+", (scaled, a.Literal(str(HALF), XSD + "double"))),))
    return replace(number, expression=a.Operation("/", (whole, scale)))


def period(work: Lowering, step: int, time: Operand) -> tuple[Patterns, Operand]:
    """The year or the month of a Period step, with the patterns that leave out what has none."""
    wanted = work.step(step).inputs[0]
    shape = period_shape(wanted, time.shape)
    if shape is None:
        raise UnsupportedProgram(
            f"Period({wanted}) does not take values of type {time.shape.type}",
            step=step,
            hint="choose an attribute that holds dates",
        )
    if shape.type == ValueType.YEAR:
        return (), Operand(_year(time), shape)
    date = _date_of(step, time)
    # A sum has no zeros in front, which Jena's own MONTH has, and two digits behind the first.
    hundreds = a.Operation("+", (number_literal(100), a.Call("MONTH", (date,))))
    month = a.Call("SUBSTR", (a.Call("STR", (hundreds,)), number_literal(2)))
    text = a.Call("CONCAT", (a.Call("STR", (a.Call("YEAR", (date,)),)), a.Literal("-"), month))
    return _only_days(step, time), Operand(text, shape)


def _date_of(step: int, time: Operand) -> a.Expression:
    if time.date is None:
        raise UnsupportedProgram(
            "days between aggregated dates cannot be counted, nor is their month taken",
            step=step,
            hint="calculate with the dates themselves",
        )
    return time.date


def _only_days(step: int, time: Operand) -> Patterns:
    return (a.Filter(time.has_day, (step,)),) if time.has_day is not None else ()


def or_nothing(divisor: Operand, result: Operand) -> Operand:
    """The result, or an empty text if the divisor is zero."""
    nonzero = a.Operation("!=", (divisor.expression, number_literal(0)))
    return replace(result, expression=a.Call("IF", (nonzero, result.expression, NOTHING)))


def _is_double(expression: a.Expression) -> bool:
    return isinstance(expression, a.Call) and expression.name == XSD + "double"


def _units_apart(first: Shape, second: Shape) -> str:
    return "" if first.unit == second.unit else f", in {first.unit} and {second.unit}"


def days_between(work: Lowering, step: int, left: Operand, right: Operand) -> tuple[Patterns, a.Expression]:
    """The number of days from the right one to the left one, with the patterns that compute it."""
    first, start = _day_count(work, step, left)
    second, end = _day_count(work, step, right)
    return (*first, *second), a.Operation("-", (start, end))


def _day_count(work: Lowering, step: int, day: Operand) -> tuple[Patterns, a.Expression]:
    """Days since an arbitrary day; years begin in March."""
    date = _date_of(step, day)
    year, month = work.names.fresh("year from March"), work.names.fresh("month from March")
    late = a.Operation(">", (a.Call("MONTH", (date,)), number_literal(2)))
    years, months = a.Call("YEAR", (date,)), a.Call("MONTH", (date,))
    earlier = a.Operation("-", (years, number_literal(1)))
    later = a.Operation("+", (months, number_literal(12)))
    bound = (
        *_only_days(step, day),
        a.Bind(a.Call("IF", (late, years, earlier)), year, (step,)),
        a.Bind(a.Call("IF", (late, months, later)), month, (step,)),
    )
    following = a.Operation("+", (month, number_literal(1)))
    counted = a.Operation(
        "-",
        (
            a.Operation(
                "+",
                (
                    _floor("*", year, "365.25"),
                    _floor("*", following, "30.6"),
                    a.Call("DAY", (date,)),
                    _floor("/", year, "400.0"),
                ),
            ),
            _floor("/", year, "100.0"),
        ),
    )
    return bound, counted


def _floor(operator: str, number: a.Expression, by: str) -> a.Expression:
    return a.Call("FLOOR", (a.Operation(operator, (number, a.Literal(by, XSD + "decimal"))),))


def compares(step: int, left: Operand, comparison: str, right: Operand) -> a.Expression:
    """`left comparison right` by the rules of `compilers.kopl.shapes.compares`."""
    types = (left.shape.type, right.shape.type)
    times = {ValueType.YEAR, ValueType.DATE}
    if set(types) <= times:
        return _compares_times(left, comparison, right)
    if types[0] != types[1]:
        raise UnsupportedProgram(
            f"values of type {types[0]} and {types[1]} do not compare by {comparison}",
            step=step,
            hint="compare quantities with quantities, times with times, and texts with texts",
        )
    factor = converts_to_first("-", left.shape, right.shape)
    if types[0] == ValueType.QUANTITY and calculated_shape("-", left.shape, right.shape) is None:
        return FALSE
    second = right.expression
    if factor != 1:
        second = a.Operation("*", (second, number_literal(factor)))
    return a.Operation(comparison, (left.expression, second))


def compares_with(step: int, left: Operand, comparison: str, target: Value) -> a.Expression:
    """`left comparison target`; false for a quantity in a unit that does not convert."""
    bound = _constant(target, left.shape)
    return FALSE if bound is None else compares(step, left, comparison, bound)


def _constant(value: Value, shape: Shape) -> Operand | None:
    match value:
        case Quantity():
            number = number_in(value, shape.unit)
            return None if number is None else Operand(number_literal(number), shape)
        case Year():
            return Operand(number_literal(value.year), Shape(ValueType.YEAR))
        case Date():
            return Operand(day_literal(value), Shape(ValueType.DATE), number_literal(value.year))
        case _:
            return Operand(a.Literal(str(value)), shape)


def _compares_times(left: Operand, comparison: str, right: Operand) -> a.Expression:
    """Days with days by their keys, else by the years; a bare year never equals a day."""
    by_day = a.Operation(comparison, (left.expression, right.expression))
    by_year = a.Operation(comparison, (_year(left), _year(right)))
    if comparison not in EQUALITIES:
        return _if_day(left, _if_day(right, by_day, by_year), by_year)
    if right.shape.type == ValueType.YEAR:
        return by_year
    equal = a.Operation("=", (left.expression, right.expression))
    years = a.Operation("=", (_year(left), _year(right)))
    # Keys of a bare year and of a day differ, and so a year is never equal to a day.
    whole = _if_day(right, equal, years)
    if left.shape.type == ValueType.YEAR:
        whole = _if_day(right, FALSE, years)
    return whole if comparison == "=" else a.Call("!", (whole,))


def _year(time: Operand) -> a.Expression:
    return time.year if time.year is not None else time.expression


def _if_day(time: Operand, then: a.Expression, otherwise: a.Expression) -> a.Expression:
    if time.shape.type == ValueType.YEAR:
        return otherwise
    return then if time.has_day is None else a.Call("IF", (time.has_day, then, otherwise))
