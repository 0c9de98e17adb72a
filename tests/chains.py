"""A graph whose things are few relations apart, and the shortest paths in it by a search of its own."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from compilers.kopl.values import String, Year
from nlq_gateway.answering import MOST_RELATIONS, connected
from nlq_gateway.answering.connecting import MOST_PATHS, ThingPath
from nlq_gateway.endpoints.endpoint import Endpoint
from tests.oracle.graph import AttributeFact, Concept, Entity, Graph, RelationFact

THINGS = tuple(f"T{number}" for number in range(26))
# From these to all others paths are looked for.
STARTS = THINGS[:4]
# The things of a path, and between each two of them the relations with their directions.
Told = tuple[tuple[str, ...], tuple[frozenset[tuple[str, str]], ...]]


def graph() -> Graph:
    """Sparse: some things are neighbours, some further apart than is looked, and one has no relations."""
    draw = random.Random(7)
    facts = {
        RelationFact(
            draw.choice(THINGS[:-1]),
            draw.choice(("leads to", "knows", "part of")),
            draw.choice(THINGS[:-1]),
            frozenset({("since", Year(draw.randint(1900, 2000)))}) if draw.random() < 0.5 else frozenset(),
        )
        for _ in range(30)
    }
    named = {AttributeFact(one, "code", String(f"code of {one}"), frozenset()) for one in THINGS}
    entities = {one: Entity(f"thing {one}", ("C1",)) for one in THINGS}
    return Graph(entities, {"C1": Concept("thing")}, frozenset(named), frozenset(facts))


def told(path: ThingPath) -> Told:
    """A path by names."""
    relations = (frozenset((item.label, way) for item, way in ways) for ways in path.relations)
    return tuple(label for _, label in path.things), tuple(relations)


def shortest(graph: Graph, start: str, goal: str) -> set[Told]:
    """All shortest paths between two things; none where they are longer than is looked."""
    paths = [(start,)]
    for _ in range(MOST_RELATIONS):
        paths = [(*path, one) for path in paths for one in _near(graph, path[-1]) if one not in path]
        if found := [path for path in paths if path[-1] == goal]:
            return {_told(graph, path) for path in found}
    return set()


def require_shortest(
    endpoint: Endpoint, graph: Graph, iri_of: Callable[[str], str], starts: Sequence[str] = STARTS
) -> Counter[int]:
    """Fail where a path is no shortest one; how many things are so many relations apart, 0 for too many."""
    lengths: Counter[int] = Counter()
    for start in starts:
        for goal in set(THINGS) - {start}:
            expected = shortest(graph, start, goal)
            found = connected(endpoint, iri_of(start), iri_of(goal), "en")
            paths = list(map(told, found.paths))
            assert set(paths) <= expected
            assert len(paths) == len(set(paths)) == min(len(expected), MOST_PATHS)
            assert (found.more, found.complete) == (len(expected) > MOST_PATHS, True)
            lengths[len(paths[0][1]) if paths else 0] += 1
    return lengths


def _near(graph: Graph, thing: str) -> set[str]:
    ends = {(fact.source, fact.target) for fact in graph.relations}
    return {b for a, b in ends if a == thing} | {a for a, b in ends if b == thing}


def _told(graph: Graph, path: tuple[str, ...]) -> Told:
    pairs = pairwise(path)
    names = tuple(graph.entities[one].name for one in path)
    return names, tuple(frozenset(_between(graph, *pair)) for pair in pairs)


def _between(graph: Graph, first: str, second: str) -> Iterator[tuple[str, str]]:
    for fact in graph.relations:
        if (fact.source, fact.target) == (first, second):
            yield fact.relation, "forward"
        if (fact.target, fact.source) == (first, second):
            yield fact.relation, "backward"
