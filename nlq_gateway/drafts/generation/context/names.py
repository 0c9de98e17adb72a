"""The names that a constrained model may write: the whole schema if it is small, else the likeliest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from compilers.kopl.functions import SCHEMA_KINDS, Kind, ValueType
from nlq_gateway.core.types import Links, SchemaItem
from nlq_gateway.drafts.generation.context.entities import entities_of
from nlq_gateway.drafts.generation.context.facts import Finder, surest
from nlq_gateway.drafts.generation.context.likeness import Likeness
from nlq_gateway.drafts.generation.context.phrases import QuestionPhrase, phrases_of
from nlq_gateway.drafts.generation.context.schema import IndexSchema
from nlq_gateway.drafts.generation.context.values import stated_in
from nlq_gateway.drafts.generation.known import AllowedNames, Fact

LIMIT = 60
# The commonest of each kind are always allowed: "who" means the class of people.
COMMONEST = 8
# Added to the cosine of items that a named entity has, and of those seen on its class.
_LEADING, _SEEN = 0.3, 0.15
# For a kind with more items than can be compared at once, the number of items next to each phrase.
_MANY, _NEAREST = 4_096, 20

_Weights = Mapping[int, float]


@dataclass(frozen=True)
class NameFinder(Finder):
    """Finds the names over one graph."""

    def names(self, links: Links, facts: Sequence[Fact] = (), *, limit: int = LIMIT) -> AllowedNames:
        """The names allowed for a linked question, at most `limit` of each kind of the schema.

        Names that several things share are stated once. Names in the question and in facts come first, then
        the commonest, then items of its entities and items similar to its words. Raises the errors of
        `around`.
        """
        chosen = _Choice(self._schema, self._likeness, links, self._weights(links), limit)
        items = {kind: chosen.of(kind, facts) for kind in SCHEMA_KINDS}
        stated = stated_in(links, self.index.units)
        return AllowedNames(
            entities_of(self.index, links),
            tuple(dict.fromkeys(item.label for item in items[Kind.CONCEPT])),
            tuple(dict.fromkeys(item.label for item in items[Kind.RELATION])),
            _types(items[Kind.ATTRIBUTE]),
            _types(items[Kind.QUALIFIER]),
            _units(items[Kind.ATTRIBUTE]),
            stated.strings,
            stated.quantities,
            stated.years,
            stated.dates,
        )

    def _weights(self, links: Links) -> _Weights:
        """The weights of items that the graph has on the entities and classes that the question names."""
        hits = [hit for mention in links.mentions for hit in surest(mention)]
        entities = [hit.iri for hit in hits if hit.kind == Kind.ENTITY]
        named = {hit.iri for hit in hits if hit.kind == Kind.CONCEPT}
        known = self.index.entities(entities).values()
        concepts = named.union(*(entity.concepts for entity in known))
        seen = {position for iri in concepts for position, _ in self._schema.ways_of(iri)}
        leads = {at for iri in entities for at, _ in self._schema.ways_from(self.around, iri)}
        beside = frozenset(at for iri in named for at in self._schema.beside(iri))
        weights = dict.fromkeys(seen | self._schema.qualifiers(seen) | beside, _SEEN)
        return weights | dict.fromkeys(leads | self._schema.qualifiers(leads), _LEADING)


class _Choice:
    """The choice of schema items for one question."""

    def __init__(
        self, schema: IndexSchema, likeness: Likeness, links: Links, weights: _Weights, limit: int
    ) -> None:
        self._schema = schema
        self._likeness = likeness
        self._links = links
        self._weights = weights
        self._limit = limit
        phrases = phrases_of(links, likeness.longest)
        self._phrases = (*phrases, QuestionPhrase(0, 0, links.question.text))

    def of(self, kind: Kind, facts: Sequence[Fact]) -> list[SchemaItem]:
        """The items of a kind under at most `limit` labels; all of them, the most used first, if few."""
        positions = self._schema.of_kind[kind]
        if len({self._schema[at].label for at in positions}) <= self._limit:
            return [self._schema[at] for at in positions]
        linked = (hit.label for one in self._links.mentions for hit in one.hits if hit.kind == kind)
        stated = dict.fromkeys((*linked, *(label for fact in facts for label in _names_of(fact, kind))))
        order = {label: number for number, label in enumerate(stated)}
        first = sorted(
            (at for at in positions if self._schema[at].label in order),
            key=lambda at: order[self._schema[at].label],
        )
        return self._cut((*first, *positions[:COMMONEST], *self._likeliest(kind)))

    def _cut(self, positions: Iterable[int]) -> list[SchemaItem]:
        """The items at these positions, each once, up to the limit of labels."""
        labels: set[str] = set()
        found = []
        for item in (self._schema[at] for at in dict.fromkeys(positions)):
            labels.add(item.label)
            if len(labels) > self._limit:
                break
            found.append(item)
        return found

    def _likeliest(self, kind: Kind) -> list[int]:
        """The positions of a kind, those most similar to the question or some of its phrases first."""
        positions = self._compared(kind)
        language = self._links.question.language
        scores = self._likeness.scores(self._phrases, positions, language).max(axis=0)
        scores += np.array([self._weights.get(at, 0.0) for at in positions], np.float32)
        return [positions[at] for at in np.argsort(-scores, kind="stable")]

    def _compared(self, kind: Kind) -> Sequence[int]:
        """All positions of a kind; of very many, those next to some phrase or to a named entity."""
        positions = self._schema.of_kind[kind]
        if len(positions) <= _MANY:
            return positions
        texts = [phrase.text for phrase in self._phrases]
        hits = (hit for found in self._schema.index.nearest(kind, texts, _NEAREST) for hit in found)
        near = {self._schema.index.positions[kind, hit.iri] for hit in hits}
        return sorted(near | {at for at in self._weights if self._schema[at].kind == kind})


def _names_of(fact: Fact, kind: Kind) -> tuple[str, ...]:
    """The names of a kind in a fact."""
    if kind == Kind.QUALIFIER:
        return (fact.qualifier,) if fact.qualifier else ()
    stated = (fact.about_kind, fact.about), (fact.kind, fact.label)
    return tuple(label for one, label in stated if one == kind)


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
