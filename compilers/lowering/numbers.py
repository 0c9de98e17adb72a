"""Numbers: aggregates over a set, and the patterns of calculations and comparisons.

SPARQL 1.1, 11 (aggregates).
"""

from __future__ import annotations

from dataclasses import replace

from compilers import algebra as a
from compilers.errors import UnsupportedProgram
from compilers.kopl.functions import CALCULATING, ValueType
from compilers.kopl.shapes import NUMBER, Shape
from compilers.kopl.tables import is_aggregated, is_number, leaves_of, operands_of, stands_alone, subject_of
from compilers.layouts.base import Patterns, number_literal
from compilers.lowering.arithmetic import (
    NOTHING,
    Operand,
    calculation,
    compares,
    days_between,
    decoded,
    operand_of,
    or_nothing,
    period,
    rounding,
    stated_number,
)
from compilers.lowering.once import counts_solutions, each_once
from compilers.lowering.values import value_line
from compilers.lowering.work import Lowering, SetFunction
from compilers.naming import number_name

AGGREGATES = {"Sum": "SUM", "Average": "AVG", "Minimum": "MIN", "Maximum": "MAX"}
Lowered = tuple[Patterns, Operand]


def operand(work: Lowering, step: int) -> Lowered:
    """A step's value in this group; a number is aggregated over its whole set, in a subquery."""
    work.written.add(step)
    if work.step(step).function in CALCULATING:
        return _calculated(work, step)
    if work.step(step).function == "Number":
        return (), stated_number(work, step)
    if is_number(work.grounded.program, step):
        return _whole_number(work, step)
    patterns, value = value_line(work, step)
    found, new = operand_of(work, step, value)
    return (*patterns, *new), found


def _whole_number(work: Lowering, step: int) -> Lowered:
    inner = work.apart()
    patterns, found = aggregate(inner, step)
    select = aggregation(inner, step, patterns, found)
    variable = select.projections[0].variable
    return (a.SubSelect(select, (step,)),), decoded(variable, found.shape)


def aggregation(work: Lowering, step: int, patterns: Patterns, found: Operand) -> a.Select:
    """One number over all solutions of the patterns, each value of each entity once."""
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
    """The variables of the values that a number aggregates, and of the entities that have them."""
    leaves = {leaf for source in aggregated(work, step) for leaf in leaves_of(work.grounded.program, source)}
    members = {work.scope.members[leaf] for leaf in leaves if leaf in work.scope.members}
    return frozenset(members | work.value_variables(leaves))


def aggregated(work: Lowering, step: int) -> tuple[int, ...]:
    """The steps of values that the aggregates in a number range over."""
    numbers = map(work.step, operands_of(work.grounded.program, step))
    return tuple(source for call in numbers if call.function in AGGREGATES for source in call.dependencies)


def aggregate(work: Lowering, step: int, table: int | None = None) -> Lowered:
    """A number as an aggregate expression over this group of patterns, with the patterns that it needs.

    In a group of `table` it is taken over the group, unless it shares nothing with it or a subquery gives it.
    """
    work.written.add(step)
    if step in work.scope.numbers:
        given, shape = work.scope.numbers[step]
        # In each group one solution has the number; in the others it is unbound, an error to MIN.
        number = a.Call("SUM", (a.Call("COALESCE", (given, number_literal(0))),))
        return (), decoded(number, shape)
    call = work.step(step)
    if call.function in CALCULATING:
        return _calculated(work, step) if table is None else _calculated_aggregate(work, step, table)
    if call.function == "Number":
        return (), stated_number(work, step)
    if table is not None and stands_alone(work.grounded.program, table, step):
        patterns, whole = _whole_number(work, step)
        return patterns, replace(whole, expression=a.Call("MIN", (whole.expression,)))
    source = work.source(step)
    if call.function == "Count":
        patterns, entity = work.line(source)
        return patterns, Operand(a.Call("COUNT DISTINCT", (entity,)), NUMBER)
    if call.function == "CountValues":
        return _count_values(work, source)
    if call.function == "CountTable":
        return _count_rows(work, step)
    patterns, value = operand(work, source)
    require_countable(step, call.function, value.shape)
    number = a.Call(AGGREGATES[call.function], (value.expression,))
    if table is None:
        return patterns, decoded(_of_nothing(work, call.function, number), value.shape)
    return patterns, decoded(number, value.shape)


