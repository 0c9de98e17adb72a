"""What tells most apart comes first: stores begin a join with the first known term that they read.

`?film a ex:Film . ?film ex:by ex:nolan` becomes `?film ex:by ex:nolan . ?film a ex:Film`. Oxigraph takes both
for equally selective, and would begin with every film of the graph (benchmarks/rewrites.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import takewhile

from compilers import algebra as a
from compilers.layouts import Layout
from compilers.rewrites.walk import Group, map_groups


def selective_first(select: a.Select, layout: Layout) -> a.Select:
    """Put the lines of the step with the most selective triple before those of a less selective one.

    A triple with a known term at one end is the more selective the less common its predicate is
    (`Layout.commonness`).
    """

    def group(patterns: Group) -> Group:
        return _reordered(tuple(map_groups(pattern, group) for pattern in patterns), layout.commonness)

    return replace(select, patterns=group(select.patterns))


def _reordered(patterns: Group, commonness: Mapping[str, int]) -> Group:
    # What is optional or assigned depends on what stands before it.
    joined = tuple(takewhile(lambda pattern: not isinstance(pattern, (a.Optional, a.Bind)), patterns))
    ranks = {at: rank for at, one in enumerate(joined) if (rank := _rank(one, commonness)) is not None}
    best = min(ranks, key=lambda at: (ranks[at], at), default=None)
    first = min(ranks, default=None)
    if best is None or first is None or ranks[first] == ranks[best]:
        return patterns
    start, (low, high) = _block(joined, first)[0], _block(joined, best)
    if start >= low:
        return patterns
    return (*patterns[:start], *patterns[low:high], *patterns[start:low], *patterns[high:])


def _block(patterns: Group, at: int) -> tuple[int, int]:
    """Where the lines around `at` begin and end that state the same step."""
    step = patterns[at].steps[:1]
    low = high = at
    while low > 0 and patterns[low - 1].steps[:1] == step:
        low -= 1
    while high < len(patterns) and patterns[high].steps[:1] == step:
        high += 1
    return low, high


def _rank(pattern: a.Pattern, commonness: Mapping[str, int]) -> int | None:
    """How common the predicate of a triple with a known term at one end is; None for other patterns."""
    match pattern:
        case a.Triple(a.Iri(), predicate, _) | a.Triple(_, predicate, a.Iri() | a.Literal()):
            named = a.predicate_terms(predicate)[0]
            return commonness.get(named.value, 0) if isinstance(named, a.Iri) else None
        case _:
            return None
