"""Places of adjectives: German gives Germany, Finnish gives Finland.

English makes these words by a few endings; those that follow none are in a table. What comes out is only
a name to look up: the graph decides whether there is such a thing.
"""

from __future__ import annotations

from itertools import chain

from nlq_gateway.language.tables import rows, values

_ENDINGS, _REMAINS = (tuple(chain(*values(key))) for key in ("demonym_endings", "demonym_remains"))
_SHORTEST, _SHORTEST_BARE = 3, 4
_IRREGULAR = {word: tuple(names) for word, names in rows("demonyms").items()}


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
