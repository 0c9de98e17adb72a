"""UNION of patterns: rows of either, or entities for which one of several conditions holds."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from compilers.from_sparql.errors import CannotState
from compilers.from_sparql.query import (
    Combination,
    Exists,
    Pattern,
    Query,
    QueryCall,
    QueryColumn,
    QueryVariable,
    mentioned,
    variables,
)
from compilers.from_sparql.schema import Schema
from compilers.from_sparql.shape import trees_of


def either(query: Query, schema: Schema) -> Query:
    """The query without UNION; valid only where repeated rows make no difference.

    Raises CannotState where the patterns share no or several variables with the rest.
    """
    pattern = query.pattern
    assert isinstance(pattern, Pattern)
    rest = replace(pattern, unions=())
    if rest == Pattern() and len(pattern.unions) == 1 and not _is_of_entities(query, schema):
        return _rows(query, pattern.unions[0])
    shown = {v for column in query.columns for v in variables(column.value)}
    for union in pattern.unions:
        outside = mentioned(rest) | shown
        shared = {frozenset(mentioned(one) & outside) for one in union}
        if len(shared) > 1 or len(min(shared)) != 1:
            raise CannotState("UNION with patterns that share no or several variables with the query")
        ((variable,),) = shared
        found = QueryCall("||", tuple(Exists(one, negated=False) for one in union))
        rest = replace(rest, filters=(*rest.filters, found), sought=(*rest.sought, variable))
    return replace(query, pattern=rest)


def _is_of_entities(query: Query, schema: Schema) -> bool:
    """True if the query reads one variable and it is an entity in every branch."""
    assert isinstance(query.pattern, Pattern)
    read = {v for column in query.columns for v in variables(column.value)}
    trees = [tree for one in query.pattern.unions[0] for tree in trees_of(one, schema)[0]]
    return len(read) == 1 and all(any(v in tree.nodes for tree in trees) for v in read)


def _rows(query: Query, union: tuple[Pattern, ...]) -> Query:
    """A table for each pattern, with the columns of all."""
    if query.keys is not None or not all(isinstance(column.value, QueryVariable) for column in query.columns):
        raise CannotState("a union of rows that are counted or calculated with")
    sides = (Query(pattern, query.columns, distinct=True) for pattern in union)
    names = tuple(QueryColumn(column.name, QueryVariable(column.name)) for column in query.columns)

    def joined(left: Query, right: Query) -> Query:
        return Query(Combination("union", left, right), names, distinct=True)

    return replace(reduce(joined, sides), order=query.order, limit=query.limit)
