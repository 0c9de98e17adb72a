"""Replace a branch of a union that is only inline data by an assignment for each value.

`{ … } UNION { VALUES ?city { ex:osaka } }` becomes `{ … } UNION { BIND(ex:osaka AS ?city) }`. Virtuoso 7.2
loses all rows of a union with such a branch, or refuses the query for an absurd estimate of its cost.
Within NOT EXISTS the variables bound around it have their values already, and may not be assigned again
(SPARQL 1.1, 18.6): there the list stays.
"""

from __future__ import annotations

from dataclasses import replace

from compilers import algebra as a
from compilers.rewrites.walk import Group, map_groups, variables

Variables = frozenset[a.Variable]


def bind_values(select: a.Select) -> a.Select:
    """Replace every such branch by one branch per row; joined lists (`join_values`) come first."""
    return replace(select, patterns=_group(select.patterns, frozenset()))


def _group(patterns: Group, given: Variables) -> Group:
    around = given.union(v for p in patterns if not isinstance(p, a.NotExists) for v in variables(p))

    def inside(pattern: a.Pattern) -> a.Pattern:
        known = around if isinstance(pattern, a.NotExists) else given
        return map_groups(pattern, lambda group: _group(group, known))

    return tuple(_bound(inside(pattern), given) for pattern in patterns)


def _bound(pattern: a.Pattern, given: Variables) -> a.Pattern:
    if not isinstance(pattern, a.Union):
        return pattern
    branches = tuple(rows for branch in pattern.branches for rows in _rows(branch, given))
    return replace(pattern, branches=branches)


def _rows(branch: Group, given: Variables) -> tuple[Group, ...]:
    match branch:
        case (a.Values() as values,) if values.rows and given.isdisjoint(values.variables):
            return tuple(
                tuple(
                    a.Bind(term, variable, values.steps)
                    for variable, term in zip(values.variables, row, strict=True)
                )
                for row in values.rows
            )
        case _:
            return (branch,)
