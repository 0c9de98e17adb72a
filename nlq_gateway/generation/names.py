"""The names that a constrained model may write: of the whole schema where it is small, else the likeliest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from compilers.kopl.functions import SCHEMA_KINDS, Kind, ValueType
from nlq_gateway.generation.known import Fact, Names
from nlq_gateway.generation.likeness import Likeness
from nlq_gateway.generation.phrases import Phrase, phrases_of
from nlq_gateway.generation.values import stated_in
from nlq_gateway.index import Index
from nlq_gateway.types import Links, SchemaItem

LIMIT = 60
MOST_ENTITIES = 40
# What leads on from something named is preferred by so much of a cosine.
_NEAR = 0.15
# Of a schema too large to be compared with as a whole, so many names next to each text.
_MANY, _NEAREST = 4_096, 20


@dataclass(frozen=True)
class NameFinder:
    """Finds the names over one graph. Keeps nothing between calls: safe to share between threads."""

    index: Index

    def names(self, links: Links, facts: Sequence[Fact] = (), *, limit: int = LIMIT) -> Names:
        """What may be written for a linked question, of each kind of the schema at most `limit`.

        Names that several things share are stated once. Facts' own names come first, then what leads on from
        what the question names or is like its words.
        """
        near = self._near(links)
        chosen = {kind: self._chosen(kind, links, facts, near, limit) for kind in SCHEMA_KINDS}
        stated = stated_in(links)
        return Names(
            _labels(hit.label for one in (*links.mentions, *links.others) for hit in one.hits
                    if hit.kind == Kind.ENTITY)[:MOST_ENTITIES],
            _labels(item.label for item in chosen[Kind.CONCEPT]),
            _labels(item.label for item in chosen[Kind.RELATION]),
            _types(chosen[Kind.ATTRIBUTE]),
            _types(chosen[Kind.QUALIFIER]),
            _units(chosen[Kind.ATTRIBUTE]),
            stated.strings,
            stated.quantities,
            stated.years,
            stated.dates,
        )  # fmt: skip

    def _chosen(
        self, kind: Kind, links: Links, facts: Sequence[Fact], near: frozenset[int], limit: int
    ) -> list[SchemaItem]:
        """The items of a kind whose names are at most `limit`; all of them in the schema's order if few."""
        positions = self._of_kind[kind]
        if len({self.index.schema[at].label for at in positions}) <= limit:
            return [self.index.schema[at] for at in positions]
        stated = {label for fact in facts for label in _names_of(fact, kind)}
        linked = {hit.iri for mention in links.mentions for hit in mention.hits if hit.kind == kind}
        first = [at for at in positions if self._is_first(at, stated, linked)]
        order = dict.fromkeys((*first, *self._likeliest(kind, links, near)))
        return self._with_labels(order, limit)

    def _is_first(self, position: int, stated: set[str], linked: set[str]) -> bool:
        item = self.index.schema[position]
        return item.label in stated or item.iri in linked

    def _with_labels(self, positions: Iterable[int], limit: int) -> list[SchemaItem]:
        """The items at these positions as long as they have no more than `limit` labels."""
        labels: set[str] = set()
        found = []
        for item in (self.index.schema[at] for at in positions):
            labels.add(item.label)
            if len(labels) > limit:
                break
            found.append(item)
        return found

    def _likeliest(self, kind: Kind, links: Links, near: frozenset[int]) -> list[int]:
        """The positions of a kind, what is most like the question or some of its phrases first."""
        phrases = [*phrases_of(links, self._likeness.longest), Phrase(0, 0, links.question.text)]
        positions = self._of_kind[kind]
        if len(positions) > _MANY:
            positions = self._nearest(kind, phrases, near)
        scores = self._likeness.scores(phrases, positions, links.question.language).max(axis=0)
        scores += _NEAR * np.fromiter((at in near for at in positions), np.float32, len(positions))
        return [positions[at] for at in np.argsort(-scores, kind="stable")]

    def _nearest(self, kind: Kind, phrases: Sequence[Phrase], near: frozenset[int]) -> list[int]:
        """The positions next to some phrase, and of what leads on from something named."""
        found = self.index.nearest(kind, [phrase.text for phrase in phrases], _NEAREST)
        places = {self._places[kind, hit.iri] for hits in found for hit in hits}
        return sorted(places | {at for at in near if self.index.schema[at].kind == kind})

    def _near(self, links: Links) -> frozenset[int]:
        """The positions of what is seen on members of the classes that the question names or its names have.

        Concepts directly above and below those named are among them, and qualifiers of what is seen.
        """
        hits = [hit for mention in links.mentions for hit in mention.hits]
        entities = self.index.entities(hit.iri for hit in hits if hit.kind == Kind.ENTITY)
        named = {hit.iri for hit in hits if hit.kind == Kind.CONCEPT}
        concepts = named.union(*(entity.concepts for entity in entities.values()))
        wide = concepts.union(*(self.index.ancestors(iri) for iri in sorted(concepts)))
        return self._beside(named) | self._seen_on(wide)

    def _beside(self, named: set[str]) -> frozenset[int]:
        items = [(at, self.index.schema[at]) for at in self._of_kind[Kind.CONCEPT]]
        above = {parent for _, item in items if item.iri in named for parent in item.parents}
        return frozenset(at for at, item in items if item.iri in above or not named.isdisjoint(item.parents))

    def _seen_on(self, concepts: set[str]) -> frozenset[int]:
        found = frozenset[int]().union(*(self._ends.get(iri, ()) for iri in concepts))
        qualifiers = {iri for at in found for iri in self.index.schema[at].qualifiers}
        places = (self._places.get((Kind.QUALIFIER, iri)) for iri in qualifiers)
        return found | {place for place in places if place is not None}

    @cached_property
    def _likeness(self) -> Likeness:
        return Likeness(self.index)

    @cached_property
    def _places(self) -> dict[tuple[Kind, str], int]:
        return {(item.kind, item.iri): place for place, item in enumerate(self.index.schema)}

    @cached_property
    def _of_kind(self) -> dict[Kind, list[int]]:
        return {
            kind: [at for at, item in enumerate(self.index.schema) if item.kind == kind]
            for kind in SCHEMA_KINDS
        }

    @cached_property
    def _ends(self) -> dict[str, frozenset[int]]:
        """For each concept the relations and attributes on whose facts its members are seen."""
        found: defaultdict[str, set[int]] = defaultdict(set)
        for position, item in enumerate(self.index.schema):
            for iri, _ in (*item.domains, *item.ranges):
                found[iri].add(position)
        return {iri: frozenset(places) for iri, places in found.items()}


def _names_of(fact: Fact, kind: Kind) -> tuple[str, ...]:
    """The names of a kind that a fact states."""
    if kind == Kind.QUALIFIER:
        return (fact.qualifier,) if fact.qualifier else ()
    stated = (fact.about_kind, fact.about), (fact.kind, fact.label)
    return tuple(label for one, label in stated if one == kind)


def _labels(labels: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(labels))


def _types(items: Iterable[SchemaItem]) -> dict[str, tuple[ValueType, ...]]:
    """The types of the values under each name, the commonest first."""
    found: dict[str, tuple[ValueType, ...]] = {}
    for item in items:
        found[item.label] = tuple(dict.fromkeys((*found.get(item.label, ()), *item.value_types)))
    return found


def _units(items: Iterable[SchemaItem]) -> dict[str, tuple[str, ...]]:
    """The units under each name that has some, the commonest first."""
    found: dict[str, tuple[str, ...]] = {}
    for item in items:
        if item.units:
            found[item.label] = tuple(dict.fromkeys((*found.get(item.label, ()), *item.units)))
    return found
