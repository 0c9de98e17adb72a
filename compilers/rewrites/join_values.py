"""Join a choice between known entities into one list of inline data.

`{ VALUES ?city { ex:tokyo } } UNION { VALUES ?city { ex:osaka } }` becomes
`VALUES ?city { ex:tokyo ex:osaka }`.
"""

from __future__ import annotations

from dataclasses import replace

from compilers import algebra as a
from compilers.rewrites.walk import Group, map_groups


def join_values(select: a.Select) -> a.Select:
    """Replace every union whose branches are only inline data about the same variables."""
    return replace(select, patterns=_group(select.patterns))


def _group(patterns: Group) -> Group:
    return tuple(_joined(map_groups(pattern, _group)) for pattern in patterns)


def _joined(pattern: a.Pattern) -> a.Pattern:
    if not isinstance(pattern, a.Union):
        return pattern
    alone = [branch[0] for branch in pattern.branches if len(branch) == 1]
    lists = [values for values in alone if isinstance(values, a.Values)]
    if len(lists) < len(pattern.branches) or len({values.variables for values in lists}) > 1:
        return pattern
    rows = dict.fromkeys(row for values in lists for row in values.rows)
    steps = dict.fromkeys((*pattern.steps, *(step for values in lists for step in values.steps)))
    return a.Values(lists[0].variables, tuple(rows), tuple(steps))
