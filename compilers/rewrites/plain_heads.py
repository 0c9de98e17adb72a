"""Move calculations with aggregates out of a SELECT's head, for stores that fail at them there.

`SELECT (COALESCE(SUM(?v), 0) AS ?total) { … }` becomes `SELECT (COALESCE(?sum, 0) AS ?total)
{ { SELECT (SUM(?v) AS ?sum) { … } } }`, and a HAVING without GROUP BY a FILTER around the subquery. Virtuoso
7.2 fails at some of the former (SQ156) and knows no such HAVING (SP031).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from compilers import algebra as a
from compilers.naming import VariableNames
from compilers.rewrites.walk import (
    Group,
    expression_parts,
    is_aggregate,
    map_parts,
    map_selects,
    projected,
    variables,
)


def plain_heads(select: a.Select) -> a.Select:
    """Calculate with aggregates, and test them, outside the SELECT that computes them, at any depth."""
    used = {*projected(select), *(v for pattern in select.patterns for v in variables(pattern))}
    return _plain(select, VariableNames({variable.name for variable in used}))


def _plain(select: a.Select, names: VariableNames) -> a.Select:
    select = replace(select, patterns=map_selects(select.patterns, lambda inner: _plain(inner, names)))
    tests = () if select.group_by else select.having
    heads = [p.expression for p in select.projections if p.expression is not None]
    if not tests and all(_is_plain(expression) for expression in heads):
        return select
    head = _Head(names, frozenset(p.variable for p in select.projections if p.expression is not None))
    projections = tuple(map(head.projection, select.projections))
    filters = tuple(a.Filter(head.outside(test), select.steps) for test in tests)
    orderings = tuple(replace(o, expression=head.outside(o.expression)) for o in select.order_by)
    columns = (*map(a.Projection, head.kept), *(a.Projection(v, call) for call, v in head.taken.items()))
    kept = replace(
        select,
        projections=columns,
        distinct=False,
        having=select.having if select.group_by else (),
        order_by=(),
        limit=None,
        offset=0,
    )
    around: Group = (a.SubSelect(kept, select.steps), *filters)
    return replace(
        select, projections=projections, patterns=around, group_by=(), having=(), order_by=orderings
    )


def _is_plain(expression: a.Expression) -> bool:
    """True if an expression is an aggregate, or contains none."""
    return is_aggregate(expression) or not _has_aggregate(expression)


def _has_aggregate(expression: a.Expression) -> bool:
    return is_aggregate(expression) or any(map(_has_aggregate, expression_parts(expression)))


@dataclass(frozen=True, slots=True)
class _Head:
    """The columns that a subquery hands out: its variables, and aggregates under names of their own.

    `calculated` are the columns that only the outer SELECT has.
    """

    names: VariableNames
    calculated: frozenset[a.Variable]
    kept: dict[a.Variable, None] = field(default_factory=dict)
    taken: dict[a.Call, a.Variable] = field(default_factory=dict)

    def projection(self, projection: a.Projection) -> a.Projection:
        """The column, in terms of the subquery's columns."""
        if projection.expression is None:
            self.kept[projection.variable] = None
            return projection
        return replace(projection, expression=self.outside(projection.expression))

    def outside(self, expression: a.Expression) -> a.Expression:
        """The expression, in terms of the subquery's columns."""
        match expression:
            case a.Variable():
                if expression not in self.calculated:
                    self.kept[expression] = None
                return expression
            case a.Call() if expression.name in a.AGGREGATES:
                if expression not in self.taken:
                    self.taken[expression] = self.names.fresh(expression.name.split()[0].lower())
                return self.taken[expression]
            case _:
                return map_parts(expression, self.outside)
