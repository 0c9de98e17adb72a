"""Scores and order of the names that were found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import Hit
from nlq_gateway.index.text import stem

SCORES = {"exact": 1.0, "folded": 0.95, "alias": 0.9, "stem": 0.85, "initials": 0.7}

_BEST_PREFIX = 0.8
_BEST_FUZZY = 0.8
_BEST_TEXT = 0.7
_LEAST_FUZZY = 60.0
CANDIDATES = 100
SAME_WORDS = 100
_PART = 0.6
_INNER_PART = 0.5
_OF = frozenset({"of", "in", "at", "for", "from", "on"})
_MORE_WORDS = 3
_LEAST_MISSPELT = 85.0
_LEAST_WORD = 70.0
_LEAST_PART = 5
_OF_A_PART = 0.85
_MOST_INITIALS = 3
# The weight of one letter more, less, other, or swapped with its neighbour, against its share of a text.
_ONE_ERROR = 0.75
_WINDOW = 3
NEAR = 3_000
_NEAR_A_WORD = 300


@dataclass(frozen=True, slots=True)
class WeightedHit:
    """A hit with the number of facts that orders hits of one score."""

    hit: Hit
    weight: int


class Folded(Protocol):
    """A name with its folded form."""

    @property
    def folded(self) -> str:
        """The folded form."""


Name = TypeVar("Name", bound=Folded)


@dataclass(frozen=True, slots=True)
class NearNames(Generic[Name]):
    """Folded names by number, to choose among; `take` gives the names with some numbers."""

    folded: Mapping[int, str]
    take: Callable[[Iterable[int]], Mapping[int, Name]]


def how_named(text: str, name: str, is_alias: bool) -> str:
    """The match of a text with a name of the same folded form: alias, exact or folded."""
    if is_alias:
        return "alias"
    return "exact" if text == name else "folded"


def ranked(matches: Iterable[WeightedHit]) -> tuple[Hit, ...]:
    """The best hit of each item: by score, then the most facts, then kind and IRI."""
    best: dict[tuple[Kind, str], WeightedHit] = {}
    for match in matches:
        key = (match.hit.kind, match.hit.iri)
        if key not in best or match.hit.score > best[key].hit.score:
            best[key] = match
    order = sorted(best.values(), key=lambda one: (-one.hit.score, -one.weight, one.hit.kind, one.hit.iri))
    return tuple(match.hit for match in order)


def candidates(
    folded: str, begun: Iterable[Name], near: NearNames[Name], alike: Iterable[Name]
) -> Iterator[tuple[float, str, Name]]:
    """Names that begin with, are spelled like, or share words with a folded text: score, way, name.

    Scores: a beginning by its share of the name; spelling by the similarity of rapidfuzz (words in any
    order); words by the share of common ones.
    """
    for one in begun:
        yield _BEST_PREFIX * (0.5 + 0.5 * len(folded) / len(one.folded)), "prefix", one
    scores = fuzzy_scores(folded, near.folded)
    for number, one in near.take(scores).items():
        yield scores[number], "fuzzy", one
    for one in alike:
        if score := words_score(folded, one.folded):
            yield score, "text", one


def words_score(folded: str, name: str) -> float:
    """A score by the share of common words, without their endings; 0 for none."""
    words, others = set(stem(folded).split()), set(stem(name).split())
    return _BEST_TEXT * 2 * len(words & others) / max(len(words) + len(others), 1)


def fuzzy_scores(folded: str, near: Mapping[int, str]) -> dict[int, float]:
    """Scores by similarity of letters, words in any order; only for names whose words are all alike."""
    ratios = similar(folded, near, _LEAST_FUZZY)
    for _, ratio, number in process.extract(
        folded, near, scorer=fuzz.token_sort_ratio, limit=CANDIDATES, score_cutoff=_LEAST_FUZZY
    ):
        ratios[number] = max(ratio, ratios.get(number, 0.0))
    return _scored(folded, near, ratios)


def _scored(text: str, near: Mapping[int, str], ratios: Mapping[int, float]) -> dict[int, float]:
    """The scores of the names whose words are all like those of the text."""
    return {
        number: _BEST_FUZZY * ratio / 100
        for number, ratio in ratios.items()
        if _words_alike(text, near[number])
    }


def similar(text: str, near: Mapping[int, str], least: float) -> dict[int, float]:
    """The numbers of names spelled like a text, with their similarity in [`least`, 100].

    The better of the share of common letters and of the errors in it; two swapped letters are one error
    (optimal string alignment). Digits are never misspelt: Apollo 11 is not Apollo 13.
    """
    by_letters = process.extract(text, near, scorer=fuzz.ratio, limit=CANDIDATES, score_cutoff=least)
    ratios = {number: ratio for _, ratio, number in by_letters}
    for _, same, number in process.extract(
        text,
        near,
        scorer=OSA.normalized_similarity,
        limit=CANDIDATES,
        score_cutoff=1 - (100 - least) / 100 / _ONE_ERROR,
    ):
        ratios[number] = max(_by_errors(same), ratios.get(number, 0.0))
    digits = _digits(text)
    return {number: ratio for number, ratio in ratios.items() if _digits(near[number]) == digits}


def _by_errors(same: float) -> float:
    return 100 * (1 - _ONE_ERROR * (1 - same))


def _digits(text: str) -> list[str]:
    return [letter for letter in text if letter.isdigit()]


def part_score(folded: str, name: str) -> float:
    """A score for a part of a name: higher at either end than inside, 0 for scattered words.

    The words after a preposition are inside: Paris is not called the University of Paris.
    """
    more = name.count(" ") - folded.count(" ")
    before, found, after = f" {name} ".partition(f" {folded} ")
    if not 0 < more <= _MORE_WORDS or not found:
        return 0.0
    led_to = before.rpartition(" ")[2] in _OF
    return _INNER_PART if led_to or (before and after) else _PART


def is_near(folded: str, name: str, hit: Hit) -> bool:
    """True if the name of a hit may be misspelt by a folded text, or has it as a part."""
    misspelt = hit.how == "fuzzy" and hit.score >= _BEST_FUZZY * _LEAST_MISSPELT / 100
    return misspelt or part_score(folded, name) > 0


def spelled_like(texts: Iterable[str], near: Mapping[int, str]) -> dict[str, dict[int, float]]:
    """The numbers of the names that folded texts may misspell, with scores: as a whole, else in part."""
    found = {
        text: _scored(text, near, similar(text, near, _LEAST_MISSPELT)) or _like_part(text, near)
        for text in texts
    }
    return {text: numbers for text, numbers in found.items() if numbers}


def _words_alike(text: str, name: str) -> bool:
    """True if each word is like some other: a misspelling does not turn one surname into another."""
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
            ratio = max(_ratio(text, word) for word in {words[0], words[-1]})
            if ratio >= _LEAST_MISSPELT:
                found[number] = _OF_A_PART * _BEST_FUZZY * ratio / 100
    return found


def _ratio(text: str, word: str) -> float:
    return max(fuzz.ratio(text, word), _by_errors(OSA.normalized_similarity(text, word)))


def initialled(words: Sequence[str], name: str) -> bool:
    """True if folded words are a name with its first names as initials: `c nolan`, `jrr tolkien`.

    Initials may lack for some of the first names, and the name may have them as initials too.
    """
    *first, last = words
    *given, family = name.split() or [""]
    letters = "".join(first)
    if not given or last != family or len(letters) > len(first) * _MOST_INITIALS:
        return False
    initials = iter(word[0] for word in given)
    return letters[0] == given[0][0] and all(letter in initials for letter in letters)


def near_windows(folded: str, spelled_near: Callable[[str, int], Mapping[int, str]]) -> dict[int, str]:
    """Names that may be spelled like a run of one to three words, by number; fewer for single words."""
    words = folded.split()
    sizes = range(1, _WINDOW + 1)
    windows = (" ".join(words[at : at + size]) for size in sizes for at in range(len(words) - size + 1))
    near: dict[int, str] = {}
    for window in dict.fromkeys(windows):
        near.update(spelled_near(window, NEAR if " " in window else _NEAR_A_WORD))
    return near
