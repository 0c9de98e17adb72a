"""Subselects of many rows as part of the pattern around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from compilers.from_sparql.errors import CannotState
from compilers.from_sparql.query import (
    Exists,
    Expression,
    Pattern,
    Query,
    QueryTriple,
    QueryVariable,
    Term,
    mentioned,
    with_arguments,
)

Names = Mapping[QueryVariable, QueryVariable]


def merged(pattern: Pattern, distinct: bool) -> Pattern:
    """The pattern with the triples and conditions of its subselects merged into its own.

    `distinct`: repeated rows make no difference. Raises CannotState for subselects that group, cut or
    calculate.
    """
    result = replace(pattern, subqueries=())
    for query in pattern.subqueries:
        inner = _inside(query, mentioned(result), distinct)
        triples, filters = (*result.triples, *inner.triples), (*result.filters, *inner.filters)
        result = replace(result, triples=triples, filters=filters)
    return result


def _inside(query: Query, outside: frozenset[QueryVariable], distinct: bool) -> Pattern:
    """The pattern of a subselect, its columns under their names, its hidden variables under new names."""
    if not isinstance(query.pattern, Pattern):
        raise CannotState(f"a {query.pattern.operator} of rows as part of a pattern")
    if query.keys is not None:
        raise CannotState("a subselect with GROUP BY as part of a pattern")
    if query.limit is not None:
        raise CannotState("a subselect with LIMIT as part of a pattern")
    if query.distinct and not distinct:
        raise CannotState("a subselect with DISTINCT as part of a pattern")
    pattern = merged(query.pattern, distinct or query.distinct)
    names: dict[QueryVariable, QueryVariable] = {}
    for column in query.columns:
        if not isinstance(column.value, QueryVariable) or column.value in names:
            raise CannotState("a calculated column of a subselect as part of a pattern")
        names[column.value] = QueryVariable(column.name)
    for variable in sorted(mentioned(pattern), key=str):
        if variable not in names and (variable in outside or variable in names.values()):
            names[variable] = QueryVariable(f"{variable.name} inside")
    return _renamed(pattern, names)


def _renamed(pattern: Pattern, names: Names) -> Pattern:
    if pattern.subqueries or pattern.unions:
        raise CannotState("EXISTS with a subselect, or UNION, inside a subselect")
    return Pattern(
        tuple(
            QueryTriple(_term(triple.subject, names), triple.predicate, _term(triple.object, names))
            for triple in pattern.triples
        ),
        tuple(_expression(condition, names) for condition in pattern.filters),
    )


def _term(term: Term, names: Names) -> Term:
    return names.get(term, term) if isinstance(term, QueryVariable) else term


def _expression(expression: Expression, names: Names) -> Expression:
    match expression:
        case QueryVariable():
            return names.get(expression, expression)
        case Exists(pattern, negated):
            return Exists(_renamed(pattern, names), negated)
        case _:
            return with_arguments(expression, lambda one: _expression(one, names))
