"""Numbers: what values are calculated and compared with, and what is aggregated over a set.

An operand is the expression of a value in its shape (compilers/kopl/shapes.py), beside the patterns that
state it. SPARQL 1.1, 11 (aggregates) and 17.4 (functions).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from compilers import algebra as a
from compilers.errors import UnsupportedProgram
from compilers.kopl.functions import ValueType
from compilers.kopl.shapes import NUMBER, Shape, calculated_shape, converts_to_first, shape_of
from compilers.kopl.tables import is_aggregated, is_number, leaves_of, operands_of, subject_of
from compilers.layouts.base import Column, Measure, Patterns, ValueReference, number_literal
from compilers.layouts.vocabulary import XSD
from compilers.lowering.once import counts_solutions, each_once
from compilers.lowering.values import value_line
from compilers.lowering.work import Lowering, SetFunction
from compilers.naming import number_name
from compilers.rewrites.walk import variables

AGGREGATES = {"Sum": "SUM", "Average": "AVG", "Minimum": "MIN", "Maximum": "MAX"}
_ROLES = {ValueType.QUANTITY: "number", ValueType.YEAR: "year", ValueType.DATE: "day"}
NOTHING = a.Literal("")


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


Lowered = tuple[Patterns, Operand]


def operand(work: Lowering, step: int) -> Lowered:
    """A step's value in this group; a number is taken over its whole set, in a subquery."""
    work.written.add(step)
    if work.step(step).function == "Calculate":
        return _calculated(work, step)
    if is_number(work.grounded.program, step):
        return _whole_number(work, step)
    patterns, value = value_line(work, step)
    found, new = operand_of(work, step, value)
    return (*patterns, *new), found


def operand_of(work: Lowering, step: int, value: ValueReference) -> tuple[Operand, Patterns]:
    """A value that stands in this group, with the patterns that measure it where they are not there yet."""
    measure, patterns = measured(work, step, value)
    return _measured_operand(measure, value), patterns


def measured(work: Lowering, step: int, value: ValueReference) -> tuple[Measure, Patterns]:
    """A value's measure in its shape's unit, with the patterns that are not in this group yet."""
    known = work.scope.measures.get(step)
    if known is not None:
        return known, ()
    measure = work.layout.measure(value, step)
    work.scope.measures[step] = measure
    work.scope.derived.update(v for pattern in measure.patterns for v in variables(pattern))
    if measure.unit is None or not value.binding.units:
        return measure, measure.patterns
    unit = a.Operation("=", (a.Call("STR", (measure.unit,)), a.Literal(value.binding.units[0])))
    return measure, (*measure.patterns, a.Filter(unit, (step,)))


def _measured_operand(measure: Measure, value: ValueReference) -> Operand:
    shape = value_shape(value)
    if shape.type != ValueType.DATE:
        return Operand(measure.number, shape)
    if measure.has_day is None or measure.day is None:
        assert measure.date is not None, "a measure of days says what they are made from"
        return Operand(measure.number, shape, a.Call("YEAR", (measure.date,)), None, measure.date)
    bare = a.Operation("*", (measure.number, number_literal(10_000)))
    key = a.Call("IF", (measure.has_day, measure.day, bare))
    return Operand(key, shape, measure.number, measure.has_day, measure.date)


def value_shape(value: ValueReference) -> Shape:
    """The shape of an attribute's values; quantities where nothing is known of them."""
    return shape_of(value.binding.value_types or (ValueType.QUANTITY,), value.binding.units)


def _whole_number(work: Lowering, step: int) -> Lowered:
    inner = work.apart()
    patterns, found = aggregate(inner, step)
    select = aggregation(inner, step, patterns, found)
    variable = select.projections[0].variable
    return (a.SubSelect(select, (step,)),), decoded(variable, found.shape)


def decoded(number: a.Expression, shape: Shape) -> Operand:
    """A number or a key as an operand; a day's key is taken apart again."""
    if shape.type != ValueType.DATE:
        return Operand(number, shape)
    year = a.Call("FLOOR", (a.Operation("/", (number, a.Literal("10000.0", XSD + "decimal"))),))
    bare = a.Operation("*", (year, number_literal(10_000)))
    return Operand(number, shape, year, a.Operation("!=", (number, bare)))


def aggregation(work: Lowering, step: int, patterns: Patterns, found: Operand) -> a.Select:
    """One number taken over all solutions of the patterns, each value of each entity once."""
    match patterns:
        case (a.SubSelect(select),) if work.step(step).function == "CountTable":
            return select
    name = work.names.fresh(number_name(work.grounded, step))
    inner = patterns
    if counts_solutions(found.expression):
        kept = leaf_variables(work, step)
        inner = each_once(work.scope, patterns, kept, (found.expression,), (step,))
    return a.Select((a.Projection(name, found.expression),), inner, (step,), distinct=False)


def leaf_variables(work: Lowering, step: int) -> frozenset[a.Variable]:
    """The variables of the values that a number is taken over, and of the entities that these are of."""
    leaves = {leaf for source in aggregated(work, step) for leaf in leaves_of(work.grounded.program, source)}
    members = {work.scope.members[leaf] for leaf in leaves if leaf in work.scope.members}
    return frozenset(members | work.value_variables(leaves))


