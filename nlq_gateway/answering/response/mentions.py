"""The words, numbers and dates of a text in one spelling each, so that two texts can be compared.

`1,000`, `1000` and `a thousand` are one number; `14 October 1994` and `1994-10-14` are one date. Where a
script writes no blanks, every letter is a word; so is the article of `l'acteur` and `dell'attore`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from math import prod

from compilers.kopl.lexicon import MONTH, MONTHS, NUMBERS, SCALES
from nlq_gateway.core.words import UNSPACED
from nlq_gateway.language.lexicon import ORDINALS

_NUMBER_WORDS: dict[str, int] = {
    **NUMBERS,
    **ORDINALS,
    **{"both": 2, "twice": 2, "thrice": 3, "dozen": 12, "first": 1, "once": 1},
    **SCALES,
}

_SCALE = rf"(?:[ -](?:{'|'.join(SCALES)})s?\b)"
_WORDS = "|".join(sorted(_NUMBER_WORDS, key=len, reverse=True))
_LETTER = rf"[^\W_{UNSPACED}]"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_TOKEN = re.compile(
    rf"""
    (?P<iso>(?<!{_LETTER})(?<![_-])\d{{4}}-\d\d-\d\d(?!{_LETTER})(?![_-]))
    | \b(?P<day>{_DAY})\.?\ (?:of\ )?(?P<month>{MONTH})\.?,?\ (?P<year>\d{{3,4}})\b
    | \b(?P<month_first>{MONTH})\.?\ (?P<day_second>{_DAY}),?\ (?P<year_last>\d{{3,4}})\b
    | (?P<digits>(?:(?<![\w.])[-−])?(?:\d{{1,3}}(?:[,\ \u00a0\u202f]\d{{3}}(?!\d))+|\d+)(?:\.\d+)?)
      (?:(?:st|nd|rd|th)\b)?(?!{_LETTER})(?P<scale>{_SCALE}*)
    | \b(?P<words>{_WORDS})\b(?P<word_scale>{_SCALE}*)
    | (?P<letter>[{UNSPACED}])
    | \b(?P<elided>(?:[cdjlmnst]|qu|(?:a|da|de|ne|su)ll)(?=['’]{_LETTER}{{2}}))['’]
    | (?P<word>{_LETTER}+(?:['’]{_LETTER}+)*)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SENTENCE_END = re.compile(r"[.!?:;\n]")
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)


class Sort(StrEnum):
    """The kinds of a mention."""

    WORD = "word"
    NUMBER = "number"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class AnswerMention:
    """A word, number or date at `[start, end)` of a text.

    `key` is its one spelling: the word in lower case without a possessive ending, the number in digits, the
    date in ISO 8601. `opens` says whether a sentence begins with it.
    """

    start: int
    end: int
    text: str
    sort: Sort
    key: str
    opens: bool

    @property
    def possessive(self) -> bool:
        """True if the text has a possessive ending, which the key has not."""
        return self.sort == Sort.WORD and bool(_POSSESSIVE.search(self.text))


def mentions_of(text: str) -> tuple[AnswerMention, ...]:
    """All mentions of a text, in order; their places are those in its composed form (Unicode NFC)."""
    return tuple(_mentions(unicodedata.normalize("NFC", text)))


def keys_of(text: str) -> tuple[str, ...]:
    """The keys of a text's mentions, in order."""
    return tuple(mention.key for mention in mentions_of(text))


def places_of(phrase: Sequence[str], keys: Sequence[str]) -> Iterator[range]:
    """The places of a phrase of keys among others; none for an empty phrase."""
    length = len(phrase)
    for start in range(len(keys) - length + 1 if length else 0):
        if tuple(keys[start : start + length]) == tuple(phrase):
            yield range(start, start + length)


def stem(word: str) -> str:
    """A word without a plural ending, in American spelling."""
    for ending, singular in (("ies", "y"), ("sses", "ss"), ("s", "")):
        if len(word) > 3 and word.endswith(ending) and not word.endswith("ss"):
            word = word.removesuffix(ending) + singular
            break
    return re.sub(r"(?<=[a-z]{2})re$", "er", word)


def _mentions(text: str) -> Iterator[AnswerMention]:
    end = 0
    for match in _TOKEN.finditer(text):
        opens = not end or bool(_SENTENCE_END.search(text, end, match.start()))
        sort, key = _read(match)
        end = match.end()
        yield AnswerMention(match.start(), end, match.group(), sort, key, opens)


def _read(match: re.Match[str]) -> tuple[Sort, str]:
    """The kind of a match, and its one spelling."""
    if match["letter"] or match["elided"]:
        return Sort.WORD, (match["letter"] or match["elided"]).casefold()
    if match["word"]:
        return Sort.WORD, _POSSESSIVE.sub("", match["word"]).replace("’", "'").casefold()
    if match["digits"]:
        digits = re.sub(r"[^\d.-]", "", match["digits"].replace("−", "-"))
        return Sort.NUMBER, _number(Decimal(digits), match["scale"])
    if match["words"]:
        return Sort.NUMBER, _number(Decimal(_NUMBER_WORDS[match["words"].lower()]), match["word_scale"])
    return _date(match)


def _number(number: Decimal, scale: str) -> str:
    factors = (SCALES[word.removesuffix("s")] for word in re.findall(r"\w+", scale.lower()))
    return format((number * prod(factors)).normalize(), "f")


def _date(match: re.Match[str]) -> tuple[Sort, str]:
    if match["iso"]:
        return Sort.DATE, match["iso"]
    day, month, year = (
        (match["day"], match["month"], match["year"])
        if match["day"]
        else (match["day_second"], match["month_first"], match["year_last"])
    )
    try:
        found = date(int(year), MONTHS[month.lower()], int(re.sub(r"\D", "", day)))
    except ValueError:
        # The 31st of a short month: equal to no date that a graph states.
        return Sort.DATE, match.group().casefold()
    return Sort.DATE, found.isoformat()
