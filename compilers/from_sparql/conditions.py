"""The nodes and variables of a condition."""

from __future__ import annotations

from dataclasses import replace

from compilers.from_sparql.errors import CannotState
from compilers.from_sparql.query import (
    Exists,
    Expression,
    Pattern,
    Query,
    QueryCall,
    QueryColumn,
    QueryVariable,
    mentioned,
    occurrences,
)
from compilers.from_sparql.shape import Node, Tree


def nodes_of(condition: Expression, tree: Tree) -> frozenset[Node]:
    """The nodes of a tree that a condition is about."""
    return frozenset(node for node in map(tree.node_of, occurrences(condition)) if node is not None)


def surely_bound(condition: Expression) -> frozenset[QueryVariable]:
    """The variables that must be bound for the condition to hold."""
    match condition:
        case QueryCall("||", arguments):
            return frozenset.intersection(*map(surely_bound, arguments))
        case QueryCall("&&", arguments):
            return frozenset().union(*map(surely_bound, arguments))
        case Exists(pattern, negated):
            return frozenset() if negated else mentioned(pattern)
        case QueryCall(_, arguments):
            return frozenset(part for part in arguments if isinstance(part, QueryVariable))
        case _:
            return frozenset()


def link_of(pattern: Pattern, tree: Tree) -> tuple[QueryVariable, Query]:
    """The one variable of the outer tree in an inner pattern, and the subselect of values equal to it.

    Raises CannotState where they share no or several variables, or are linked by another test than `=`.
    """
    links = [f for f in pattern.filters if any(map(tree.holds, occurrences(f)))]
    inner = replace(pattern, filters=tuple(f for f in pattern.filters if f not in links))
    shared = [variable for variable in sorted(mentioned(inner), key=str) if tree.holds(variable)]
    match shared, links:
        case [variable], []:
            return variable, Query(inner, (QueryColumn(variable.name, variable),))
        case [], [QueryCall("=", (QueryVariable() as one, QueryVariable() as other))]:
            outer, name = (one, other) if tree.holds(one) else (other, one)
            if not tree.holds(name):
                return outer, _listing(inner, name)
    raise CannotState("EXISTS with a pattern that shares no or several variables with the query")


def _listing(pattern: Pattern, name: QueryVariable) -> Query:
    """The query for a name in a pattern: its one subselect with that column, or a variable of its triples."""
    match pattern:
        case Pattern((), (), (query,)) if [column.name for column in query.columns] == [name.name]:
            return query
    return Query(pattern, (QueryColumn(name.name, name),))
