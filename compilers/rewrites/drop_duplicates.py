"""State a pattern once in a group (And of two sets of one concept)."""

from __future__ import annotations

from dataclasses import replace

from compilers import algebra as a
from compilers.rewrites.walk import Group, map_groups

_PLAIN = (a.Triple, a.Filter, a.Values, a.Domain)


def drop_duplicates(select: a.Select) -> a.Select:
    """Keep the first of equal patterns in each group; it takes over the others' steps."""
    return replace(select, patterns=_group(select.patterns))


def _group(patterns: Group) -> Group:
    kept: dict[a.Pattern, a.Pattern] = {}
    for pattern in patterns:
        key = replace(pattern, steps=()) if isinstance(pattern, _PLAIN) else pattern
        first = kept.get(key)
        if first is None:
            kept[key] = pattern
        else:
            more = tuple(step for step in pattern.steps if step not in first.steps)
            kept[key] = replace(first, steps=(*first.steps, *more))
    return tuple(map_groups(pattern, _group) for pattern in kept.values())