def aggregated(work: Lowering, step: int) -> tuple[int, ...]:
    """The steps of values that the aggregates in a number are taken over."""
    numbers = map(work.step, operands_of(work.grounded.program, step))
    return tuple(source for call in numbers if call.function in AGGREGATES for source in call.dependencies)


def aggregate(work: Lowering, step: int, *, grouped: bool = False) -> Lowered:
    """A number as an aggregate expression over this group of patterns, with the patterns that it needs."""
    work.written.add(step)
    call = work.step(step)
    if call.function == "Calculate":
        return _calculated_aggregate(work, step) if grouped else _calculated(work, step)
    source = work.source(step)
    if call.function == "Count":
        patterns, entity = work.line(source)
        return patterns, Operand(a.Call("COUNT DISTINCT", (entity,)), NUMBER)
    if call.function == "CountValues":
        return _count_values(work, source)
    if call.function == "CountTable":
        return _count_rows(work, step)
    patterns, value = operand(work, source)
    _require_countable(work, step, value.shape)
    number = a.Call(AGGREGATES[call.function], (value.expression,))
    if not grouped:
        return patterns, decoded(_of_nothing(work, call.function, number), value.shape)
    return patterns, decoded(number, value.shape)


def _of_nothing(work: Lowering, function: str, number: a.Call) -> a.Call:
    """The sum of nothing is 0, the average of nothing no answer.

    By SPARQL's definition (18.5.1.4) both are 0, in some stores neither is bound.
    """
    unbound = work.options.dialect.empty_sums
    if function == "Sum" and unbound:
        return a.Call("COALESCE", (number, number_literal(0)))
    if function == "Average" and not unbound:
        count = a.Operation(">", (a.Call("COUNT", number.arguments), number_literal(0)))
        return a.Call("IF", (count, number, NOTHING))
    return number


def _require_countable(work: Lowering, step: int, shape: Shape) -> None:
    function = work.step(step).function
    allowed = {ValueType.QUANTITY}
    if function in ("Minimum", "Maximum"):
        allowed |= {ValueType.YEAR, ValueType.DATE}
    if shape.type not in allowed:
        raise UnsupportedProgram(
            f"{function} does not take values of type {shape.type}",
            step=step,
            hint="choose an attribute that holds quantities",
        )


def _count_values(work: Lowering, source: int) -> Lowered:
    if work.step(source).function == "Calculate":
        patterns, value = operand(work, source)
        return patterns, Operand(a.Call("COUNT DISTINCT", (value.expression,)), NUMBER)
    patterns, reference = value_line(work, source)
    reading = work.layout.read(reference, source)
    parts: list[a.Expression] = [
        a.Variable(column.name) for column in reading.columns if column.role != "digits"
    ]
    together = parts[0] if len(parts) == 1 else a.Call("CONCAT", tuple(map(_or_blank, parts)))
    work.scope.derived.update(v for pattern in reading.patterns for v in variables(pattern))
    return (*patterns, *reading.patterns), Operand(a.Call("COUNT DISTINCT", (together,)), NUMBER)


def _or_blank(part: a.Expression) -> a.Expression:
    """A part's text with a mark behind it, or the mark alone where the part is missing."""
    return a.Call("CONCAT", (a.Call("COALESCE", (a.Call("STR", (part,)), NOTHING)), a.Literal(" ")))


def _count_rows(work: Lowering, step: int) -> Lowered:
    rows = work.names.fresh(number_name(work.grounded, step))
    counted = a.Projection(rows, a.Call("COUNT", (a.Variable("*"),)))
    inner = work.table(work.apart(), work.source(step))
    plain = a.Select(inner.projections, inner.patterns, inner.steps, distinct=False)
    computed = any(projection.expression is not None for projection in inner.projections)
    counted_of = inner.patterns if inner == plain and not computed else (a.SubSelect(inner, (step,)),)
    select = a.Select((counted,), counted_of, (step,), distinct=False)
    return (a.SubSelect(select, (step,)),), Operand(a.Call("MIN", (rows,)), NUMBER)


def number_column(name: str, number: Operand, step: int, cell: int = 0) -> Column:
    """The column that a calculated number arrives in."""
    return Column(name, _ROLES[number.shape.type], step, number.shape.unit, cell)


def _calculated(work: Lowering, step: int) -> Lowered:
    (first, left), (second, right) = (operand(work, source) for source in work.step(step).dependencies)
    patterns = (*first, *second)
    operator = work.step(step).inputs[0]
    result = _calculation(work, step, left, right)
    if left.shape.type == ValueType.DATE:
        days, number = _days_between(work, step, left, right)
        return (*patterns, *days), Operand(number, result.shape)
    if operator != "/":
        return patterns, result
    if is_number(work.grounded.program, step):
        return patterns, _or_nothing(right, result)
    nonzero = a.Operation("!=", (right.expression, number_literal(0)))
    return (*patterns, a.Filter(nonzero, (step,))), result


