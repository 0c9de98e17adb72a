"""Names of the graph for a name that it lacks: the nearest of the right kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from itertools import islice

from rapidfuzz import fuzz

from compilers.kopl.functions import SCHEMA_KINDS, Kind
from nlq_gateway.core.types import Hit, Links
from nlq_gateway.index import Index
from nlq_gateway.index.text import fold, stem

RETRIEVED = 10
_NEAR_MENTION = 0.75
_SEARCHED = 100
# Some entity is always near by its vector: names of people and places mean nothing.
_MEANT = 0.5
_SHARED_WORDS = 0.9
_ORDERED = 0.5
_SHOWN = 2


@dataclass(frozen=True, slots=True)
class GroundingCandidate:
    """A candidate that a name may stand for.

    `spelled` is how like the name's letters are, `score` how near it is by spelling, words and meaning, both
    in [0, 1]; `overlap` is the Jaccard similarity of the words (PER-KBQA, section 3.2). `about` tells what it
    is: an entity's classes, what has an attribute and in what type, what a relation leads from and to.
    """

    iris: tuple[str, ...]
    label: str
    spelled: float
    score: float
    overlap: float = 0.0
    about: str = ""

    @property
    def order(self) -> float:
        """The number by which candidates are ordered, largest for the nearest."""
        return self.score + _ORDERED * self.overlap


def linked(links: Links, kind: Kind, name: str) -> tuple[str, ...]:
    """The IRIs that linking gave to a mention by this name, of those with the best score."""
    folded = fold(name)
    for mention in links.mentions:
        hits = [hit for hit in mention.hits if hit.kind == kind]
        named = [hit for hit in hits if folded in (fold(hit.label), fold(hit.matched))]
        if named:
            return tuple(dict.fromkeys(hit.iri for hit in named if hit.score == named[0].score))
    return ()


def near_mentions(links: Links, kind: Kind, name: str) -> tuple[GroundingCandidate, ...]:
    """The question's mentions with a name of nearly the same spelling, best first."""
    folded = fold(name)
    found = []
    for mention in (*links.mentions, *links.others):
        for hit in (hit for hit in mention.hits if hit.kind == kind):
            spelled = max(_spelled(folded, fold(text)) for text in (hit.label, hit.matched, mention.text))
            if spelled >= _NEAR_MENTION:
                found.append(GroundingCandidate((hit.iri,), hit.label, spelled, spelled, 1.0))
    return _best(found)


def candidates(
    index: Index, kind: Kind, name: str, allowed: Set[str] | None = None
) -> tuple[GroundingCandidate, ...]:
    """The nearest of a kind, best first, at most `RETRIEVED`; only those of `allowed` where it is given."""
    if not fold(name):
        return ()
    meant = {hit.iri: hit for hit in index.nearest(kind, [name], _SEARCHED if allowed else RETRIEVED)[0]}
    searched = {hit.iri: hit for hit in index.search(name, (kind,), _SEARCHED if allowed else RETRIEVED)}
    iris = dict.fromkeys((*searched, *meant)) if allowed is None else sorted(allowed)
    found = (_candidate(index, kind, name, iri, searched.get(iri), meant.get(iri)) for iri in iris)
    return _best(one for one in found if one is not None)[:RETRIEVED]


def described(
    index: Index, kind: Kind, found: Iterable[GroundingCandidate]
) -> tuple[GroundingCandidate, ...]:
    """The candidates with what they are, for a model to read."""
    return tuple(replace(one, about=_about(index, kind, one.iris[0])) for one in found)


def _about(index: Index, kind: Kind, iri: str) -> str:
    if kind == Kind.ENTITY:
        entity = index.entity(iri)
        return _labels(index, entity.concepts if entity is not None else ())
    item = index.item(kind, iri)
    if item is None:
        return ""
    of = _labels(index, (concept for concept, _ in item.domains))
    if kind == Kind.CONCEPT:
        return f"{item.count:,} members"
    if kind == Kind.RELATION:
        return f"{of or '?'} → {_labels(index, (concept for concept, _ in item.ranges)) or '?'}"
    return " of ".join(filter(None, (" or ".join(item.value_types), of)))


def _labels(index: Index, concepts: Iterable[str]) -> str:
    """The first labels of some classes."""
    found = (index.kind(iri) for iri in islice(concepts, _SHOWN))
    return ", ".join(item.kind_name for item in found if item is not None)


def _candidate(
    index: Index, kind: Kind, name: str, iri: str, searched: Hit | None, meant: Hit | None
) -> GroundingCandidate | None:
    names = _names(index, kind, iri, searched or meant)
    if not names or (kind == Kind.ENTITY and searched is None and (meant is None or meant.score < _MEANT)):
        return None
    folded = fold(name)
    spelled = max(_spelled(folded, fold(one)) for one in names)
    overlap = max(_overlap(folded, fold(one)) for one in names)
    cosine = meant.score if meant is not None and kind in SCHEMA_KINDS else 0.0
    score = max(cosine, overlap if kind in SCHEMA_KINDS else 0.0, searched.score if searched else 0.0)
    return GroundingCandidate((iri,), names[0], spelled, score, overlap)


def _names(index: Index, kind: Kind, iri: str, hit: Hit | None) -> tuple[str, ...]:
    item = index.item(kind, iri)
    if item is not None:
        return (item.label, *item.aliases)
    return (hit.label, hit.matched) if hit is not None else ()


def _spelled(text: str, name: str) -> float:
    return max(fuzz.ratio(text, name), _SHARED_WORDS * fuzz.token_sort_ratio(text, name)) / 100


def _overlap(text: str, name: str) -> float:
    words, others = {*stem(text).split()}, {*stem(name).split()}
    return len(words & others) / len(words | others) if words | others else 0.0


def _best(found: Iterable[GroundingCandidate]) -> tuple[GroundingCandidate, ...]:
    """Best first; those of one label are one candidate, which stands for all of them."""
    merged: dict[str, GroundingCandidate] = {}
    for one in sorted(found, key=lambda one: (-one.order, one.label, one.iris)):
        first = merged.setdefault(one.label, one)
        if first is not one and first.score == one.score:
            merged[one.label] = replace(first, iris=tuple(dict.fromkeys((*first.iris, *one.iris))))
    return tuple(merged.values())


def together(
    first: Sequence[GroundingCandidate], others: Sequence[GroundingCandidate]
) -> tuple[GroundingCandidate, ...]:
    """Both lists, each label once, at most `RETRIEVED`."""
    labels = {one.label for one in first}
    return (*first, *(one for one in others if one.label not in labels))[:RETRIEVED]
