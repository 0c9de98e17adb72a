"""The last step of a program: the columns of the query, and their meaning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from compilers import algebra as a
from compilers.kopl.functions import CALCULATING, Type, ValueType
from compilers.kopl.tables import subject_of
from compilers.layouts.base import Column, Patterns, RelationLabels
from compilers.lowering.arithmetic import number_column
from compilers.lowering.numbers import aggregate, aggregation, operand
from compilers.lowering.ranking import best_first, extreme_members
from compilers.lowering.tables import lower_table
from compilers.lowering.values import VALUES, value_line
from compilers.lowering.work import Lowering
from compilers.naming import common_name, is_single, number_name, set_name, value_name


@dataclass(frozen=True, slots=True)
class Lowered:
    """A SELECT, its columns' meaning, and the output type, for the answer's reader."""

    select: a.Select
    columns: tuple[Column, ...]
    output: Type


def lower(work: Lowering) -> Lowered:
    """The query of a checked program; raises UnsupportedProgram for steps that the layout cannot state."""
    last = len(work.grounded.program) - 1
    output = work.step(last).signature.output
    if output == Type.ROWS:
        return Lowered(*lower_table(work, last), output)
    sink = _SINKS.get(work.step(last).signature.name, _set_of_entities)
    return sink(work, last, output)


def _set_of_entities(work: Lowering, index: int, output: Type) -> Lowered:
    """The names of a set, at the end of What and of a program that ends in a set."""
    source = work.source(index) if output == Type.NAMES else index
    entity = work.names.fresh(set_name(work.grounded, source))
    members = work.set(source, entity)
    columns, labels = _labelled(work, entity, index)
    return _select(work, index, columns, (*members, *labels), Type.NAMES)


def _count(work: Lowering, index: int, output: Type) -> Lowered:
    source = work.source(index)
    entity, number = (
        work.names.fresh(set_name(work.grounded, source)),
        work.names.fresh(number_name(work.grounded, index)),
    )
    projection = a.Projection(number, a.Call("COUNT DISTINCT", (entity,)))
    select = a.Select((projection,), work.set(source, entity), (index,), distinct=False)
    return Lowered(select, (Column(number.name, "count", index),), output)


def _exists(work: Lowering, index: int, output: Type) -> Lowered:
    """One member of the set, which is enough to decide."""
    found = _set_of_entities(work, index, Type.NAMES)
    return replace(found, select=replace(found.select, order_by=(), limit=1), output=output)


def _number(work: Lowering, index: int, output: Type) -> Lowered:
    patterns, found = aggregate(work, index)
    select = aggregation(work, index, patterns, found)
    return Lowered(select, (number_column(select.projections[0].variable.name, found, index),), output)


def _values(work: Lowering, index: int, output: Type) -> Lowered:
    """The values themselves; Verify compares them when they are read."""
    source = index if output == Type.VALUES else work.source(index)
    if work.step(source).signature.output == Type.NUMBER:
        return _number(work, source, output)
    if work.step(source).function in CALCULATING:
        return _calculated(work, index, source, output)
    subject = work.source(source)
    patterns, value = value_line(work, source)
    read_as = _VERIFIED.get(work.step(index).function)
    reading = work.layout.read(replace(value, read_as=read_as), source)
    columns, labels = _told(work, subject, work.scope.members[subject], source)
    return _select(work, index, (*columns, *reading.columns), (*patterns, *reading.patterns, *labels), output)


def _calculated(work: Lowering, index: int, source: int, output: Type) -> Lowered:
    patterns, number = operand(work, source)
    result = work.names.fresh(value_name(work.grounded, source))
    bound = a.Bind(number.expression, result, (source,))
    subject = subject_of(work.grounded.program, source)
    told = ((), ()) if subject is None else _told(work, subject, work.scope.members[subject], source)
    column = number_column(result.name, number, source)
    return _select(work, index, (*told[0], column), (*patterns, bound, *told[1]), output)


def _told(
    work: Lowering, subject: int, entity: a.Variable, index: int
) -> tuple[tuple[Column, ...], Patterns]:
    """The columns for the entity of a value; none if it is one known entity."""
    return ((), ()) if is_single(work.grounded, subject) else _labelled(work, entity, index)


def _query_relation(work: Lowering, index: int, output: Type) -> Lowered:
    head, tail = (work.names.fresh(set_name(work.grounded, work.source(index, side))) for side in (0, 1))
    relation = work.names.fresh("relation")
    patterns = (
        *work.apart().set(work.source(index, 0), head),
        *work.apart().set(work.source(index, 1), tail),
        *work.layout.between(head, relation, tail, index),
    )
    column = Column(relation.name, "relation", index)
    if not isinstance(work.layout, RelationLabels):
        return _select(work, index, (column,), patterns, output)
    label = work.names.fresh("relationLabel")
    labelled = a.Optional(work.layout.relation_label(relation, label, index), (index,))
    columns = (column, Column(label.name, "label", index))
    return _select(work, index, columns, (*patterns, labelled), output)


def _select_extreme(work: Lowering, index: int, output: Type) -> Lowered:
    """SelectAmong and SelectBetween."""
    entity = work.names.fresh(common_name(work.grounded, index))
    patterns, measure = extreme_members(work, index, entity)
    columns, labels = _labelled(work, entity, index)
    return _select(work, index, (*columns, *measure.shown), (*patterns, *labels), output)


def _labelled(work: Lowering, entity: a.Variable, index: int) -> tuple[tuple[Column, ...], Patterns]:
    told = work.told(entity)
    columns = (Column(entity.name, "entity", index), *told.columns(index))
    return columns, told.patterns(work.layout, entity, index)


def _select(
    work: Lowering, index: int, columns: tuple[Column, ...], patterns: Patterns, output: Type
) -> Lowered:
    projections = tuple(a.Projection(a.Variable(column.name)) for column in columns)
    order = best_first(work, index, patterns) if output in _RANKED else ()
    select = a.Select(projections, patterns, (index,), order_by=order, limit=work.options.limit)
    return Lowered(select, columns, output)


# Of these the first so many are told best first.
_RANKED = (Type.NAMES, Type.VALUES)
# What a verdict compares texts as.
_VERIFIED = {"VerifyStr": ValueType.STRING, "VerifyYear": ValueType.DATE, "VerifyDate": ValueType.DATE}
_SINKS: dict[str, Callable[[Lowering, int, Type], Lowered]] = {
    "What": _set_of_entities,
    "Count": _count,
    "Exists": _exists,
    "QueryRelation": _query_relation,
    "SelectAmong": _select_extreme,
    "SelectBetween": _select_extreme,
    **dict.fromkeys((*VALUES, *CALCULATING), _values),
    **dict.fromkeys((*_VERIFIED, "VerifyNum"), _values),
    **dict.fromkeys(("Sum", "Average", "Minimum", "Maximum", "CountValues", "CountTable", "Number"), _number),
}
