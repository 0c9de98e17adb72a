"""A branch of a union that is nothing but inline data becomes an assignment for each value.

`{ … } UNION { VALUES ?city { ex:osaka } }` becomes `{ … } UNION { BIND(ex:osaka AS ?city) }`. Virtuoso 7.2
loses all rows of a union with such a branch, or refuses the query for an absurd estimate of its cost.
"""

from __future__ import annotations

from dataclasses import replace

from compilers import algebra as a
from compilers.rewrites.walk import Group, map_groups


def bind_values(select: a.Select) -> a.Select:
    """Replace every such branch by one branch per row; joined lists (`join_values`) come first."""
    return replace(select, patterns=_group(select.patterns))


def _group(patterns: Group) -> Group:
    # What is negated is compared with what is outside, and an assignment would not be.
    negated = (a.NotExists, a.Minus)
    return tuple(p if isinstance(p, negated) else _bound(map_groups(p, _group)) for p in patterns)


def _bound(pattern: a.Pattern) -> a.Pattern:
    if not isinstance(pattern, a.Union):
        return pattern
    return replace(pattern, branches=tuple(rows for branch in pattern.branches for rows in _rows(branch)))


def _rows(branch: Group) -> tuple[Group, ...]:
    match branch:
        case (a.Values() as values,) if values.rows:
            return tuple(
                tuple(
                    a.Bind(term, variable, values.steps)
                    for variable, term in zip(values.variables, row, strict=True)
                )
                for row in values.rows
            )
        case _:
            return (branch,)
