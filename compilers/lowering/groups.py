"""Members filtered by an aggregate over their group: the count of another set, or a total."""

from __future__ import annotations

from compilers import algebra as a
from compilers.kopl.values import value_or_none
from compilers.layouts.base import FALSE, Column, Patterns, number_literal
from compilers.lowering.arithmetic import compares_with, decoded
from compilers.lowering.closing import closed
from compilers.lowering.numbers import AGGREGATES, operand, require_countable
from compilers.lowering.rows import Cell, Rows
from compilers.lowering.work import Lowering, SetFunction


def _filter_count(work: Lowering, index: int, entity: a.Variable, _fact: a.Variable | None) -> Patterns:
    """A subquery that groups by the members of the first set and counts those of the second."""
    first, second = work.step(index).dependencies
    inner = work.apart()
    members = inner.set(first, entity)
    others, counted = inner.line(second)
    number = a.Call("COUNT DISTINCT", (counted,))
    wanted = number_literal(work.number(index))
    groups = a.Select(
        (a.Projection(entity),),
        (*members, *others),
        (index,),
        distinct=False,
        group_by=(entity,),
        having=(a.Operation(work.step(index).inputs[1], (number, wanted)),),
    )
    return _members(work, index, entity, groups)


def _filter_aggregate(work: Lowering, index: int, entity: a.Variable, _fact: a.Variable | None) -> Patterns:
    """A table of the members and their number, restricted to the rows that pass the comparison."""
    first, second = work.step(index).dependencies
    aggregate, text, comparison = work.step(index).inputs
    inner = work.apart()
    members = inner.set(first, entity)
    values, value = operand(inner, second)
    require_countable(index, aggregate.title(), value.shape)
    number = a.Call(AGGREGATES[aggregate.title()], (value.expression,))
    target = value_or_none(text, value.shape.type)
    test = FALSE if target is None else compares_with(index, decoded(number, value.shape), comparison, target)
    cell = Cell(first, (Column(entity.name, "entity", first),))
    rows = Rows(inner, index, (cell,), (*members, *values), (cell,), having=(test,))
    return _members(work, index, entity, closed(rows, labels=False))


def _members(work: Lowering, index: int, entity: a.Variable, groups: a.Select) -> Patterns:
    """The members of the groups, and the patterns behind them if other steps go on from there."""
    outer = work.behind(index, entity) if work.is_shared(index) else ()
    return (*outer, a.SubSelect(groups, (index,)))


SETS: dict[str, SetFunction] = {"FilterCount": _filter_count, "FilterAggregate": _filter_aggregate}
