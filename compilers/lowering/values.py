"""Values of attributes and qualifiers: their patterns, and the place of the value in them."""

from __future__ import annotations

from collections.abc import Callable

from compilers import algebra as a
from compilers.kopl.functions import ValueType
from compilers.kopl.values import Value, likely_value, possible_values, type_of
from compilers.layouts.base import FALSE, Patterns, ValueReference
from compilers.lowering.work import Lowering

Lowered = tuple[Patterns, ValueReference]


def value_line(work: Lowering, index: int) -> Lowered:
    """The values of a step in this group, with the patterns that are not in it yet."""
    known = work.scope.values.get(index)
    if known is not None:
        return (), known
    inner, entity = work.line(work.source(index))
    patterns, value = VALUES[work.step(index).signature.name](work, index, entity)
    work.scope.values[index] = value
    return (*inner, *patterns), value


def equals_text(work: Lowering, index: int, value: ValueReference, text: str) -> Patterns:
    """The value equals `text`, read as the commonest type of value of the attribute in the graph.

    Bare names have no known types: for them every reading counts.
    """
    types = value.binding.value_types
    readings = (likely_value(text, types),) if types else possible_values(text)
    branches = tuple(tested(work, index, value, "=", reading) for reading in readings)
    return branches[0] if len(branches) == 1 else (a.Union(branches, (index,)),)


def tested(work: Lowering, index: int, value: ValueReference, comparison: str, target: Value) -> Patterns:
    """`value comparison target` holds; it never does if the graph has no values of its type."""
    types, times = {*value.binding.value_types}, {ValueType.YEAR, ValueType.DATE}
    alike = times if type_of(target) in times else {type_of(target)}
    if types and not types & alike:
        return (a.Filter(FALSE, (index,)),)
    return work.layout.test(value, comparison, target, index)


def _attribute(work: Lowering, index: int, entity: a.Variable) -> Lowered:
    return work.layout.attribute(entity, work.binding(index, 0), None, index)


def _under_condition(work: Lowering, index: int, entity: a.Variable) -> Lowered:
    work.require_qualifiers(index)
    fact = work.names.fresh("fact")
    patterns, value = work.layout.attribute(entity, work.binding(index, 0), fact, index)
    more, qualifier = work.layout.qualifier(fact, work.binding(index, 1), index)
    return (*patterns, *more, *equals_text(work, index, qualifier, work.step(index).inputs[2])), value


def _attribute_qualifier(work: Lowering, index: int, entity: a.Variable) -> Lowered:
    work.require_qualifiers(index)
    fact = work.names.fresh("fact")
    patterns, value = work.layout.attribute(entity, work.binding(index, 0), fact, index)
    test = equals_text(work, index, value, work.step(index).inputs[1])
    more, qualifier = work.layout.qualifier(fact, work.binding(index, 2), index)
    return (*patterns, *test, *more), qualifier


def _relation_qualifier(work: Lowering, index: int, entity: a.Variable) -> Lowered:
    work.require_qualifiers(index)
    fact = work.names.fresh("fact")
    others, tail = work.apart().line(work.source(index, 1))
    patterns = work.layout.relation(entity, work.binding(index, 0), tail, fact, index)
    more, qualifier = work.layout.qualifier(fact, work.binding(index, 1), index)
    return (*others, *patterns, *more), qualifier


VALUES: dict[str, Callable[[Lowering, int, a.Variable], Lowered]] = {
    "QueryAttr": _attribute,
    "QueryAttrUnderCondition": _under_condition,
    "QueryAttrQualifier": _attribute_qualifier,
    "QueryRelationQualifier": _relation_qualifier,
}
