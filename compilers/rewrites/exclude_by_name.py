"""Exclude known entities by name.

`?city a ex:City MINUS { SELECT ?city { VALUES ?city { ex:tokyo } } }` becomes
`?city a ex:City FILTER(?city NOT IN (ex:tokyo))`: shorter to read, and Virtuoso 7.2 keeps the rows that a
negation of inline data leaves out where the rest of the query is nothing but inline data, too. Beside a
subquery with patterns of its own it loses such a filter instead, as soon as something optional follows.
"""

from __future__ import annotations

from dataclasses import replace

from compilers import algebra as a
from compilers.rewrites.walk import Group, map_groups, variables


def exclude_by_name(select: a.Select) -> a.Select:
    """Replace every MINUS and NOT EXISTS that reduces to one column of IRIs which its group has, too."""
    return replace(select, patterns=_group(select.patterns))


def _group(patterns: Group) -> Group:
    inner = tuple(map_groups(pattern, _group) for pattern in patterns)
    for at, pattern in enumerate(inner):
        names = _names(pattern.patterns) if isinstance(pattern, a.Minus | a.NotExists) else None
        around = _about(names, (*inner[:at], *inner[at + 1 :])) if names else None
        if names and around is not None:
            return _group((*around[:at], _filter(names, pattern.steps), *around[at:]))
    return inner


def _filter(names: a.Values, steps: tuple[int, ...]) -> a.Filter:
    choices = tuple(dict.fromkeys(term for (term,) in names.rows))
    left_out = a.Membership(names.variables[0], choices, negated=True)
    return a.Filter(left_out, tuple(dict.fromkeys((*steps, *names.steps))))


def _about(names: a.Values, others: Group) -> Group | None:
    """The patterns beside the negation, subqueries for its variable as inline data; None if impossible."""
    found: list[a.Pattern] = []
    variable = names.variables[0]
    for other in others:
        data = _names((other,)) if isinstance(other, a.SubSelect) else None
        if isinstance(other, a.SubSelect) and variable in variables(other) and data is None:
            return None
        found.append(data or other)
    return tuple(found) if any(variable in variables(other) for other in found) else None


def _names(group: Group) -> a.Values | None:
    """The inline data that a group reduces to; optional patterns take nothing from it."""
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
    """True if a subquery groups, tests or cuts its solutions."""
    return bool(select.group_by or select.having or select.offset) or select.limit is not None


def _renamed(names: a.Values | None, column: a.Projection) -> a.Values | None:
    if names is None or names.variables[0] != (column.expression or column.variable):
        return None
    return replace(names, variables=(column.variable,))