def _of_nothing(work: Lowering, function: str, number: a.Call) -> a.Call:
    """The sum of nothing is 0, the average of nothing has no answer.

    By SPARQL's definition (18.5.1.4) both are 0, in some stores neither is bound.
    """
    unbound = work.options.dialect.empty_sums
    if function == "Sum" and unbound:
        return a.Call("COALESCE", (number, number_literal(0)))
    if function == "Average" and not unbound:
        count = a.Operation(">", (a.Call("COUNT", number.arguments), number_literal(0)))
        return a.Call("IF", (count, number, NOTHING))
    return number


def require_countable(step: int, function: str, shape: Shape) -> None:
    """Raise UnsupportedProgram if the aggregate does not take values of the shape."""
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
    if work.step(source).function in CALCULATING:
        patterns, value = operand(work, source)
        return patterns, Operand(a.Call("COUNT DISTINCT", (value.expression,)), NUMBER)
    patterns, reference = value_line(work, source)
    reading = work.layout.read(reference, source)
    parts: list[a.Expression] = [
        a.Variable(column.name) for column in reading.columns if column.role != "digits"
    ]
    together = parts[0] if len(parts) == 1 else a.Call("CONCAT", tuple(map(_or_blank, parts)))
    work.scope.derive(reference, reading.patterns, reading.columns)
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


def _calculated(work: Lowering, step: int) -> Lowered:
    if work.step(step).function == "Round":
        inner, whole = operand(work, work.source(step))
        return inner, rounding(work, step, whole)
    if work.step(step).function == "Period":
        inner, time = operand(work, work.source(step))
        days, part = period(work, step, time)
        return (*inner, *days), part
    (first, left), (second, right) = (operand(work, source) for source in work.step(step).dependencies)
    patterns = (*first, *second)
    operator = work.step(step).inputs[0]
    result = calculation(work, step, left, right)
    if left.shape.type == ValueType.DATE:
        days, number = days_between(work, step, left, right)
        return (*patterns, *days), Operand(number, result.shape)
    if operator != "/":
        return patterns, result
    if is_number(work.grounded.program, step):
        return patterns, or_nothing(right, result)
    nonzero = a.Operation("!=", (right.expression, number_literal(0)))
    return (*patterns, a.Filter(nonzero, (step,))), result


def of_group(work: Lowering, step: int, table: int) -> Lowered:
    """A number of a table's groups, or a value: beside numbers it is a column, and constant in a group."""
    if is_aggregated(work.grounded.program, step) or step in work.scope.numbers:
        return aggregate(work, step, table)
    patterns, value = operand(work, step)
    return patterns, Operand(a.Call("MIN", (value.expression,)), value.shape)


def _calculated_aggregate(work: Lowering, step: int, table: int) -> Lowered:
    """A calculation within a group of a table: over its values, and over values its rows share."""
    lowered = [of_group(work, source, table) for source in work.step(step).dependencies]
    patterns = tuple(pattern for more, _ in lowered for pattern in more)
    operands = [number for _, number in lowered]
    if work.step(step).function == "Round":
        return patterns, rounding(work, step, operands[0])
    result = calculation(work, step, *operands)
    if operands[0].shape.type == ValueType.DATE:
        raise UnsupportedProgram(
            "days between aggregated dates cannot be counted",
            step=step,
            hint="calculate with the dates themselves",
        )
    if work.step(step).inputs[0] == "/":
        result = or_nothing(operands[1], result)
    return patterns, result


def _filter_compare(work: Lowering, index: int, entity: a.Variable, _fact: a.Variable | None) -> Patterns:
    """The members that have the first values, where a pair of values passes the comparison."""
    first, second = work.step(index).dependencies
    subject = subject_of(work.grounded.program, first)
    if subject is None:
        raise UnsupportedProgram(
            "the first values of FilterCompare belong to no set",
            step=index,
            hint="compare the values of an attribute with a number, and give the number second",
        )
    members = () if subject in work.scope.members else work.set(subject, entity)
    left_patterns, left = operand(work, first)
    right_patterns, right = operand(work, second)
    test = compares(index, left, work.step(index).inputs[0], right)
    return (*members, *left_patterns, *right_patterns, a.Filter(test, (index,)))


SETS: dict[str, SetFunction] = {"FilterCompare": _filter_compare}
