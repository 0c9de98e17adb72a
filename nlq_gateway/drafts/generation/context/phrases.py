"""The phrases of a question that may speak of a relation, an attribute or a qualifier."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compilers.kopl.values import String
from nlq_gateway.core.types import Links, Mention
from nlq_gateway.core.words import STOP_WORDS, Token, tokens_of
from nlq_gateway.language.tables import words

LONGEST = 6
MOST = 64
# A name may end in one of these: directed by, capital of.
_ENDINGS = words("name_ends")


@dataclass(frozen=True, slots=True)
class QuestionPhrase:
    """The words `[start, end)` of a question, as numbers of its tokens, and their text."""

    start: int
    end: int
    text: str

    @property
    def words(self) -> int:
        """The number of words."""
        return self.end - self.start

    def overlaps(self, other: QuestionPhrase) -> bool:
        """True if both have a word in common."""
        return self.start < other.end and other.start < self.end


def phrases_of(links: Links, longest: int = LONGEST) -> tuple[QuestionPhrase, ...]:
    """Runs of up to `longest` words outside names, numbers and quotes, the shortest first; at most `MOST`.

    Names are masked (CodeAlignKGQA, section 3.2); a single word that names a class in lower case is not,
    since it may speak of a relation as well: director, genre. Stop words at the ends are left out, but for
    a preposition behind another word.
    """
    tokens = tokens_of(links.question.text)
    masked = [_is_masked(links, token) for token in tokens]
    runs = (
        (first, first + words)
        for words in range(1, min(longest, LONGEST) + 1)
        for first in range(len(tokens) - words + 1)
        if not any(masked[first : first + words])
    )
    return tuple(_phrases(links.question.text, tokens, runs))


def is_name(mention: Mention) -> bool:
    """True if the words are written as a name: with a capital or a digit, or several of them."""
    return " " in mention.text or not mention.text[:1].islower()


def _is_masked(links: Links, token: Token) -> bool:
    if any(map(str.isdigit, token.text)):
        return True
    names = [(one.start, one.end) for one in links.mentions if is_name(one)]
    quotes = [(one.start, one.end) for one in links.literals if isinstance(one.value, String)]
    return any(token.start < end and start < token.end for start, end in (*names, *quotes))


def _phrases(text: str, tokens: Sequence[Token], runs: Iterator[tuple[int, int]]) -> Iterator[QuestionPhrase]:
    found = 0
    for start, end in runs:
        if found < MOST and _speaks(tokens[start:end]):
            found += 1
            yield QuestionPhrase(start, end, text[tokens[start].start : tokens[end - 1].end])


def _speaks(run: Sequence[Token]) -> bool:
    """True if no stop word is at either end, except a preposition behind another word."""
    words = [token.lower for token in run]
    if words[0] in STOP_WORDS:
        return False
    ends_well = words[-1] not in STOP_WORDS
    return ends_well or (words[-1] in _ENDINGS and words[-2] not in STOP_WORDS)
