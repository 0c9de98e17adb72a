"""Chains of classes in a schema, with what their members state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from compilers.kopl.functions import Kind, ValueType
from nlq_gateway.core.types import SchemaItem

LENGTHS, SHARES = (1, 2, 3), (0.25, 0.45, 0.3)
# A class that a relation leads to so seldom is left out.
SELDOM = 0.1


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation to a class; `is_only` where no other joins the two classes, so that it need not be said."""

    relation: SchemaItem
    direction: str
    target: str
    is_only: bool


@dataclass(frozen=True, slots=True)
class Node:
    """A class of a chain, and the edge that leads to it from the class before; none for the first."""

    concept: SchemaItem
    attributes: Sequence[SchemaItem]
    edge: Edge | None = None

    def of_type(self, *types: ValueType) -> list[SchemaItem]:
        """The attributes whose values are mostly of these types."""
        return [one for one in self.attributes if one.value_types[:1] and one.value_types[0] in types]


class Schema:
    """The classes of a graph, with their attributes and edges."""

    def __init__(self, items: Iterable[SchemaItem]) -> None:
        """Take the items of an index."""
        found = list(items)
        self._concepts = {one.iri: one for one in found if one.kind == Kind.CONCEPT and one.count}
        self._attributes: defaultdict[str, list[SchemaItem]] = defaultdict(list)
        for one in found:
            if one.kind == Kind.ATTRIBUTE:
                for iri, _ in one.domains:
                    self._attributes[iri].append(one)
        self._edges = self._joined([one for one in found if one.kind == Kind.RELATION])

    def chain(self, random: Random) -> tuple[Node, ...]:
        """A chain of one to three classes; () in a schema without classes that state something."""
        begins = [iri for iri in self._concepts if self._attributes[iri]]
        if not begins:
            return ()
        [length] = random.choices(LENGTHS, SHARES)
        joined = [iri for iri in begins if self._edges.get(iri)]
        nodes = [self._node(random.choice(joined if joined and length > 1 else begins))]
        while len(nodes) < length:
            edges = [e for e in self._edges.get(nodes[-1].concept.iri, ()) if not _turns_back(nodes, e)]
            if not edges:
                break
            edge = random.choice(edges)
            nodes.append(self._node(edge.target, edge))
        return tuple(nodes)

    def _node(self, iri: str, edge: Edge | None = None) -> Node:
        return Node(self._concepts[iri], self._attributes[iri], edge)

    def _joined(self, relations: Sequence[SchemaItem]) -> Mapping[str, list[Edge]]:
        found: defaultdict[str, list[tuple[SchemaItem, str, str]]] = defaultdict(list)
        for one in relations:
            begins, ends = (self._often(side) for side in (one.domains, one.ranges))
            for begin in begins:
                for end in ends:
                    found[begin].append((one, "forward", end))
                    found[end].append((one, "backward", begin))
        return {
            iri: [
                Edge(*way, is_only=sum(other[2] == way[2] for other in ways) == 1)
                for way in ways
                if self._attributes[way[2]]
            ]
            for iri, ways in found.items()
        }

    def _often(self, ends: Sequence[tuple[str, int]]) -> list[str]:
        most = max((count for _, count in ends), default=0)
        return [iri for iri, count in ends if iri in self._concepts and count > SELDOM * most]


def _turns_back(nodes: Sequence[Node], edge: Edge) -> bool:
    """True if an edge leads back along the one before, to the one thing that it came from."""
    last = nodes[-1].edge
    return last is not None and last.relation == edge.relation and last.direction == "backward"
