"""Other ways to write a name that people take for the same one: tables, and no knowledge of any graph.

What comes out is only a name to look up, where nothing has the words themselves for one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain

from nlq_gateway.core.words import STOP_WORDS
from nlq_gateway.language.tables import rows, values, words

_NUMERALS = ("", "", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv")
_NUMBERS = {str(number): numeral for number, numeral in enumerate(_NUMERALS) if numeral}
_OTHER_NUMBER = _NUMBERS | {numeral: number for number, numeral in _NUMBERS.items()}
_ARTICLES, _ADDED = words("name_articles"), words("added_articles")
_TITLES, _COMPANIES, _LINKS = words("titles"), words("company_forms"), words("name_links")
_UMLAUTS = tuple(rows("umlauts").items())
# English makes adjectives of places by a few endings; those that follow none are in a table.
_ENDINGS, _REMAINS = (tuple(chain(*values(key))) for key in ("demonym_endings", "demonym_remains"))
_SHORTEST_ROOT, _SHORTEST_BARE = 3, 4
_IRREGULAR = {word: tuple(names) for word, names in rows("demonyms").items()}
_LEAST_GENITIVE = 4
_INITIALS = re.compile(r"[A-Z]{2,3}")

_Words = list[str]


def other_forms(name: str) -> tuple[str, ...]:
    """The name written otherwise, in no order; () where no rule has anything to say."""
    words = [word for word in re.split(r"[\s.,]+", name) if word]
    found = {" ".join(form) for rule in _RULES for form in rule(words)}
    return tuple(sorted(form for form in found if form and form != name))


def without_genitive(name: str) -> str:
    """The name without the ending of `Schillers`, or "" where it has none."""
    return next((" ".join(words) for words in _without_genitive(name.split())), "")


def places_of(word: str) -> tuple[str, ...]:
    """The names of places that an adjective with a capital may be made from: German gives Germany."""
    if not word[:1].isupper() or not word.isalpha():
        return ()
    if word.lower() in _IRREGULAR:
        return _IRREGULAR[word.lower()]
    roots = {word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending)}
    # "German" is short for "Germany", but "Joe" is not for "Joey".
    long = {root for root in roots if len(root) >= (_SHORTEST_BARE if root == word else _SHORTEST_ROOT)}
    names = {root + remain for root in long for remain in _REMAINS}
    return tuple(sorted(names - {word}))


def _numbers(words: _Words) -> Iterator[_Words]:
    """`Rocky II` and `Rocky 2`; a numeral never begins a name, where I and V are letters."""
    for at, word in enumerate(words):
        if at and word.lower() in _OTHER_NUMBER and (word.isdigit() or word.isupper() or len(word) > 1):
            yield [*words[:at], _OTHER_NUMBER[word.lower()], *words[at + 1 :]]


def _articles(words: _Words) -> Iterator[_Words]:
    """A name without its article, or with one."""
    if len(words) > 1 and words[0].lower() in _ARTICLES:
        yield words[1:]
    elif words and words[0][:1].isupper() and words[0].lower() not in STOP_WORDS:
        yield from ([article, *words] for article in _ADDED)


def _without_title(words: _Words) -> Iterator[_Words]:
    """`Dr. Angela Merkel` without the title."""
    if len(words) > 1 and words[0].lower() in _TITLES and words[0][:1].isupper():
        yield words[1:]


def _without_company(words: _Words) -> Iterator[_Words]:
    """`Siemens AG` without the form of the company; most names have none, so that one is added is rare."""
    if len(words) > 1 and words[-1].lower() in _COMPANIES and words[-1][:1].isupper():
        yield words[:-1]


def _without_genitive(words: _Words) -> Iterator[_Words]:
    """`Berlins` and `Schillers`, as German has it, and the plural of a family's name."""
    last = words[-1] if words else ""
    if last[:1].isupper() and last.endswith("s") and last[-2:-1].isalpha() and len(last) > _LEAST_GENITIVE:
        yield [*words[:-1], last[:-1]]


def _umlauts(words: _Words) -> Iterator[_Words]:
    """`Mueller` for Müller, which is folded to `muller`."""
    name = " ".join(words)
    for written, letter in _UMLAUTS:
        name = name.replace(written, letter).replace(written.title(), letter.upper())
    yield name.split()


def _initials_apart(words: _Words) -> Iterator[_Words]:
    """`JRR Tolkien` as `J R R Tolkien`."""
    if len(words) > 1 and _INITIALS.fullmatch(words[0]):
        yield [*words[0], *words[1:]]


def _and(words: _Words) -> Iterator[_Words]:
    """`Simon and Garfunkel` for the sign between them, which folding leaves out."""
    if not _LINKS.isdisjoint(words[1:-1]):
        yield [word for word in words if word not in _LINKS]
    if "&" in words:
        yield ["and" if word == "&" else word for word in words]


_RULES: tuple[Callable[[_Words], Iterator[_Words]], ...] = (
    _numbers,
    _articles,
    _without_title,
    _without_company,
    _without_genitive,
    _umlauts,
    _initials_apart,
    _and,
)
