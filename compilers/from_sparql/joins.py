"""Two patterns that only equal values join: rows of both, or members with a value of the other."""

from __future__ import annotations

from dataclasses import replace

from compilers.from_sparql.errors import CannotState
from compilers.from_sparql.query import (
    Call,
    Column,
    Combination,
    Exists,
    Expression,
    Iri,
    Pattern,
    Query,
    Variable,
    variables,
)
from compilers.from_sparql.schema import Schema
from compilers.from_sparql.shape import Tree, is_on, trees_of


def joined(query: Query, schema: Schema) -> Query:
    """The query with such a join spelled as an intersection of rows, or as EXISTS; others as they are.

    Both hold for different rows alone, so that nothing is counted twice.
    """
    if not isinstance(query.pattern, Pattern) or query.pattern.subqueries:
        return query
    trees, across = trees_of(query.pattern, schema)
    if len(trees) != 2 or not across:
        return query
    if not query.distinct or query.keys is not None:
        raise CannotState("a join on values whose rows are counted")
    read = [v for column in query.columns for v in variables(column.value)]
    read += [v for order in query.order for v in variables(order.key)]
    outer, inner = trees if all(map(trees[0].holds, read)) else trees[::-1]
    if not all(map(outer.holds, read)):
        raise CannotState("a join on values that shows columns of both sides")
    pairs = dict(_pair(condition, outer, inner) for condition in across)
    told_apart = len(pairs) == len(across) == len(query.columns)
    ours, theirs = (_part(query.pattern, tree) for tree in (outer, inner))
    if not query.ask and {column.value for column in query.columns} == pairs.keys() and told_apart:
        return _intersection(query, ours, theirs, pairs)
    if len(across) > 1:
        raise CannotState("a join on several values at once")
    return replace(query, pattern=replace(ours, filters=(*ours.filters, _exists(theirs, pairs))))


def _pair(condition: Expression, outer: Tree, inner: Tree) -> tuple[Variable, Variable]:
    match condition:
        case Call("=", (Variable() as one, Variable() as other)):
            first, second = (one, other) if outer.holds(one) else (other, one)
            if outer.holds(first) and inner.holds(second):
                return first, second
    raise CannotState("a join by another comparison than =")


def _part(pattern: Pattern, tree: Tree) -> Pattern:
    mine = tuple(
        triple
        for triple in pattern.triples
        if isinstance(triple.subject, (Variable, Iri)) and triple.subject in tree.nodes
    )
    return Pattern(mine, tuple(condition for condition in pattern.filters if is_on(condition, tree)))


def _intersection(query: Query, ours: Pattern, theirs: Pattern, pairs: dict[Variable, Variable]) -> Query:
    left = Query(ours, query.columns)
    right = Query(theirs, tuple(Column(c.name, _partner(c.value, pairs)) for c in query.columns))
    names = tuple(Column(column.name, Variable(column.name)) for column in query.columns)
    return replace(query, pattern=Combination("intersection", left, right), columns=names)


def _partner(value: Expression, pairs: dict[Variable, Variable]) -> Variable:
    assert isinstance(value, Variable), "the columns are the pairs' first halves"
    return pairs[value]


def _exists(theirs: Pattern, pairs: dict[Variable, Variable]) -> Exists:
    ((outer, inner),) = pairs.items()
    values = Query(theirs, (Column(inner.name, inner),))
    return Exists(Pattern((), (Call("=", (outer, inner)),), (values,)), negated=False)
