"""A whole class, of all of which something is asked, or a share: "does every film", "what share of"."""

from __future__ import annotations

from dataclasses import dataclass

from nlq_gateway.language import lexicon, tables
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.question.reading.words import read_once

_EVERY, _SHARES = tables.words("every"), tables.words("shares")
_OF, _ASKING = tables.words("share_of"), lexicon.CHOICE_WORDS | lexicon.ARTICLES
_BETWEEN = lexicon.ARTICLES | tables.words("of_all")
# The degree to which a word names a class, and the words of its name at most.
_NAMED, _NOUN = 0.9, 2


@dataclass(frozen=True, slots=True)
class WholeClass:
    """The words that say that a class is meant as a whole, and the word that names it."""

    cue: frozenset[int]
    noun: int


@read_once
def every_one(reading: QuestionReading) -> WholeClass | None:
    """The class of which it is asked whether something is so for all: "do all rivers", "is every film"."""
    lowers = reading.lowers
    says_all = reading.is_verification and lowers[1:2] and lowers[1] in _EVERY
    return _class_after(reading, 1) if says_all else None


@read_once
def share_of(reading: QuestionReading) -> WholeClass | None:
    """The class of which a share is asked for: "what percentage of the rivers"."""
    lowers = reading.lowers
    for at in range(1, len(lowers) - 1):
        if lowers[at] in _SHARES and lowers[at + 1] in _OF and lowers[at - 1] in _ASKING:
            return _class_after(reading, at)
    return None


def _class_after(reading: QuestionReading, at: int) -> WholeClass | None:
    """The class that is named next, with the words from there on."""
    begin = at + 1
    while begin < len(reading.lowers) and reading.lowers[begin] in _BETWEEN:
        begin += 1
    named = (token for token in range(begin, begin + _NOUN) if reading.names_concept(token, _NAMED))
    noun = next(named, None)
    return None if noun is None else WholeClass(frozenset(range(at, begin)), noun)
