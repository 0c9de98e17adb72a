"""The shortest paths of relations between two things.

The search goes out from both things and meets in the middle, a few queries for each relation further. All of
it is bounded, and what it leaves out is said.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice, product
from math import inf

from compilers.errors import CompilerError
from compilers.kopl.functions import Kind
from compilers.kopl.program import Program, Step
from compilers.neighbours import compile_neighbours
from connectors.errors import EndpointRefusedQuery, EndpointTimeout, IncompleteResult
from connectors.results import Row
from nlq_gateway.answering.attempt import Ask, carry_out
from nlq_gateway.core.checkpoint import checkpoint
from nlq_gateway.core.types import Draft, SchemaItem
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.index.introspect.pages import WRITABLE
from nlq_gateway.trace import Recorder

MOST_RELATIONS, MOST_PATHS = 4, 5
# So many facts of a thing are looked at in each direction, so many things by one query, in so many queries.
FACTS, THINGS, QUERIES = 500, 10, 30
# Shortest paths compared, of which those by way of the things with the fewest facts are told, as they say
# most; and things weighed, as an index without names asks the store for them.
_COMPARED, _WEIGHED = 200, 50
_SECONDS, _QUERY_MS = 10.0, 3_000
_NOT_TOLD = (EndpointRefusedQuery, EndpointTimeout, IncompleteResult, CompilerError)

# Relations between two things, each with `forward` where its fact leads from the first to the second.
_Ways = tuple[tuple[SchemaItem, str], ...]
_TURNED = {"forward": "backward", "backward": "forward"}


@dataclass(frozen=True, slots=True)
class ThingPath:
    """A path: the IRIs and labels of its things, and between each two all relations that connect them.

    A relation comes with `forward` where its fact leads along the path, else with `backward`.
    """

    things: tuple[tuple[str, str], ...]
    relations: tuple[_Ways, ...]


@dataclass(frozen=True, slots=True)
class Connection:
    """The shortest paths from a thing to another; `more` says that others are as short.

    `complete` says that the search left nothing out: no path is shorter then, and where there is none, no
    path has at most `MOST_RELATIONS` relations.
    """

    paths: tuple[ThingPath, ...]
    more: bool
    complete: bool


def connected(endpoint: Endpoint, start: str, goal: str, language: str) -> Connection:
    """The shortest paths between the things of two IRIs. Raises EndpointError."""
    search = _Search(endpoint)
    chains = search.chains(start, goal)
    degrees = _degrees(endpoint, chains)
    chains.sort(key=lambda one: (sum(degrees.get(iri, inf) for iri in one.things[1:-1]), one.things))
    told = chains[:MOST_PATHS]
    labels = _labels(endpoint, list(dict.fromkeys(iri for one in told for iri in one.things)), language)
    paths = (ThingPath(tuple((iri, labels[iri]) for iri in one.things), one.ways) for one in told)
    return Connection(tuple(paths), len(chains) > len(told), search.complete)


@dataclass(frozen=True, slots=True)
class _Chain:
    things: tuple[str, ...]
    ways: tuple[_Ways, ...] = ()

    def joined(self, other: _Chain) -> _Chain:
        """This chain, and back along another one that ends in the same thing."""
        turned = (tuple((item, _TURNED[way]) for item, way in ways) for ways in reversed(other.ways))
        return _Chain((*self.things, *reversed(other.things[:-1])), (*self.ways, *turned))


@dataclass(slots=True)
class _Side:
    """The things reached from one end, each with those before it and the relations from these.

    `frontier` is what was reached last; `cut` says that facts were left out.
    """

    reached: dict[str, Mapping[str, list[tuple[SchemaItem, str]]]]
    frontier: tuple[str, ...]
    cut: bool = False

    def chains(self, iri: str) -> Iterator[_Chain]:
        """The ways to a thing from where the search began."""
        if not self.reached[iri]:
            yield _Chain((iri,))
        for before, ways in self.reached[iri].items():
            for one in self.chains(before):
                yield _Chain((*one.things, iri), (*one.ways, tuple(ways)))


@dataclass(slots=True)
class _Search:
    """A search for paths; `complete` says whether facts that were left out could have led to others."""

    endpoint: Endpoint
    complete: bool = True
    queries: int = 0
    until: float = field(default_factory=lambda: time.monotonic() + _SECONDS)

    def chains(self, start: str, goal: str) -> list[_Chain]:
        """Shortest chains of facts, as far as the search comes: each round is a relation further."""
        near, far = _Side({start: {}}, (start,)), _Side({goal: {}}, (goal,))
        for _ in range(MOST_RELATIONS):
            side, other = sorted((near, far), key=lambda one: (not one.frontier, len(one.frontier)))
            self._widen(side)
            # If one side has come to its end, paths left out on the other side lead nowhere.
            at_end = not (side.frontier or side.cut)
            self.complete = at_end or not (near.cut or far.cut)
            if at_end:
                break
            if met := [iri for iri in side.frontier if iri in other.reached]:
                return list(islice(_joined(near, far, met), _COMPARED))
        return []

    def _widen(self, side: _Side) -> None:
        """Go one relation further from what was reached last."""
        found: dict[str, dict[str, list[tuple[SchemaItem, str]]]] = {}
        for at in range(0, len(side.frontier), THINGS):
            for before, relation, way, iri in self._facts(side, side.frontier[at : at + THINGS]):
                if iri not in side.reached:
                    found.setdefault(iri, {}).setdefault(before, []).append((relation, way))
        side.reached |= found
        side.frontier = tuple(found)

    def _facts(self, side: _Side, things: Sequence[str]) -> Iterator[tuple[str, SchemaItem, str, str]]:
        """The relations of things, and what each leads to or comes from."""
        checkpoint()
        asked = [iri for iri in things if WRITABLE.fullmatch(iri)]
        counts = [0] * (2 * len(asked) + 1)
        for step, predicate, other in self._rows(side, asked):
            if step is None or predicate is None or other is None:
                continue
            number = int(step.value)
            counts[number] += 1
            relation = self.endpoint.index.item(Kind.RELATION, predicate.value)
            if relation is not None and other.kind == "iri":
                yield asked[abs(number) - 1], relation, "forward" if number > 0 else "backward", other.value
            # A blank node has another name in each answer: its own facts cannot be asked for.
            side.cut |= relation is not None and other.kind == "blank"
        side.cut |= len(asked) < len(things) or max(counts) >= FACTS

    def _rows(self, side: _Side, things: Sequence[str]) -> tuple[Row, ...]:
        """The rows of `compile_neighbours`; none where the store gives up, or the bounds are reached."""
        self.queries += 1
        if things and self.queries <= QUERIES and time.monotonic() < self.until:
            with suppress(*_NOT_TOLD):
                options = self.endpoint.prepared.options
                text = compile_neighbours(things, self.endpoint.layout, options, FACTS)
                result = self.endpoint.select(text, timeout_ms=_QUERY_MS)
                side.cut |= result.truncated
                return result.rows
        side.cut = True
        return ()


def _joined(near: _Side, far: _Side, met: Sequence[str]) -> Iterator[_Chain]:
    """The chains from one end to the other by way of what is reached from both."""
    for iri in met:
        for chain, rest in product(*(islice(side.chains(iri), _COMPARED) for side in (near, far))):
            yield chain.joined(rest)


def _degrees(endpoint: Endpoint, chains: Sequence[_Chain]) -> dict[str, int]:
    """The number of facts of the things between the ends, as far as it is known."""
    inner = dict.fromkeys(iri for chain in chains for iri in chain.things[1:-1])
    with suppress(*_NOT_TOLD):
        return {iri: one.degree for iri, one in endpoint.index.entities(list(inner)[:_WEIGHED]).items()}
    return {}


def _labels(endpoint: Endpoint, iris: Sequence[str], language: str) -> dict[str, str]:
    """The names of things, in the language if they have a label in it."""
    labels = {iri: endpoint.name_of(iri) for iri in iris}
    for first in iris[:1]:
        program = Program((Step("Find", (labels[first],)), Step("What", (), (0,))))
        draft = Draft(program, "connect", 1.0, choices={(0, 0): tuple(iris)})
        request = Ask("", language=language, timeout_ms=_QUERY_MS)
        with suppress(*_NOT_TOLD):
            answer = carry_out(endpoint, request, draft, {}, Recorder(), near=False).answer
            labels |= {one.value: str(one) for one in (answer.values if answer is not None else ())}
    return labels
