"""The values that sort things, by the letters that they begin with: a case is of gold, one is OutOfStock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from nlq_gateway.core.types import Partition
from nlq_gateway.index.text import fold, humanise

BEGINNING = 3


@dataclass(frozen=True, slots=True)
class Category:
    """A value of some attributes with few values, and the words that say it, in lower case."""

    said: str
    value: str
    attributes: frozenset[str]


def categories_by_beginning(partitions: Iterable[Partition]) -> Mapping[str, Sequence[Category]]:
    """The values of attributes with few of them, by the first letters of what says them."""
    found: dict[tuple[str, str], frozenset[str]] = {}
    for said, value, iri in _values(partitions):
        if len(said) >= BEGINNING and said.replace(" ", "").isalpha():
            found[said, value] = found.get((said, value), frozenset()) | {iri}
    ordered = (Category(said, value, found[said, value]) for said, value in sorted(found))
    return {begun: tuple(some) for begun, some in groupby(ordered, key=lambda one: one.said[:BEGINNING])}


def _values(partitions: Iterable[Partition]) -> Iterator[tuple[str, str, str]]:
    """Values as words: "OutOfStock", and "EventCancelled" without the word that all of them begin with."""
    for one in partitions:
        words = [fold(humanise(value)) for value in one.values] if one.complete and not one.target else []
        firsts = {said.partition(" ")[0] for said in words if " " in said}
        shared = f"{firsts.pop()} " if len(firsts) == 1 and len(words) > 1 else ""
        for said, value in zip(words, one.values, strict=bool(words)):
            yield said, value, one.iri
            if shared and all(text.startswith(shared) for text in words):
                yield said.removeprefix(shared), value, one.iri
