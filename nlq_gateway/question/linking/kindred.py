"""Words that say a value in another way: "golden" cases are of gold, "out of stock" is OutOfStock."""

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


def kindred_values(words: str, index: Index) -> Iterator[TextHit]:
    """The values of attributes with few of them that words say, or that one word is made like."""
    said = fold(words)
    known = index.categories.get(said[:BEGINNING], ())
    same = [one for one in known if one.said == said != fold(one.value)]
    near = [one for one in known if said.isalpha() and one.said.isalpha() and _begin_alike(said, one.said)]
    if near and not same:
        vector, *others = index.encode([said, *(one.said for one in near)])
        pairs = zip(near, others, strict=True)
        same = [one for one, other in pairs if float(vector @ other) >= _ALIKE]
    yield from (TextHit(one.value, one.attributes, _SCORE, "derived") for one in same)


def _begin_alike(one: str, other: str) -> bool:
    shared = min(_COMMON, len(one), len(other))
    return one[:shared] == other[:shared]
