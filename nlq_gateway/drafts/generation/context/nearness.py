"""Which part of a graph's schema is near to a question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import Links
from nlq_gateway.drafts.generation.card import SchemaRelevance
from nlq_gateway.drafts.generation.context.facts import surest
from nlq_gateway.drafts.generation.context.likeness import Likeness
from nlq_gateway.drafts.generation.context.phrases import QuestionPhrase, phrases_of
from nlq_gateway.index import Index

# A cosine below this says nothing.
_LEAST = 0.3
# All words of a phrase in a description count so much; in a name they would count 1.
_DESCRIBED = 0.8
_MOST_PHRASES, _LONGEST_PHRASE = 8, 2


@dataclass(frozen=True)
class NearnessFinder:
    """Finds what is near over one graph. Keeps nothing of a question."""

    index: Index
    likeness: Likeness

    def near(self, links: Links) -> SchemaRelevance:
        """The classes of what a question names or has values of, and how like it the schema's items are."""
        return SchemaRelevance(frozenset(self._linked(links)), self._likeness(links))

    def _linked(self, links: Links) -> Iterator[str]:
        hits = [hit for mention in links.mentions for hit in surest(mention)]
        yield from (hit.iri for hit in hits if hit.kind == Kind.CONCEPT)
        entities = self.index.entities(hit.iri for hit in hits if hit.kind == Kind.ENTITY)
        yield from (concept for entity in entities.values() for concept in entity.concepts)
        for text in links.texts:
            for iri in sorted(text.hits[0].predicates):
                item = self.index.item(Kind.ATTRIBUTE, iri)
                yield from () if item is None else (concept for concept, _ in item.domains[:1])

    def _likeness(self, links: Links) -> dict[int, float]:
        """By position, how like the question or a phrase of it an item's names and description are."""
        phrases = [
            *phrases_of(links, _LONGEST_PHRASE)[:_MOST_PHRASES],
            QuestionPhrase(0, 0, links.question.text),
        ]
        scores = self.likeness.of_all(phrases).max(axis=0)
        for phrase in phrases:
            for at, share in self.index.descriptions.like(phrase.text).items():
                scores[at] = max(scores[at], _DESCRIBED * share)
        return {int(at): float(scores[at]) for at in np.flatnonzero(scores >= _LEAST)}
