"""Concepts above and below one another."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

# Concepts with the number of their members.
Counts = tuple[tuple[str, int], ...]


class Hierarchy:
    """Concepts and their parents; cycles are allowed."""

    def __init__(self, parents: Mapping[str, Iterable[str]]) -> None:
        """`parents` maps a concept to those directly above it."""
        self._parents = {child: tuple(dict.fromkeys(above)) for child, above in parents.items()}
        self._children: dict[str, list[str]] = defaultdict(list)
        for child, above in self._parents.items():
            for one in above:
                self._children[one].append(child)
        self._ancestors: dict[str, frozenset[str]] = {}
        self._covering: dict[Counts, frozenset[str]] = {}

    def ancestors(self, concept: str) -> frozenset[str]:
        """Every concept above this one, without itself."""
        if concept not in self._ancestors:
            self._ancestors[concept] = _reachable(concept, self._parents)
        return self._ancestors[concept]

    def descendants(self, concept: str) -> frozenset[str]:
        """Every concept below this one, without itself."""
        return _reachable(concept, self._children)

    def direct_parents(self, concept: str) -> tuple[str, ...]:
        """The parents that are not above another parent, in their order."""
        return self.most_specific(above for above in self._parents.get(concept, ()) if above != concept)

    def most_specific(self, concepts: Iterable[str]) -> tuple[str, ...]:
        """The concepts with none of the others below them; concepts of one cycle all stay."""
        given = tuple(dict.fromkeys(concepts))
        if len(given) < 2:
            return given
        return tuple(one for one in given if not any(self._is_below(other, one) for other in given))

    def covering(self, counts: Counts) -> frozenset[str]:
        """The concepts without those whose members are all in concepts below them, as their counts tell."""
        if counts not in self._covering:
            left = Counter(dict(counts))
            for concept, number in counts:
                for above in self.most_specific(one for one in left if self._is_below(concept, one)):
                    left[above] -= number
            self._covering[counts] = frozenset(concept for concept, number in left.items() if number > 0)
        return self._covering[counts]

    def _is_below(self, lower: str, upper: str) -> bool:
        return upper in self.ancestors(lower) and lower not in self.ancestors(upper)


def _reachable(start: str, edges: Mapping[str, Sequence[str]]) -> frozenset[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        new = [one for one in edges.get(waiting.pop(), ()) if one not in seen]
        seen.update(new)
        waiting.extend(new)
    return frozenset(seen - {start})
