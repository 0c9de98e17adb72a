"""The part of a graph's schema nearest to a question."""

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

# A cosine below this is no evidence.
_LEAST = 0.3
# The score of a description with all words of a phrase; a name with them scores 1.
_DESCRIBED = 0.8
_MOST_PHRASES, _LONGEST_PHRASE = 8, 2


@dataclass(frozen=True)
class NearnessFinder:
    """Finds the part of one graph's schema near to a question. Keeps no state of a question."""

    index: Index
    likeness: Likeness

    def near(self, links: Links) -> SchemaRelevance:
        """The classes of a question's names and values, and the similarity of the schema's items to it."""
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
        """Return position -> similarity of the item's names and description to the question's phrases."""
        phrases = [
            *phrases_of(links, _LONGEST_PHRASE)[:_MOST_PHRASES],
            QuestionPhrase(0, 0, links.question.text),
        ]
        scores = self.likeness.of_all(phrases).max(axis=0)
        for phrase in phrases:
            for at, share in self.index.descriptions.like(phrase.text).items():
                scores[at] = max(scores[at], _DESCRIBED * share)
        return {int(at): float(scores[at]) for at in np.flatnonzero(scores >= _LEAST)}
