"""Words made like a value: "golden" cases are of gold, flats "with furniture" are furnished."""

from __future__ import annotations

from collections.abc import Iterator

from nlq_gateway.core.types import TextHit
from nlq_gateway.index import Index
from nlq_gateway.index.categories import BEGINNING
from nlq_gateway.index.text import fold

# Words of one stem have so many letters in common at their beginning, or all of the shorter one.
_COMMON = 5
# The least cosine of their meanings: of 17 such pairs 16 have more, of words that only begin alike few.
_ALIKE = 0.6
_SCORE = 0.75


def kindred_values(word: str, index: Index) -> Iterator[TextHit]:
    """The values of attributes with few of them that a word is made like."""
    said = fold(word)
    near = [one for one in index.categories.get(said[:BEGINNING], ()) if _begin_alike(said, one.said)]
    if near:
        vector, *others = index.encode([said, *(one.said for one in near)])
        for one, other in zip(near, others, strict=True):
            if float(vector @ other) >= _ALIKE:
                yield TextHit(one.value, one.attributes, _SCORE, "derived")


def _begin_alike(one: str, other: str) -> bool:
    shared = min(_COMMON, len(one), len(other))
    return one != other and one[:shared] == other[:shared]
