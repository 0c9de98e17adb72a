"""Put the patterns beside a subquery into one, too, for stores that run it once for each row.

`?film … { SELECT (MAX(?v) AS ?largest) … } FILTER(…)` becomes
`{ SELECT DISTINCT ?film … } { SELECT (MAX(?v) AS ?largest) … } FILTER(…)`. Virtuoso 7.2 evaluates a
subquery with ORDER BY and LIMIT once for each row of the pattern around it.
"""

from __future__ import annotations

from dataclasses import replace

from compilers import algebra as a
from compilers.rewrites.walk import Group, projected, variables


def isolate_members(select: a.Select) -> a.Select:
    """Put the patterns before the first subquery of the outermost group into one, in DISTINCT solutions.

    A table's rows, which may repeat or be sorted by hidden columns, stay as they are.
    """
    first = next((at for at, one in enumerate(select.patterns) if isinstance(one, a.SubSelect)), 0)
    before, after = select.patterns[:first], select.patterns[first:]
    if not before or not select.distinct or select.order_by or _tests_what_follows(before, after):
        return select
    shared = _shared(before, after, select)
    if not shared:
        # They only decide if there is a solution at all, and a SELECT needs a variable.
        return select
    inner = a.Select(shared, before, before[0].steps)
    return replace(select, patterns=(a.SubSelect(inner, before[0].steps), *after))


def _tests_what_follows(before: Group, after: Group) -> bool:
    """True if a test in `before` is about a variable that only a later pattern binds."""
    tests = tuple(p for p in before if isinstance(p, (a.Filter, a.NotExists, a.Minus)))
    bound = {v for p in before if p not in tests for v in variables(p)}
    behind = {v for p in after for v in variables(p)}
    return any(v in behind and v not in bound for test in tests for v in variables(test))


def _shared(before: Group, after: Group, select: a.Select) -> tuple[a.Projection, ...]:
    """The variables of `before` that are needed outside it."""
    needed = {*projected(select), *(variable for pattern in after for variable in variables(pattern))}
    bound = dict.fromkeys(variable for pattern in before for variable in variables(pattern))
    return tuple(a.Projection(variable) for variable in bound if variable in needed)
