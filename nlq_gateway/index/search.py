"""How names that were found are scored and ordered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from compilers.kopl.functions import Kind
from nlq_gateway.index.database import Database, NameRow
from nlq_gateway.index.text import stem
from nlq_gateway.types import Hit, TextHit

SCORES = {"exact": 1.0, "folded": 0.95, "alias": 0.9, "stem": 0.85}

_BEST_PREFIX = 0.8
_BEST_FUZZY = 0.8
_BEST_TEXT = 0.7
_LEAST_FUZZY = 60.0
_CANDIDATES = 100


@dataclass(frozen=True, slots=True)
class Match:
    """A hit with the number of facts that orders hits of one score."""

    hit: Hit
    weight: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A name that may be meant, and how it was found."""

    row: NameRow
    score: float
    how: str


def how_named(text: str, name: str, is_alias: bool) -> str:
    """How a text stands to a name with the same folded form."""
    if is_alias:
        return "alias"
    return "exact" if text == name else "folded"


def text_hits(text: str, held: Mapping[str, Iterable[str]]) -> list[TextHit]:
    """The strings with the same folded form as a text, each with its predicates, those as written first."""
    hits = []
    for value, predicates in held.items():
        how = how_named(text, value, is_alias=False)
        hits.append(TextHit(value, frozenset(predicates), SCORES[how], how))
    return sorted(hits, key=lambda hit: (-hit.score, -len(hit.predicates), hit.value))


def ranked(matches: Iterable[Match]) -> tuple[Hit, ...]:
    """The best hit of each item: by score, then the most facts, then kind and IRI."""
    best: dict[tuple[Kind, str], Match] = {}
    for match in matches:
        key = (match.hit.kind, match.hit.iri)
        if key not in best or match.hit.score > best[key].hit.score:
            best[key] = match
    order = sorted(best.values(), key=lambda one: (-one.hit.score, -one.weight, one.hit.kind, one.hit.iri))
    return tuple(match.hit for match in order)


def candidates(database: Database, folded: str, kinds: Sequence[Kind], limit: int) -> Iterator[Candidate]:
    """Names that begin with, are spelled like, or share words with a folded text.

    Scores: a beginning by how much of the name it is; spelling by the similarity of rapidfuzz (words
    in any order); words by the share that both have, among the best by BM25.
    """
    if len(folded) < 2:
        return
    for kind in kinds:
        for row in database.prefixed(kind, folded, limit):
            yield Candidate(row, _BEST_PREFIX * (0.5 + 0.5 * len(folded) / len(row.folded)), "prefix")
    trigrams = [folded[at : at + 3] for at in range(len(folded) - 2)]
    for row in database.with_trigrams(kinds, trigrams, _CANDIDATES):
        ratio = max(fuzz.ratio(folded, row.folded), fuzz.token_sort_ratio(folded, row.folded))
        if ratio >= _LEAST_FUZZY:
            yield Candidate(row, _BEST_FUZZY * ratio / 100, "fuzzy")
    words = set(stem(folded).split())
    for row in database.with_words(kinds, folded.split(), _CANDIDATES):
        others = set(stem(row.folded).split())
        if shared := words & others:
            yield Candidate(row, _BEST_TEXT * 2 * len(shared) / (len(words) + len(others)), "text")
