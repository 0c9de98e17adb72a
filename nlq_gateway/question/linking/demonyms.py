"""From an adjective to the place that it is made from: German to Germany, Finnish to Finland.

English makes these words by a few endings; those that follow none are in a table. What comes out is only
a name to look up: the graph decides whether there is such a thing.
"""

from __future__ import annotations

_ENDINGS = ("", "n", "an", "ian", "ese", "ish", "nish", "tish", "ic", "i", "ean", "er")
_REMAINS = ("", "a", "y", "o", "e", "en", "and", "land", "ey", "in", "eland", "ia", "us", "s")
_SHORTEST, _SHORTEST_BARE = 3, 4
_IRREGULAR = {
    "american": ("United States", "USA"),
    "british": ("United Kingdom", "UK", "Great Britain"),
    "danish": ("Denmark",),
    "dutch": ("Netherlands", "The Netherlands", "Holland"),
    "filipino": ("Philippines",),
    "french": ("France",),
    "greek": ("Greece",),
    "norwegian": ("Norway",),
    "peruvian": ("Peru",),
    "swiss": ("Switzerland",),
    "welsh": ("Wales",),
}


def places_of(word: str) -> tuple[str, ...]:
    """The names that an adjective with a capital may be made from, in no order; () for a plain word."""
    if not word[:1].isupper() or not word.isalpha():
        return ()
    if word.lower() in _IRREGULAR:
        return _IRREGULAR[word.lower()]
    roots = {word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending)}
    # "German" is short for "Germany", but "Joe" is not for "Joey".
    long = {root for root in roots if len(root) >= (_SHORTEST_BARE if root == word else _SHORTEST)}
    names = {root + remain for root in long for remain in _REMAINS}
    return tuple(sorted(names - {word}))
