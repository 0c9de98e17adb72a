"""Entities that a text may name in part, misspelt, or by some of its words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nlq_gateway.index import search
from nlq_gateway.index.names.protocol import EntityNames, NamedEntity
from nlq_gateway.index.text import fold


@dataclass(frozen=True, slots=True)
class EntityNameCandidate:
    """A candidate name, and the way it was found."""

    named: NamedEntity
    score: float
    how: str


def candidates(names: EntityNames, text: str, limit: int) -> Iterator[EntityNameCandidate]:
    """Names that begin with, are spelled like, or share words with a text, scored as the schema's are."""
    folded = fold(text)
    if len(folded) < 2:
        return
    for one in names.prefixed(text, limit):
        yield EntityNameCandidate(one, search.prefix_score(folded, one.folded), "prefix")
    near = names.near(text)
    scores = search.fuzzy_scores(folded, near.folded)
    for number, one in near.take(scores).items():
        yield EntityNameCandidate(one, scores[number], "fuzzy")
    for one in names.with_words(text, search.CANDIDATES):
        if score := search.words_score(folded, one.folded):
            yield EntityNameCandidate(one, score, "text")
