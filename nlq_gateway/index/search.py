"""How names that were found are scored and ordered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

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
SAME_WORDS = 100
_PART = 0.6
_INNER_PART = 0.5
_OF = frozenset({"of", "in", "at", "for", "from", "on"})
_MORE_WORDS = 3
_LEAST_MISSPELT = 85.0
_LEAST_WORD = 70.0
_LEAST_PART = 5
_OF_A_PART = 0.85


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
    yield from _spelled_like(database, folded, kinds)
    words = set(stem(folded).split())
    for row in database.with_words(kinds, folded.split(), _CANDIDATES):
        others = set(stem(row.folded).split())
        if shared := words & others:
            yield Candidate(row, _BEST_TEXT * 2 * len(shared) / (len(words) + len(others)), "text")


def _spelled_like(database: Database, folded: str, kinds: Sequence[Kind]) -> Iterator[Candidate]:
    near = database.with_trigrams(kinds, trigrams_of(folded))
    ratios: dict[int, float] = {}
    for scorer in (fuzz.ratio, fuzz.token_sort_ratio):
        found = process.extract(folded, near, scorer=scorer, limit=_CANDIDATES, score_cutoff=_LEAST_FUZZY)
        for _, ratio, number in found:
            ratios[number] = max(ratio, ratios.get(number, 0.0))
    for number, row in database.names(ratios).items():
        if _words_alike(folded, row.folded):
            yield Candidate(row, _BEST_FUZZY * ratios[number] / 100, "fuzzy")


def part_score(folded: str, name: str) -> float:
    """How sure a part of a name means its bearer: more at either end than inside, not at all scattered.

    What a preposition leads to is inside: Paris is not called the University of Paris.
    """
    more = name.count(" ") - folded.count(" ")
    before, found, after = f" {name} ".partition(f" {folded} ")
    if not 0 < more <= _MORE_WORDS or not found:
        return 0.0
    led_to = before.rpartition(" ")[2] in _OF
    return _INNER_PART if led_to or (before and after) else _PART


def spelled_like(texts: Iterable[str], near: Mapping[int, str]) -> dict[str, dict[int, float]]:
    """The numbers of the names that folded texts are misspelt for, with scores: as a whole, else a part."""
    found = {text: _like_whole(text, near) or _like_part(text, near) for text in texts}
    return {text: numbers for text, numbers in found.items() if numbers}


def _like_whole(text: str, near: Mapping[int, str]) -> dict[int, float]:
    found = process.extract(text, near, scorer=fuzz.ratio, limit=_CANDIDATES, score_cutoff=_LEAST_MISSPELT)
    return {number: _BEST_FUZZY * ratio / 100 for name, ratio, number in found if _words_alike(text, name)}


def _words_alike(text: str, name: str) -> bool:
    """Whether each word is like some other: a misspelling does not make one surname of another."""
    words, others = text.split(), name.split()
    if len(words) != len(others):
        return True
    return all(max(fuzz.ratio(word, other) for other in others) >= _LEAST_WORD for word in words)


def _like_part(text: str, near: Mapping[int, str]) -> dict[int, float]:
    """Names of a few words that begin or end with a word like this one."""
    if " " in text or len(text) < _LEAST_PART:
        return {}
    found: dict[int, float] = {}
    for number, name in near.items():
        words = name.split()
        if 1 < len(words) <= _MORE_WORDS:
            ratio = max(
                fuzz.ratio(text, word, score_cutoff=_LEAST_MISSPELT) for word in {words[0], words[-1]}
            )
            if ratio > 0:
                found[number] = _OF_A_PART * _BEST_FUZZY * ratio / 100
    return found


def trigrams_of(folded: str) -> list[str]:
    """The stretches of three letters."""
    return [folded[at : at + 3] for at in range(len(folded) - 2)]
