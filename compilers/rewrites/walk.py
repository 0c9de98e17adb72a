"""Rebuilding patterns, and the variables that they mention."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from compilers import algebra as a

Group = tuple[a.Pattern, ...]


def map_groups(pattern: a.Pattern, change: Callable[[Group], Group]) -> a.Pattern:
    """The pattern with `change` applied to each group directly inside it."""
    match pattern:
        case a.Optional() | a.NotExists() | a.Minus() | a.NamedGraph():
            return replace(pattern, patterns=change(pattern.patterns))
        case a.Union():
            return replace(pattern, branches=tuple(change(branch) for branch in pattern.branches))
        case a.SubSelect():
            return replace(pattern, select=replace(pattern.select, patterns=change(pattern.select.patterns)))
        case _:
            return pattern


def map_selects(group: Group, change: Callable[[a.Select], a.Select]) -> Group:
    """The group with `change` applied to its subqueries, and to those in its other patterns."""
    return tuple(
        replace(pattern, select=change(pattern.select))
        if isinstance(pattern, a.SubSelect)
        else map_groups(pattern, lambda inner: map_selects(inner, change))
        for pattern in group
    )


def map_terms(pattern: a.Pattern, change: Callable[[a.Term], a.Term]) -> a.Pattern:
    """The pattern with `change` applied to each term of its triples (paths apart) and expressions."""
    match pattern:
        case a.Triple():
            predicate = pattern.predicate
            changed = _map_name(predicate, change) if isinstance(predicate, a.Variable) else predicate
            subject, object_ = _map_node(pattern.subject, change), _map_node(pattern.object, change)
            return replace(pattern, subject=subject, predicate=changed, object=object_)
        case a.NamedGraph():
            inner = tuple(map_terms(inner, change) for inner in pattern.patterns)
            return replace(pattern, graph=_map_name(pattern.graph, change), patterns=inner)
        case a.Filter() | a.Bind():
            return replace(pattern, expression=map_expression(pattern.expression, change))
        case _:
            return map_groups(pattern, lambda group: tuple(map_terms(inner, change) for inner in group))


def _map_name(name: a.Variable | a.Iri, change: Callable[[a.Term], a.Term]) -> a.Variable | a.Iri:
    changed = change(name)
    assert not isinstance(changed, a.Literal), "a literal names no predicate and no graph"
    return changed


def _map_node(node: a.Node, change: Callable[[a.Term], a.Term]) -> a.Node:
    if not isinstance(node, (a.TripleTerm, a.QuotedTriple)):
        return change(node)
    predicate = _map_name(node.predicate, change)
    return replace(node, subject=change(node.subject), predicate=predicate, object=change(node.object))


def map_expression(expression: a.Expression, change: Callable[[a.Term], a.Term]) -> a.Expression:
    """The expression with `change` applied to each of its terms."""
    if isinstance(expression, (a.Variable, a.Iri, a.Literal)):
        return change(expression)
    return map_parts(expression, lambda part: map_expression(part, change))


def map_parts(expression: a.Expression, change: Callable[[a.Expression], a.Expression]) -> a.Expression:
    """The expression with `change` applied to its direct parts, without the choices of a membership."""
    match expression:
        case a.Call():
            return replace(expression, arguments=tuple(map(change, expression.arguments)))
        case a.Operation():
            return replace(expression, operands=tuple(map(change, expression.operands)))
        case a.Membership():
            return replace(expression, operand=change(expression.operand))
        case _:
            return expression


def expression_parts(expression: a.Expression) -> tuple[a.Expression, ...]:
    """The direct parts of an expression, without the choices of a membership."""
    match expression:
        case a.Call():
            return expression.arguments
        case a.Operation():
            return expression.operands
        case a.Membership():
            return (expression.operand,)
        case _:
            return ()


def is_aggregate(expression: a.Expression) -> bool:
    """True if an expression is an aggregate itself."""
    return isinstance(expression, a.Call) and expression.name in a.AGGREGATES


def expression_variables(expression: a.Expression) -> Iterator[a.Variable]:
    """The variables in an expression."""
    if isinstance(expression, a.Variable):
        yield expression
    for part in expression_parts(expression):
        yield from expression_variables(part)


def single_variables(expression: a.Expression) -> Iterator[a.Variable]:
    """The variables that must have one value per group: those outside of aggregates (11.4)."""
    if isinstance(expression, a.Variable):
        yield expression
    elif not is_aggregate(expression):
        for part in expression_parts(expression):
            yield from single_variables(part)


def variables(pattern: a.Pattern) -> Iterator[a.Variable]:
    """The variables that a pattern mentions, at any depth."""
    match pattern:
        case a.Triple():
            terms = (
                *a.node_terms(pattern.subject),
                *a.predicate_terms(pattern.predicate),
                *a.node_terms(pattern.object),
            )
            yield from (term for term in terms if isinstance(term, a.Variable))
        case a.NamedGraph(graph=a.Variable() as graph):
            yield graph
        case a.Values():
            yield from pattern.variables
        case a.Filter():
            yield from expression_variables(pattern.expression)
        case a.Bind():
            yield pattern.variable
            yield from expression_variables(pattern.expression)
        case a.Domain():
            yield pattern.variable
        case a.SubSelect():
            yield from projected(pattern.select)
    for group in a.children(pattern):
        for inner in group:
            yield from variables(inner)


def projected(select: a.Select) -> Iterator[a.Variable]:
    """The variables that a SELECT's head mentions."""
    for projection in select.projections:
        yield projection.variable
        if projection.expression is not None:
            yield from expression_variables(projection.expression)
    yield from select.group_by
