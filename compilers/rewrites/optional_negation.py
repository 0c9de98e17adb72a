"""Turn a negation into an OPTIONAL that must be unbound, for stores that get the former wrong.

`FILTER NOT EXISTS { … { SELECT … } }` becomes `OPTIONAL { SELECT DISTINCT ?film (1 AS ?leftOut) { … } }
FILTER(!BOUND(?leftOut))`, and MINUS alike. Virtuoso 7.2 has wrong rows where a subquery that groups, sorts
or is cut stands in a negation, or nothing but VALUES. Where one constant stands for a variable from outside,
it forgets the variable, and leaves out all rows or none.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial

from compilers import algebra as a
from compilers.layouts.base import number_literal
from compilers.naming import VariableNames
from compilers.rewrites.walk import Group, map_groups, projected, variables


def optional_negation(select: a.Select) -> a.Select:
    """Replace each NOT EXISTS and MINUS with a subquery in it, VALUES alone or one constant, at any depth."""
    used = frozenset((*projected(select), *(v for pattern in select.patterns for v in variables(pattern))))
    names = VariableNames({variable.name for variable in used})
    return replace(select, patterns=_in_group(select.patterns, names, frozenset(projected(select))))


def _in_group(group: Group, names: VariableNames, outside: frozenset[a.Variable]) -> Group:
    """The group without such negations; `outside` are the variables around it, which new names avoid.

    A NOT EXISTS tests whole solutions, wherever it stands, so that its optional part comes last.
    """
    found: list[a.Pattern] = []
    last: list[a.Pattern] = []
    for at, pattern in enumerate(group):
        others = (variable for other in (*group[:at], *group[at + 1 :]) for variable in variables(other))
        around = outside.union(others)
        inner = map_groups(pattern, partial(_in_group, names=names, outside=around))
        if isinstance(inner, (a.NotExists, a.Minus)) and _is_lost(inner.patterns, around):
            (found if isinstance(inner, a.Minus) else last).extend(_optional(inner, around, names))
        else:
            found.append(inner)
    return (*found, *last)


def _is_lost(group: Group, around: Collection[a.Variable]) -> bool:
    """True if a group holds a subquery, only inline data, or one constant for a variable from around it."""
    data = [pattern for pattern in group if isinstance(pattern, a.Values)]
    nothing_but_data = bool(group) and len(data) == len(group)
    constant = (v for one in data if len(one.rows) == 1 for v in one.variables)
    return nothing_but_data or any(v in around for v in constant) or any(map(_has_subquery, group))


def _has_subquery(pattern: a.Pattern) -> bool:
    groups = a.children(pattern)
    return isinstance(pattern, a.SubSelect) or any(_has_subquery(one) for group in groups for one in group)


def _optional(negation: a.NotExists | a.Minus, around: Collection[a.Variable], names: VariableNames) -> Group:
    steps = negation.steps
    shared = dict.fromkeys(v for pattern in negation.patterns for v in variables(pattern) if v in around)
    flag = names.fresh("left out")
    columns = (*map(a.Projection, shared), a.Projection(flag, number_literal(1)))
    members = a.SubSelect(a.Select(columns, negation.patterns, steps), steps)
    absent = a.Call("!", (a.Call("BOUND", (flag,)),))
    return a.Optional((members,), steps), a.Filter(absent, steps)
