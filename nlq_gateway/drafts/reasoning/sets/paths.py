"""The shortest ways between concepts, along any relations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.vocabulary import Vocabulary

LONGEST = 3
MOST = 4


@dataclass(frozen=True, slots=True)
class Hop:
    """One step along a relation, to a concept."""

    relation: SchemaItem
    direction: str
    concept: str

    @property
    def far(self) -> str:
        """The side of the relation's facts that the hop leads to."""
        return "ranges" if self.direction == "forward" else "domains"


Path = tuple[Hop, ...]


def competing(paths: tuple[Path, ...]) -> int:
    """Return the number of distinct paths: a relation and its inverse lead to the same entities."""
    found: Counter[tuple[object, object]] = Counter(
        (
            tuple((hop.concept, hop.relation.count) for hop in path),
            tuple(hop.direction for hop in path),
        )
        for path in paths
    )
    return sum(max(n for (over, _), n in found.items() if over == way) for way in {way for way, _ in found})


@dataclass(frozen=True)
class Joins:
    """The shortest ways between concepts over one schema; kept once found."""

    vocabulary: Vocabulary
    _paths: dict[tuple[str, str], tuple[Path, ...]] = field(default_factory=dict)
    _hops: dict[str, tuple[Hop, ...]] = field(default_factory=dict)

    def paths(self, start: str, end: str) -> tuple[Path, ...]:
        """The shortest ways of at most three relations, at most four of them; () where there is none.

        None goes back along a relation that it came by; a concept and one below it need none.
        """
        key = (start, end)
        if key not in self._paths:
            self._paths[key] = self._find(start, end)
        return self._paths[key]

    def _find(self, start: str, end: str) -> tuple[Path, ...]:
        ends = {end, *self.vocabulary.index.descendants(end)}
        if start in ends or start in self.vocabulary.upward((end,)):
            return ()
        frontier: list[tuple[str, Path]] = [(start, ())]
        seen = {start}
        for _ in range(LONGEST):
            grown = [
                (hop.concept, (*path, hop))
                for at, path in frontier
                for hop in self._from(at)
                if not path or hop.relation is not path[-1].relation
            ]
            found = [path for at, path in grown if at in ends]
            if found:
                return tuple(found[:MOST])
            frontier = [(at, path) for at, path in grown if at not in seen][: w.JOIN_FRONTIER]
            seen.update(at for at, _ in frontier)
        return ()

    def _from(self, concept: str) -> tuple[Hop, ...]:
        if concept not in self._hops:
            self._hops[concept] = tuple(self._hops_from(concept))
        return self._hops[concept]

    def _hops_from(self, concept: str) -> Iterator[Hop]:
        near_concepts = self.vocabulary.upward((concept,))
        for relation in self.vocabulary.relations:
            for direction, near, far in (("forward", "domains", "ranges"), ("backward", "ranges", "domains")):
                reached = relation.ranges if far == "ranges" else relation.domains
                if reached and not near_concepts.isdisjoint(self.vocabulary.mostly(relation, near)):
                    yield Hop(relation, direction, reached[0][0])
