"""Facts for a question: relations and attributes of its entities that its words speak of.

CodeAlignKGQA (section 3.2, appendix A.2): linked entities and concepts are masked, the remaining phrases are
compared with the predicates of their facts, and the similar ones are kept.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import FactsAround, Hit, Links, Mention, SchemaItem, TextHit
from nlq_gateway.drafts.generation.context.likeness import Likeness
from nlq_gateway.drafts.generation.context.phrases import phrases_of
from nlq_gateway.drafts.generation.context.schema import IndexSchema
from nlq_gateway.drafts.generation.known import Fact
from nlq_gateway.index import Index

THRESHOLD = 0.7
MOST_FACTS = 16
MOST_BEARERS = 4
AS_WRITTEN = ("exact", "folded")


@dataclass(frozen=True, slots=True)
class Lead:
    """The schema item at a position, which leads from (forward) or to (backward) the bearer of a label."""

    about: str
    about_kind: Kind
    position: int
    direction: str


@dataclass(frozen=True)
class Finder:
    """An index with its look-ups, made on first use, and the queries for facts to the store.

    Keeps no state of a question: safe to share between threads.
    """

    index: Index
    around: FactsAround

    @cached_property
    def _schema(self) -> IndexSchema:
        return IndexSchema(self.index)

    @cached_property
    def _likeness(self) -> Likeness:
        return Likeness(self.index)


@dataclass(frozen=True)
class FactFinder(Finder):
    """Finds facts over one graph."""

    def facts(self, links: Links, threshold: float = THRESHOLD) -> tuple[Fact, ...]:
        """The facts for a linked question, best first, at most `MOST_FACTS`; raises errors of `around`."""
        leads: defaultdict[int, list[Lead]] = defaultdict(list)
        for lead in self._leads(links):
            if lead not in leads[lead.position]:
                leads[lead.position].append(lead)
        phrases = phrases_of(links, self._likeness.longest)
        positions = (*leads, *sorted(self._schema.qualifiers(leads)))
        spoken = self._likeness.spoken(phrases, positions, links.question.language, threshold)
        scores = {one.position: one.score for one in spoken}
        found = [
            fact
            for one in spoken
            for lead in leads.get(one.position, ())
            for fact in self._stated(lead, one.score, scores)
        ]
        return tuple(sorted(dict.fromkeys(found), key=_order)[:MOST_FACTS])

    def _leads(self, links: Links) -> Iterator[Lead]:
        hits = [hit for mention in links.mentions for hit in surest(mention)]
        for hit in hits:
            if hit.kind == Kind.ENTITY:
                yield from self._from_entity(hit)
            elif hit.kind == Kind.CONCEPT:
                yield from self._from_concept(hit)
        if all(hit.kind != Kind.ENTITY for hit in hits):
            # The class with a string as a value stands for the unnamed entity.
            for text in links.texts:
                if text.hits[0].how in AS_WRITTEN:
                    yield from self._from_text(text.hits[0])

    def _from_text(self, hit: TextHit) -> Iterator[Lead]:
        """The leads from the commonest class that has a string as a value."""
        for iri in sorted(hit.predicates)[:MOST_BEARERS]:
            item = self.index.item(Kind.ATTRIBUTE, iri)
            holder = self.index.item(Kind.CONCEPT, item.domains[0][0]) if item and item.domains else None
            if holder is not None:
                yield from self._from_concept(holder)

    def _from_entity(self, hit: Hit) -> Iterator[Lead]:
        for position, direction in self._schema.ways_from(self.around, hit.iri):
            yield Lead(hit.label, hit.kind, position, direction)

    def _from_concept(self, hit: Hit | SchemaItem) -> Iterator[Lead]:
        for position, direction in self._schema.ways_of(hit.iri):
            yield Lead(hit.label, hit.kind, position, direction)

    def _stated(self, lead: Lead, score: float, scores: dict[int, float]) -> Iterator[Fact]:
        """The fact, once for each qualifier of such facts that the question speaks of, else alone."""
        item = self._schema[lead.position]
        direction = lead.direction if item.kind == Kind.RELATION else ""
        plain = Fact(lead.about, lead.about_kind, item.kind, item.label, item.iri, direction, score=score)
        places = sorted(self._schema.qualifiers((lead.position,)) & scores.keys())
        for label in [self._schema[place].label for place in places] or [""]:
            yield replace(plain, qualifier=label)


def surest(mention: Mention) -> tuple[Hit, ...]:
    """The readings of a mention with the best score, at most `MOST_BEARERS`."""
    best = mention.hits[0].score
    return tuple(hit for hit in mention.hits if hit.score >= best)[:MOST_BEARERS]


def _order(fact: Fact) -> tuple[object, ...]:
    return (-fact.score, fact.about_kind != Kind.ENTITY, fact.about, fact.kind, fact.label, fact.iri,
            fact.direction, fact.qualifier)  # fmt: skip
