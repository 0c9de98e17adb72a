"""Sets of entities: patterns that bind a variable to each member."""

from __future__ import annotations

from collections.abc import Sequence

from compilers import algebra as a
from compilers.kopl.values import CONTAINS
from compilers.layouts.base import Patterns, ValueReference, text_test
from compilers.layouts.vocabulary import NOTHING
from compilers.lowering.values import tested
from compilers.lowering.work import Lowering, SetFunction, unknown_name


def _find_all(_work: Lowering, index: int, entity: a.Variable, _fact: a.Variable | None) -> Patterns:
    return (a.Domain(entity, (index,)),)


def _find(work: Lowering, index: int, entity: a.Variable, _fact: a.Variable | None) -> Patterns:
    binding = work.grounded.binding(index, 0)
    if binding is None or not binding.iris:
        return work.layout.named(entity, work.step(index).inputs[0], index)
    return _one_of((entity,), tuple((iri,) for iri in binding.iris), index)


def _filter_concept(work: Lowering, index: int, entity: a.Variable, _fact: a.Variable | None) -> Patterns:
    if (index, 0) in work.grounded.unknown:
        raise unknown_name(index, work.grounded.unknown[index, 0])
    binding = work.grounded.binding(index, 0)
    concept = binding if binding is not None and binding.iris else work.step(index).inputs[0]
    return (*work.behind(index, entity), *work.layout.member(entity, concept, index))


def _and(work: Lowering, index: int, entity: a.Variable, _fact: a.Variable | None) -> Patterns:
    return (*work.behind(index, entity), *work.apart().set(work.source(index, 1), entity))


def _or(work: Lowering, index: int, entity: a.Variable, _fact: a.Variable | None) -> Patterns:
    branches = tuple(work.apart().set(work.source(index, side), entity) for side in (0, 1))
    return (a.Union(branches, (index,)),)


def _except(work: Lowering, index: int, entity: a.Variable, _fact: a.Variable | None) -> Patterns:
    return (*work.behind(index, entity), *_without(work, index, work.source(index, 1), entity))


def _without(work: Lowering, index: int, left_out: int, entity: a.Variable) -> Patterns:
    """The entity is not in a set; for an Or, it is in neither of its two sets."""
    function = work.step(left_out).function
    found = work.grounded.binding(left_out, 0) if function == "Find" else None
    if found is not None and found.iris:
        known = a.Membership(entity, tuple(map(a.Iri, found.iris)), negated=True)
        return (a.Filter(known, (index, left_out)),)
    if function == "Or":
        sides = (_without(work, index, work.source(left_out, side), entity) for side in (0, 1))
        return tuple(pattern for side in sides for pattern in side)
    inner = work.apart()
    common = work.common_filtered(work.source(index), left_out)
    if common is not None:
        inner.scope.members[common] = entity
    return (a.NotExists(inner.set(left_out, entity), (index,)),)


def _relate(work: Lowering, index: int, entity: a.Variable, fact: a.Variable | None) -> Patterns:
    inner, start = work.line(work.source(index))
    head, tail = (start, entity) if work.step(index).inputs[1] == "forward" else (entity, start)
    return (*inner, *work.layout.relation(head, work.binding(index, 0), tail, fact, index))


def _relate_transitive(work: Lowering, index: int, entity: a.Variable, _fact: a.Variable | None) -> Patterns:
    known = work.grounded.binding(index, 0)
    if known is not None and known.reached is not None:
        return _reached(work, index, entity, known.reached)
    inner, start = work.line(work.source(index))
    head, tail = (start, entity) if work.step(index).inputs[1] == "forward" else (entity, start)
    return (*inner, *work.layout.path(head, work.binding(index, 0), tail, index))


def _reached(work: Lowering, index: int, entity: a.Variable, rows: Sequence[tuple[str, ...]]) -> Patterns:
    """One of the ends, or an end with its start; stated before the patterns behind it, for Virtuoso."""
    if rows and len(rows[0]) == 1:
        return _one_of((entity,), rows, index)
    inner, start = work.line(work.source(index))
    return (*_one_of((start, entity), rows, index), *inner)


def _one_of(variables: tuple[a.Variable, ...], rows: Sequence[tuple[str, ...]], index: int) -> Patterns:
    """The variables have one of the rows of IRIs; an empty list matches nothing."""
    if rows:
        return (a.Values(variables, tuple(tuple(map(a.Iri, row)) for row in rows), (index,)),)
    nothing = (NOTHING,) * len(variables)
    is_something = a.Filter(a.Membership(variables[0], (a.Iri(NOTHING),), negated=True), (index,))
    return (*_one_of(variables, (nothing,), index), is_something)


def _has_relation(work: Lowering, index: int, entity: a.Variable, fact: a.Variable | None) -> Patterns:
    inner = work.behind(index, entity)
    other = work.names.fresh("other")
    head, tail = (entity, other) if work.step(index).inputs[1] == "forward" else (other, entity)
    return (*inner, *work.layout.relation(head, work.binding(index, 0), tail, fact, index))


def _has_attribute(work: Lowering, index: int, entity: a.Variable, fact: a.Variable | None) -> Patterns:
    inner = work.behind(index, entity)
    return (*inner, *work.layout.attribute(entity, work.binding(index, 0), fact, index)[0])


def _attribute_filter(work: Lowering, index: int, entity: a.Variable, fact: a.Variable | None) -> Patterns:
    inner = work.behind(index, entity)
    patterns, value = work.layout.attribute(entity, work.binding(index, 0), fact, index)
    return (*inner, *patterns, *_test(work, index, value))


def _name_contains(work: Lowering, index: int, entity: a.Variable, _fact: a.Variable | None) -> Patterns:
    """Members whose name contains a text; the name alone does not make an entity, since concepts have one."""
    name = work.names.fresh(f"{entity.name} name")
    named = a.Optional(work.layout.label(entity, name, index), (index,))
    test = a.Filter(text_test(name, CONTAINS, work.step(index).inputs[0]), (index,))
    return (*work.behind(index, entity), named, test)


def _qualifier_filter(work: Lowering, index: int, entity: a.Variable, fact: a.Variable | None) -> Patterns:
    work.require_qualifiers(index)
    node = fact or work.names.fresh("fact")
    inner = work.behind(index, entity, node)
    patterns, value = work.layout.qualifier(node, work.binding(index, 0), index)
    return (*inner, *patterns, *_test(work, index, value))


def _test(work: Lowering, index: int, value: ValueReference) -> Patterns:
    inputs = work.step(index).inputs
    equal = CONTAINS if work.step(index).function == "FilterContains" else "="
    comparison = inputs[2] if len(inputs) > 2 else equal
    return tested(work, index, value, comparison, work.value(index, 1))


SETS: dict[str, SetFunction] = {
    "FindAll": _find_all,
    "Find": _find,
    "FilterConcept": _filter_concept,
    "And": _and,
    "Or": _or,
    "Except": _except,
    "Relate": _relate,
    "RelateTransitive": _relate_transitive,
    "FilterHasRelation": _has_relation,
    "FilterHasAttr": _has_attribute,
    "FilterNameContains": _name_contains,
    **dict.fromkeys(
        ("FilterStr", "FilterNum", "FilterYear", "FilterDate", "FilterContains"), _attribute_filter
    ),
    **dict.fromkeys(("QFilterStr", "QFilterNum", "QFilterYear", "QFilterDate"), _qualifier_filter),
}
