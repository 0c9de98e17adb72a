"""Put the most selective patterns first: stores begin a join with the first known term.

`?film ex:genre ex:drama . ?film ex:by ex:nolan` becomes `?film ex:by ex:nolan . ?film ex:genre ex:drama`.
Oxigraph takes both for equally selective, and would begin with every drama (benchmarks/rewrites.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import takewhile

from compilers import algebra as a
from compilers.layouts import Layout
from compilers.rewrites.walk import Group, map_groups

# The assumed number of solutions of a triple with a known term of unknown size, by how common its predicate
# is (`Layout.commonness`).
_GUESSES = (100, 100_000, 10_000_000)


def selective_first(select: a.Select, layout: Layout, sizes: Mapping[str, int]) -> a.Select:
    """Put the lines of the step with the most selective triple before those of a less selective one.

    `sizes` maps known entities and concepts to their number of triples.
    """
    order = _Order(layout.commonness, sizes)

    def group(patterns: Group) -> Group:
        return order.reordered(tuple(map_groups(pattern, group) for pattern in patterns))

    return replace(select, patterns=group(select.patterns))


@dataclass(frozen=True, slots=True)
class _Order:
    commonness: Mapping[str, int]
    sizes: Mapping[str, int]

    def reordered(self, patterns: Group) -> Group:
        # Optional and assigned patterns depend on those before them.
        joined = tuple(takewhile(lambda pattern: not isinstance(pattern, (a.Optional, a.Bind)), patterns))
        guesses = {at: guess for at, one in enumerate(joined) if (guess := self._guess(one)) is not None}
        best = min(guesses, key=lambda at: (guesses[at], at), default=None)
        first = min(guesses, default=None)
        if best is None or first is None or guesses[first] == guesses[best]:
            return patterns
        start, (low, high) = _block(joined, first)[0], _block(joined, best)
        if start >= low:
            return patterns
        return (*patterns[:start], *patterns[low:high], *patterns[start:low], *patterns[high:])

    def _guess(self, pattern: a.Pattern) -> int | None:
        """The expected solutions of a triple with a known term at one end; None for other patterns."""
        match pattern:
            case a.Triple(a.Iri() as known, predicate, _) | a.Triple(_, predicate, a.Iri() as known):
                size = self.sizes.get(known.value)
            case a.Triple(_, predicate, a.Literal()):
                size = None
            case _:
                return None
        named = a.predicate_terms(predicate)[0]
        if not isinstance(named, a.Iri):
            return None
        return size or _GUESSES[self.commonness.get(named.value, 0)]


def _block(patterns: Group, at: int) -> tuple[int, int]:
    """The first and last index of the lines around `at` that state the same step."""
    step = patterns[at].steps[:1]
    low = high = at
    while low > 0 and patterns[low - 1].steps[:1] == step:
        low -= 1
    while high < len(patterns) and patterns[high].steps[:1] == step:
        high += 1
    return low, high
