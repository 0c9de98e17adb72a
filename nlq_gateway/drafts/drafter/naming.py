"""Stretches of a drafted program as names in the graph: entities by mentions, strings as stored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import Hit, Links, Mention, TextMention
from nlq_gateway.index import Index

CLOSE, _BEARERS = 0.6, 5
# The least score of a misspelt name (nlq_gateway/index/search.py); linking has looked for the others.
_SPELLED = 0.68
_TIED = 0.02
_LEAST_OVERLAP = 0.5
_PARTS, _LEAST_COVERED = 2, 0.8

Characters = tuple[int, int]


@dataclass(frozen=True, slots=True)
class MentionLookup:
    """Looks up stretches of one question."""

    links: Links
    index: Index

    def bearers(self, place: Characters) -> tuple[str, tuple[Hit, ...]]:
        """The words with a name at a stretch of the question, and all its equally good bearers.

        KoPL's Find takes all bearers, among which later steps select; a concept is taken if no entity has the
        name. Names that linking did not find must be close.
        """
        mention = self._linked(place)
        words = self.links.question.text[place[0] : place[1]]
        if mention is not None:
            words, hits = mention.text, mention.hits
        else:
            found = self.index.search(words, (Kind.ENTITY,), _BEARERS)
            hits = tuple(hit for hit in found if hit.score >= _SPELLED)
        hits = tuple(hit for hit in hits if hit.score >= CLOSE)
        entities = tuple(hit for hit in hits if hit.kind == Kind.ENTITY) or hits
        return words, tuple(hit for hit in entities if hit.score >= entities[0].score - _TIED)

    def linked_iris(self, place: Characters) -> Iterable[str]:
        """The entities that linking found for a stretch of the question, all of one name."""
        mention = self._linked(place)
        return (hit.iri for hit in mention.hits if hit.kind == Kind.ENTITY) if mention else ()

    def string(self, place: Characters, words: str, predicate: str | None) -> str | None:
        """The string of the graph for a stretch, or the words; None if they are certainly no value.

        The value of a qualifier that leads to things is the label of one.
        """
        qualifier = self.index.item(Kind.QUALIFIER, predicate) if predicate else None
        if qualifier is not None and qualifier.ranges and not qualifier.value_types:
            return next((hit.label for hit in self.bearers(place)[1]), None)
        for mention in self.links.texts:
            if _overlap((mention.start, mention.end), place) > _LEAST_OVERLAP:
                for hit in mention.hits:
                    if predicate is None or predicate in hit.predicates:
                        return hit.value
        known = self.index.texts.equal_to([words]).get(words, ())
        held = any(predicate in hit.predicates for hit in known)
        return words if held or predicate not in self.index.texts.complete else None

    def stated(self, place: Characters) -> tuple[TextMention, ...]:
        """The strings of the graph that together make up a stretch, such as a first and a last name."""
        inside = [one for one in self.links.texts if place[0] <= one.start and one.end <= place[1]]
        found = tuple(sorted(inside, key=lambda one: one.start))[:_PARTS]
        covered = sum(one.end - one.start for one in found) / max(place[1] - place[0], 1)
        return found if covered > _LEAST_COVERED else ()

    def _linked(self, place: Characters) -> Mention | None:
        """The linked mention that overlaps this stretch the most."""
        mentions = (*self.links.mentions, *self.links.others)
        near = sorted(mentions, key=lambda one: -_overlap((one.start, one.end), place))
        if near and _overlap((near[0].start, near[0].end), place) > _LEAST_OVERLAP:
            return near[0]
        return None


def _overlap(one: Characters, other: Characters) -> float:
    """The share of the characters of both stretches that they have in common."""
    shared = min(one[1], other[1]) - max(one[0], other[0])
    return max(0, shared) / max(max(one[1], other[1]) - min(one[0], other[0]), 1)
