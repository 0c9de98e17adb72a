"""`FindAll` states nothing when another pattern already says what the variable is.

Scanning every entity of a big graph only to narrow the set in the next line costs seconds. A union with
a branch that thereby states nothing states nothing itself. Queries ask for distinct entities, so it does
not matter that either makes the same one come more often or less.
"""

from __future__ import annotations

from dataclasses import replace

from compilers import algebra as a
from compilers.rewrites.walk import Group, map_groups


def drop_domains(select: a.Select) -> a.Select:
    """Remove each Domain whose variable is bound in its group, or around it within the same SELECT."""
    return replace(select, patterns=without_domains(select.patterns))


def without_domains(patterns: Group) -> Group:
    """The same for the patterns of a SELECT."""
    return _group(patterns, frozenset())


def _group(patterns: Group, outer: frozenset[a.Variable]) -> Group:
    bound = outer.union(*(_binds(pattern) for pattern in patterns))
    kept = (p for p in patterns if not (isinstance(p, a.Domain) and p.variable in bound))
    changed = (_inside(pattern, bound) for pattern in kept)
    return tuple(p for p in changed if not (isinstance(p, a.Union) and () in p.branches))


def _inside(pattern: a.Pattern, bound: frozenset[a.Variable]) -> a.Pattern:
    # A subquery is evaluated on its own: what is bound around it does not narrow it.
    inner = frozenset[a.Variable]() if isinstance(pattern, a.SubSelect) else bound
    return map_groups(pattern, lambda group: _group(group, inner))


def _binds(pattern: a.Pattern) -> frozenset[a.Variable]:
    """The variables that every solution of the pattern binds to something the graph says."""
    match pattern:
        case a.Triple(predicate=a.Variable()):
            # Such a triple may be about anything in the graph, its schema and its value nodes included.
            return frozenset()
        case a.Triple():
            return frozenset(t for t in (pattern.subject, pattern.object) if isinstance(t, a.Variable))
        case a.Values():
            return frozenset(pattern.variables)
        case a.Union():
            branches = [frozenset[a.Variable]().union(*map(_binds, branch)) for branch in pattern.branches]
            return frozenset.intersection(*branches)
        case _:
            return frozenset()
