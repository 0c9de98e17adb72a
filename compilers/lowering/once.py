"""Repeated solutions: where they would be counted, the distinct ones are selected first.

A pattern that only tests (the year that is before 1980) may hold in several ways. Sets ask for distinct
entities, so that this does not matter; sums, averages and rows without DISTINCT would count each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compilers import algebra as a
from compilers.layouts.base import Patterns
from compilers.layouts.vocabulary import XSD
from compilers.lowering.work import Scope
from compilers.rewrites.drop_domains import without_domains
from compilers.rewrites.walk import expression_parts, expression_variables

_COUNTING = ("SUM", "AVG", "COUNT")


def each_once(
    scope: Scope,
    patterns: Patterns,
    kept: frozenset[a.Variable],
    expressions: Iterable[a.Expression],
    steps: tuple[int, ...],
    *,
    inside: bool = False,
) -> Patterns:
    """The patterns, in a subquery of distinct solutions if one of `kept` might repeat.

    The subquery projects `kept` and the variables of the expressions. `inside` includes optional patterns;
    without it they are taken for parts of a value, which has at most one of each.
    """
    bound = tuple(dict.fromkeys(v for pattern in patterns for v in _multiplying(pattern)))
    single = {v for p in patterns if isinstance(p, a.Values) and len(p.rows) == 1 for v in p.variables}
    several = set(bound) - kept - scope.told_apart(kept) - single
    if not several and not any(_repeats(pattern, inside) for pattern in without_domains(patterns)):
        return patterns
    used = {v for expression in expressions for v in expression_variables(expression)}
    assigned = dict.fromkeys(_assigned(patterns))
    handed = tuple(v for v in (*bound, *assigned) if v in kept or v in used)
    inner = a.Select(tuple(map(a.Projection, handed)), patterns, steps)
    return (a.SubSelect(inner, steps),)


def _assigned(patterns: Patterns) -> Iterator[a.Variable]:
    """The variables that a BIND assigns, in optional patterns too."""
    for pattern in patterns:
        if isinstance(pattern, a.Bind):
            yield pattern.variable
        elif isinstance(pattern, a.Optional):
            yield from _assigned(pattern.patterns)


def _repeats(pattern: a.Pattern, inside: bool) -> bool:
    """True if a pattern may hold several times for the same values of its variables.

    A path may lead to its end in several ways, a member may be in both branches of a union, a domain is
    spelled out later, and a list may hold a text with its datatype and without: one literal in RDF 1.1.
    """
    if isinstance(pattern, a.Triple):
        return not isinstance(pattern.predicate, (a.Iri, a.Variable))
    if inside and isinstance(pattern, a.Optional):
        return any(_repeats(one, inside) for one in pattern.patterns)
    if isinstance(pattern, a.Values):
        return len({tuple(map(_plain, row)) for row in pattern.rows}) < len(pattern.rows)
    return isinstance(pattern, (a.Union, a.Domain))


def _plain(term: a.Term) -> a.Term:
    """A text without its datatype; any other term as it is."""
    if isinstance(term, a.Literal) and term.datatype == XSD + "string":
        return a.Literal(term.lexical)
    return term


def _multiplying(pattern: a.Pattern) -> Iterator[a.Variable]:
    """The variables to which a pattern may give several values."""
    match pattern:
        case a.Triple():
            terms = (pattern.subject, pattern.predicate, pattern.object)
            yield from (term for term in terms if isinstance(term, a.Variable))
        case a.Values():
            yield from pattern.variables
        case a.Domain():
            yield pattern.variable
        case a.SubSelect():
            yield from (projection.variable for projection in pattern.select.projections)
        case a.NotExists() | a.Minus():
            return
        case _:
            if isinstance(pattern, a.NamedGraph) and isinstance(pattern.graph, a.Variable):
                yield pattern.graph
            for group in a.children(pattern):
                for inner in group:
                    yield from _multiplying(inner)


def counts_solutions(expression: a.Expression) -> bool:
    """True if an aggregate in the expression counts repeated solutions."""
    counts = isinstance(expression, a.Call) and expression.name in _COUNTING
    return counts or any(map(counts_solutions, expression_parts(expression)))
