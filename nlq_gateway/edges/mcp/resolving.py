"""Candidates for a name in a graph, and the schema. Both read only the index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from compilers.grounded import GroundedProgram
from compilers.kopl.functions import NAMING_KINDS, SCHEMA_KINDS, Kind
from nlq_gateway.core.types import EntityItem, Hit, SchemaItem
from nlq_gateway.edges.mcp.results import Candidate, Dataset, Schema, SchemaEntry
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.index import Index

SHOWN_CLASSES = 5
# The cosine from which a name that is written otherwise may be meant, and how many such names of a kind.
NEAR_MEANING = 0.65
MOST_MEANT = 3


def candidates(index: Index, name: str, kinds: Sequence[Kind], limit: int) -> list[Candidate]:
    """Return the candidates for a name: by its letters, then schema items of a similar meaning."""
    found: dict[tuple[Kind, str], Hit] = {}
    for hit in (*index.search(name, kinds, limit), *_meant(index, name, kinds)):
        found.setdefault((hit.kind, hit.iri), hit)
    best = list(found.values())[:limit]
    entities = index.entities([hit.iri for hit in best if hit.kind == Kind.ENTITY])
    return [_candidate(index, hit, entities.get(hit.iri)) for hit in best]


def _meant(index: Index, name: str, kinds: Sequence[Kind]) -> list[Hit]:
    near = (index.nearest(kind, [name], MOST_MEANT)[0] for kind in kinds if kind in SCHEMA_KINDS)
    found = (hit for hits in near for hit in hits if hit.score >= NEAR_MEANING)
    return sorted(found, key=lambda hit: -hit.score)


def _candidate(index: Index, hit: Hit, found: EntityItem | None) -> Candidate:
    item = index.item(hit.kind, hit.iri)
    return Candidate(
        kind=hit.kind,
        iri=hit.iri,
        label=hit.label,
        matched=hit.matched,
        score=round(hit.score, 4),
        how=hit.how,
        classes=list(_labels(index, found.concepts)) if found else [],
        facts=found.degree if found else item.count if item else 0,
        description=item.description if item else "",
    )


def schema_of(endpoint: Endpoint, all_endpoints: Iterable[Endpoint], limit: int) -> Schema:
    """Return up to `limit` items of each kind of a ready endpoint's schema, and the list of graphs."""
    index = endpoint.index
    return Schema(
        dataset=endpoint.id,
        datasets=[
            Dataset(id=one.id, aliases=list(one.settings.aliases), status=one.status, detail=one.detail)
            for one in all_endpoints
        ],
        counts=dict(index.manifest.counts),
        questions=list(endpoint.examples),
        concepts=_entries(index, Kind.CONCEPT, limit),
        relations=_entries(index, Kind.RELATION, limit),
        attributes=_entries(index, Kind.ATTRIBUTE, limit),
        qualifiers=_entries(index, Kind.QUALIFIER, limit),
    )


def _entries(index: Index, kind: Kind, limit: int) -> list[SchemaEntry]:
    items = sorted((item for item in index.schema if item.kind == kind), key=lambda item: -item.count)
    return [_entry(index, item) for item in items[:limit]]


def _entry(index: Index, item: SchemaItem) -> SchemaEntry:
    return SchemaEntry(
        iri=item.iri,
        label=item.label,
        count=item.count,
        of=list(_labels(index, (iri for iri, _ in item.domains[:SHOWN_CLASSES]))),
        to=list(_labels(index, (iri for iri, _ in item.ranges[:SHOWN_CLASSES]))),
        values=list(item.value_types),
        units=list(item.units),
        examples=list(item.examples),
    )


def _labels(index: Index, concepts: Iterable[str]) -> Iterator[str]:
    for iri in concepts:
        item = index.kind(iri)
        yield item.kind_name if item is not None else iri


def unknown_names(grounded: GroundedProgram) -> list[str]:
    """The names in a program that the graph does not have, each with its step."""
    return [
        f"step {number + 1}: nothing in the graph is called {text!r}; `resolve` finds names like it"
        for number, step in enumerate(grounded.program.steps)
        for place, (parameter, text) in enumerate(zip(step.signature.parameters, step.inputs, strict=False))
        if parameter.kind in NAMING_KINDS and grounded.binding(number, place) is None
    ]