def _or_nothing(divisor: Operand, result: Operand) -> Operand:
    nonzero = a.Operation("!=", (divisor.expression, number_literal(0)))
    return replace(result, expression=a.Call("IF", (nonzero, result.expression, NOTHING)))


def _calculated_aggregate(work: Lowering, step: int) -> Lowered:
    """Within a group of a table: of its values, and of those that its rows have in common."""
    patterns: list[a.Pattern] = []
    operands: list[Operand] = []
    for source in work.step(step).dependencies:
        if is_aggregated(work.grounded.program, source):
            more, number = aggregate(work, source, grouped=True)
        else:
            # Beside aggregates stands what is one within a group: a column of the table.
            more, value = operand(work, source)
            number = Operand(a.Call("MIN", (value.expression,)), value.shape)
        patterns.extend(more)
        operands.append(number)
    result = _calculation(work, step, *operands)
    if operands[0].shape.type == ValueType.DATE:
        raise UnsupportedProgram(
            "days between aggregated dates cannot be counted",
            step=step,
            hint="calculate with the dates themselves",
        )
    if work.step(step).inputs[0] == "/":
        result = _or_nothing(operands[1], result)
    return tuple(patterns), result


def _calculation(work: Lowering, step: int, left: Operand, right: Operand) -> Operand:
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
    if operator == "/" and work.options.dialect.whole_division and not _is_double(first):
        first = a.Call(XSD + "double", (first,))
    return Operand(a.Operation(operator, (first, second)), shape)


def _is_double(expression: a.Expression) -> bool:
    return isinstance(expression, a.Call) and expression.name == XSD + "double"


def _units_apart(first: Shape, second: Shape) -> str:
    return "" if first.unit == second.unit else f", in {first.unit} and {second.unit}"


def _days_between(work: Lowering, step: int, left: Operand, right: Operand) -> tuple[Patterns, a.Expression]:
    first, start = _day_count(work, step, left)
    second, end = _day_count(work, step, right)
    return (*first, *second), a.Operation("-", (start, end))


def _day_count(work: Lowering, step: int, day: Operand) -> tuple[Patterns, a.Expression]:
    """Days since an arbitrary one, as `shapes.day_number` counts them: years begin in March."""
    if day.date is None:
        raise UnsupportedProgram(
            "days between aggregated dates cannot be counted",
            step=step,
            hint="calculate with the dates themselves",
        )
    year, month = work.names.fresh("year from March"), work.names.fresh("month from March")
    late = a.Operation(">", (a.Call("MONTH", (day.date,)), number_literal(2)))
    years, months = a.Call("YEAR", (day.date,)), a.Call("MONTH", (day.date,))
    earlier = a.Operation("-", (years, number_literal(1)))
    later = a.Operation("+", (months, number_literal(12)))
    bound = (
        *((a.Filter(day.has_day, (step,)),) if day.has_day is not None else ()),
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
                    a.Call("DAY", (day.date,)),
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
        return a.Literal("false", XSD + "boolean")
    second = right.expression
    if factor != 1:
        second = a.Operation("*", (second, number_literal(factor)))
    return a.Operation(comparison, (left.expression, second))


def _compares_times(left: Operand, comparison: str, right: Operand) -> a.Expression:
    """Days with days by their keys, else by the years; a bare year never equals a day."""
    by_day = a.Operation(comparison, (left.expression, right.expression))
    by_year = a.Operation(comparison, (_year(left), _year(right)))
    if comparison in ("<", ">"):
        return _if_day(left, _if_day(right, by_day, by_year), by_year)
    if right.shape.type == ValueType.YEAR:
        return by_year
    equal = a.Operation("=", (left.expression, right.expression))
    years = a.Operation("=", (_year(left), _year(right)))
    # Keys of a bare year and of a day differ, and so a year is never equal to a day.
    whole = _if_day(right, equal, years)
    if left.shape.type == ValueType.YEAR:
        whole = _if_day(right, a.Literal("false", XSD + "boolean"), years)
    return whole if comparison == "=" else a.Call("!", (whole,))


def _year(time: Operand) -> a.Expression:
    return time.year if time.year is not None else time.expression


def _if_day(time: Operand, then: a.Expression, otherwise: a.Expression) -> a.Expression:
    if time.shape.type == ValueType.YEAR:
        return otherwise
    return then if time.has_day is None else a.Call("IF", (time.has_day, then, otherwise))


def _filter_compare(work: Lowering, index: int, entity: a.Variable, _fact: a.Variable | None) -> Patterns:
    """The members of the set that the first values are of, where a pair of values compares so."""
    first, second = work.step(index).dependencies
    subject = subject_of(work.grounded.program, first)
    if subject is None:
        raise UnsupportedProgram(
            "the first values are of no set",
            step=index,
            hint="compare the values of an attribute with a number, not the other way round",
        )
    members = () if subject in work.scope.members else work.set(subject, entity)
    left_patterns, left = operand(work, first)
    right_patterns, right = operand(work, second)
    test = compares(index, left, work.step(index).inputs[0], right)
    return (*members, *left_patterns, *right_patterns, a.Filter(test, (index,)))


SETS: dict[str, SetFunction] = {"FilterCompare": _filter_compare}
