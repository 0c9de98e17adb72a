"""The choice among several things of one name, by their kinds, relations and neighbours."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import EntityItem, Hit, Mention, SchemaItem
from nlq_gateway.core.words import STOP_WORDS, Token
from nlq_gateway.index import Index
from nlq_gateway.index.text import ENGLISH, fold, stem

# Additions to the score of a name, of which an alias has 0.1 less than a label. A neighbour or a kind
# said with the name outweighs that, other hints do not; the number of facts only orders equal ones.
BESIDE = 0.2  # its kind stands beside the name: "the river Amazon"
LINKED = 0.15  # it has a fact with another thing in the question: "Springfield in Illinois"
SUITS = 0.08  # it is of the kind that a relation in the question has at an end: "did Paris direct"
NAMED = 0.04  # its kind stands somewhere in the question
DEGREE = 0.002  # for each power of ten of its facts

_NEXT_TO = 2
_READINGS = 10

Linked = Callable[[Sequence[str], Sequence[str]], Set[str]]
"""Returns those of the first things that have a fact with one of the second; raises EndpointError."""


@dataclass(frozen=True)
class Context:
    """The context of one question's names; `linked` asks the store, None without a store."""

    index: Index
    tokens: Sequence[Token]
    mentions: Sequence[Mention]
    linked: Linked | None = None
    language: str = ENGLISH

    def ordered(self, mention: Mention) -> Mention:
        """The mention with its readings in the order of name and context; their scores stay the name's."""
        entities = [hit.iri for hit in mention.hits if hit.kind == Kind.ENTITY][:_READINGS]
        if len(entities) < 2 or mention.kind != Kind.ENTITY:
            return mention
        known = self.index.entities(entities)
        near = self._linked_with_others(mention, entities)
        rewards = {iri: self._reward(mention, known[iri], iri in near) for iri in entities if iri in known}
        order = {id(hit): at for at, hit in enumerate(mention.hits)}

        def key(hit: Hit) -> tuple[float, int]:
            return -(hit.score + rewards.get(hit.iri, 0.0)), order[id(hit)]

        return Mention(mention.start, mention.end, mention.text, tuple(sorted(mention.hits, key=key)))

    def _reward(self, mention: Mention, entity: EntityItem, linked: bool) -> float:
        kinds = {above for iri in entity.concepts for above in (iri, *self.index.ancestors(iri))}
        return (
            BESIDE * (not kinds.isdisjoint(self._kinds(mention, beside=True)))
            + NAMED * (not kinds.isdisjoint(self._kinds(mention, beside=False)))
            + LINKED * linked
            + SUITS * max((_share(item, kinds) for item in self._spoken), default=0.0)
            + DEGREE * math.log10(1 + entity.degree)
        )

    def _kinds(self, mention: Mention, *, beside: bool) -> set[str]:
        """The concepts that the question names, all or those right before or behind a name."""
        return {
            hit.iri
            for one in self.mentions
            if one.kind == Kind.CONCEPT and (not beside or _gap(one, mention) <= _NEXT_TO)
            for hit in one.hits
        }

    def _linked_with_others(self, mention: Mention, entities: Sequence[str]) -> Set[str]:
        others = [
            hit.iri
            for one in self.mentions
            if one.kind == Kind.ENTITY and (one.end <= mention.start or one.start >= mention.end)
            for hit in one.hits
            if hit.kind == Kind.ENTITY
        ]
        if self.linked is None or not others:
            return frozenset()
        return self.linked(entities, others[:_READINGS])

    @cached_property
    def _spoken(self) -> Sequence[SchemaItem]:
        """The relations and attributes all of whose words, but the common ones, are in the question."""
        words = {part for token in self.tokens for part in stem(fold(token.text), self.language).split()}
        found = {
            position
            for position, text in self.index.schema_texts
            if (own := _rare(text, self.language))
            and own <= words
            and self.index.schema[position].kind != Kind.CONCEPT
        }
        return [self.index.schema[position] for position in sorted(found)]


def _rare(text: str, language: str) -> Set[str]:
    words = (word for word in fold(text).split() if word not in STOP_WORDS)
    return {part for word in words for part in stem(word, language).split()}


def _share(item: SchemaItem, kinds: Set[str]) -> float:
    """The greater share of its facts that have a member of one of the kinds at one end."""
    ends: Iterable[Sequence[tuple[str, int]]] = (item.domains, item.ranges)
    counts = (count for end in ends for iri, count in end if iri in kinds)
    return min(1.0, max(counts, default=0) / max(item.count, 1))


def _gap(one: Mention, other: Mention) -> int:
    gap = max(one.start - other.end, other.start - one.end)
    return gap if gap >= 0 else _NEXT_TO + 1
