"""Questions for one of several things of one name, told by its kind or by a neighbour."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import EntityItem
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.index.introspect.pages import WRITABLE
from nlq_gateway.index.text import fold

_SEED = 5
_NEIGHBOURS = 400


@dataclass(frozen=True, slots=True)
class Told:
    """A question for `meant` of the entities that bear `name`, in the order of their facts."""

    rule: str
    question: str
    name: str
    meant: str
    bearers: tuple[str, ...]


def told(endpoint: Endpoint, entities: Sequence[EntityItem], size: int) -> Iterator[Told]:
    """Up to `size` questions of each rule about an endpoint's graph; always the same ones."""
    bearers: dict[str, list[EntityItem]] = defaultdict(list)
    for entity in entities:
        bearers[fold(entity.label)].append(entity)
    shared = [group for name, group in sorted(bearers.items()) if len(group) > 1 and len(name) > 2]
    random.Random(_SEED).shuffle(shared)
    yield from _by_kind(endpoint, shared[:size])
    yield from _by_neighbour(endpoint, shared[:size])


def _by_kind(endpoint: Endpoint, groups: Sequence[Sequence[EntityItem]]) -> Iterator[Told]:
    for group in groups:
        for one in group:
            others = {iri for other in group if other is not one for iri in other.concepts}
            own = [iri for iri in one.concepts if iri not in others]
            concept = endpoint.index.item(Kind.CONCEPT, own[0]) if own else None
            if concept is not None:
                question = f"What is known about the {concept.label} {one.label}?"
                yield _told("its kind", question, one, group)


def _by_neighbour(endpoint: Endpoint, groups: Sequence[Sequence[EntityItem]]) -> Iterator[Told]:
    for group in groups:
        around = {one.iri: _neighbours(endpoint, one.iri) for one in group}
        for one in group:
            others = {iri for other in group if other is not one for iri in (other.iri, *around[other.iri])}
            own = sorted(around[one.iri] - others)
            known = endpoint.index.entities(own[:1])
            for neighbour in known.values():
                question = f"What is known about {one.label} and {neighbour.label}?"
                yield _told("a neighbour", question, one, group)


def _neighbours(endpoint: Endpoint, iri: str) -> set[str]:
    if not WRITABLE.fullmatch(iri):
        return set()
    text = (
        f"SELECT DISTINCT ?x WHERE {{ {{ <{iri}> ?p ?x }} UNION {{ ?x ?p <{iri}> }} FILTER(ISIRI(?x)) }} "
        f"LIMIT {_NEIGHBOURS}"
    )
    found = {term.value for term in endpoint.select(text).column("x")}
    return set(endpoint.index.entities(found)) - {iri}


def _told(rule: str, question: str, one: EntityItem, group: Sequence[EntityItem]) -> Told:
    ordered = sorted(group, key=lambda entity: (-entity.degree, entity.iri))
    return Told(rule, question, one.label, one.iri, tuple(entity.iri for entity in ordered))
