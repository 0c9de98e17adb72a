"""Words that say a value in another way: "golden" cases are of gold, "out of stock" is OutOfStock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nlq_gateway.core.types import TextHit
from nlq_gateway.index import Index
from nlq_gateway.index.categories import BEGINNING, Category
from nlq_gateway.index.text import fold
from nlq_gateway.language.lexicon import said_of

# Words of one stem have so many letters in common at their beginning, or all of the shorter one.
_COMMON = 5
# The least cosine of their meanings: of 17 such pairs 16 have more, of words that only begin alike few.
_ALIKE = 0.6
_SCORE = 0.75


def properties(index: Index) -> tuple[Category, ...]:
    """What says that an attribute is true of things: "furnished" of "is furnished"."""
    said = ((fold(said_of(item.label)[1]), item) for item in index.flags)
    return tuple(
        Category(text, item.truths[0], frozenset({item.iri})) for text, item in said if item.truths and text
    )


def kindred_values(words: str, index: Index, others: Sequence[Category]) -> Iterator[TextHit]:
    """The values of attributes with few of them, or others, that words say, or that a word is made like."""
    said = fold(words)
    known = (*index.categories.get(said[:BEGINNING], ()), *others)
    same = [one for one in known if one.said == said != fold(one.value)]
    near = [one for one in known if said.isalpha() and one.said.isalpha() and _begin_alike(said, one.said)]
    if near and not same:
        vector, *vectors = index.encode([said, *(one.said for one in near)])
        pairs = zip(near, vectors, strict=True)
        same = [one for one, other in pairs if float(vector @ other) >= _ALIKE]
    yield from (TextHit(one.value, one.attributes, _SCORE, "derived") for one in same)


def _begin_alike(one: str, other: str) -> bool:
    shared = min(_COMMON, len(one), len(other))
    return shared >= BEGINNING and one[:shared] == other[:shared]
