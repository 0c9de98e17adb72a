"""Known entities are left out by name.

`MINUS { SELECT ?city { VALUES ?city { ex:tokyo } } }` becomes `FILTER(?city NOT IN (ex:tokyo))`: shorter to
read, and Virtuoso 7.2 keeps the rows that a negation of inline data leaves out where the rest of the query is
nothing but inline data, too.
"""

from __future__ import annotations

from dataclasses import replace

from compilers import algebra as a
from compilers.rewrites.walk import Group, map_groups, variables


def exclude_by_name(select: a.Select) -> a.Select:
    """Replace every MINUS and NOT EXISTS that comes down to one column of IRIs which its group has, too."""
    return replace(select, patterns=_group(select.patterns))


def _group(patterns: Group) -> Group:
    return tuple(
        _excluded(map_groups(pattern, _group), (*patterns[:at], *patterns[at + 1 :]))
        for at, pattern in enumerate(patterns)
    )


def _excluded(pattern: a.Pattern, around: Group) -> a.Pattern:
    if not isinstance(pattern, a.Minus | a.NotExists):
        return pattern
    names = _names(pattern.patterns)
    if names is None or names.variables[0] not in {v for other in around for v in variables(other)}:
        return pattern
    choices = tuple(dict.fromkeys(term for (term,) in names.rows))
    steps = tuple(dict.fromkeys((*pattern.steps, *names.steps)))
    return a.Filter(a.Membership(names.variables[0], choices, negated=True), steps)


def _names(group: Group) -> a.Values | None:
    """The inline data that a group comes down to; what is optional takes nothing from it."""
    needed = [pattern for pattern in group if not isinstance(pattern, a.Optional)]
    if len(needed) != 1:
        return None
    match needed[0]:
        case a.Values(variables=(_,), rows=rows) if rows and all(isinstance(one, a.Iri) for (one,) in rows):
            return needed[0]
        case a.SubSelect(select=inner) if not _is_cut(inner) and len(inner.projections) == 1:
            return _renamed(_names(inner.patterns), inner.projections[0])
    return None


def _is_cut(select: a.Select) -> bool:
    """Whether a subquery has other rows than its patterns."""
    return bool(select.group_by or select.having or select.offset) or select.limit is not None


def _renamed(names: a.Values | None, column: a.Projection) -> a.Values | None:
    if names is None or names.variables[0] != (column.expression or column.variable):
        return None
    return replace(names, variables=(column.variable,))
