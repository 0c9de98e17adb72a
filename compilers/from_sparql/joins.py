"""Patterns joined by compared values alone: rows of both, or one tree with matched members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from compilers.from_sparql.errors import CannotState
from compilers.from_sparql.query import (
    Combination,
    Expression,
    Pattern,
    Query,
    QueryCall,
    QueryColumn,
    QueryIri,
    QueryVariable,
    variables,
)
from compilers.from_sparql.schema import Schema
from compilers.from_sparql.shape import MIRRORED, Match, Tree, is_on, trees_of
from compilers.kopl.functions import COMPARISONS

# The first value, an operator, the second value.
Test = tuple[QueryVariable, str, QueryVariable]


def linked(pattern: Pattern, schema: Schema) -> Tree:
    """The pattern as one tree: parts that no relation links are joined by compared values.

    Raises CannotState as `trees_of`, and for parts that are joined otherwise, not at all, or in a circle.
    """
    trees, across = trees_of(pattern, schema)
    bound = {variable for tree in trees for variable in (*tree.nodes, *tree.values)}
    if any(variable not in bound for condition in across for variable in variables(condition)):
        raise CannotState("a condition on a variable that the pattern does not bind")
    if not trees:
        raise CannotState("a pattern without triples")
    tree, rest = trees[0], list(trees[1:])
    tests = [_test(condition) for condition in across]
    while rest:
        joined = next(((other, found) for other in rest if (found := _between(tree, other, tests))), None)
        if joined is None:
            raise CannotState("a join of patterns that no relation links")
        rest.remove(joined[0])
        tree = _united(tree, *joined)
    if not all(own in tree.values and theirs in tree.values for own, _, theirs in tests):
        raise CannotState("a comparison across variables")
    return tree


def _test(condition: Expression) -> Test:
    match condition:
        case QueryCall(operator, (QueryVariable() as own, QueryVariable() as theirs)) if (
            operator in COMPARISONS
        ):
            return own, operator, theirs
    raise CannotState("a join by a condition that does not compare two values")


def _between(tree: Tree, other: Tree, tests: Sequence[Test]) -> tuple[Test, ...]:
    """The tests that compare values of `tree` with values of `other`, in this order."""
    turned = [(theirs, MIRRORED[operator], own) for own, operator, theirs in tests]
    return tuple(test for test in (*tests, *turned) if test[0] in tree.values and test[2] in other.values)


def _united(tree: Tree, other: Tree, tests: tuple[Test, ...]) -> Tree:
    places = {(tree.values[own].node, other.values[theirs].node) for own, _, theirs in tests}
    if len(places) > 1:
        raise CannotState("a pattern that runs in a circle")
    ((source, target),) = places
    match = Match(tests, target)
    links = {**tree.links, **other.links}
    links[source] = (*links[source], match)
    links[target] = (*links[target], match.back(source))
    return Tree(
        (*tree.nodes, *other.nodes),
        {**tree.classes, **other.classes},
        links,
        {**tree.values, **other.values},
        (*tree.filters, *other.filters),
    )


def intersected(query: Query, schema: Schema) -> Query:
    """The query with an equality join of all its columns spelled as an intersection of rows.

    Only queries with DISTINCT are changed, so that no row counts twice; others stay as they are.
    """
    if not isinstance(query.pattern, Pattern) or not query.distinct or query.keys is not None or query.ask:
        return query
    trees, across = trees_of(query.pattern, schema)
    if len(trees) != 2 or not all(isinstance(one, QueryCall) and one.function == "=" for one in across):
        return query
    tests = [_test(condition) for condition in across]
    for outer, inner in (trees, trees[::-1]):
        pairs = {own: theirs for own, _, theirs in _between(outer, inner, tests)}
        shown = {column.value for column in query.columns} == pairs.keys()
        if shown and len(pairs) == len(across) == len(query.columns):
            return _intersection(query, query.pattern, (outer, inner), pairs)
    return query


def _intersection(
    query: Query, pattern: Pattern, sides: tuple[Tree, Tree], pairs: dict[QueryVariable, QueryVariable]
) -> Query:
    ours, theirs = (_part(pattern, tree) for tree in sides)
    left = Query(ours, query.columns)
    right = Query(theirs, tuple(QueryColumn(c.name, _partner(c.value, pairs)) for c in query.columns))
    names = tuple(QueryColumn(column.name, QueryVariable(column.name)) for column in query.columns)
    return replace(query, pattern=Combination("intersection", left, right), columns=names)


def _part(pattern: Pattern, tree: Tree) -> Pattern:
    mine = tuple(
        triple
        for triple in pattern.triples
        if isinstance(triple.subject, (QueryVariable, QueryIri)) and triple.subject in tree.nodes
    )
    return Pattern(mine, tuple(condition for condition in pattern.filters if is_on(condition, tree)))


def _partner(value: Expression, pairs: dict[QueryVariable, QueryVariable]) -> QueryVariable:
    assert isinstance(value, QueryVariable), "the columns are the pairs' first halves"
    return pairs[value]
