"""Questions with their names masked, so that "who directed Fargo" and "who directed Heat" are one.

Retrieval over masked questions is SymKGQA's (section 3.2, dynamic selection).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from nlq_gateway.core.words import STOP_WORDS
from nlq_gateway.index.text import fold, stem_word
from nlq_gateway.language import lexicon, tables

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?|[$€£%]")
CUES = lexicon.NEGATIONS | lexicon.DENIALS | tables.words("decisive")
# Cues only right before a name or value: "under 90 minutes", but "fall under".
BEFORE_VALUES = tables.words("decisive_before_values")
_POSSESSIVE = re.compile(r"['’]s$")


@dataclass(frozen=True, slots=True)
class MaskedSpan:
    """A stretch of a question with a name or value: `name` is its class or type.

    `broad` is the most general class above it.
    """

    start: int
    end: int
    name: str
    broad: str = ""


@dataclass(frozen=True, slots=True)
class MaskedWord:
    """A word in lower case with its stem, or a mask, whose stem is empty."""

    text: str
    stem: str = ""
    broad: str = ""

    @property
    def speaks(self) -> bool:
        """True if the word may speak of a schema item: no mask and no stop word."""
        return bool(self.stem) and self.text not in STOP_WORDS


@dataclass(frozen=True, slots=True)
class Masked:
    """The words of a question with its spans masked."""

    words: tuple[MaskedWord, ...]

    @property
    def text(self) -> str:
        """The masked question as a text."""
        return " ".join(word.text for word in self.words)


def mask(question: str, spans: Iterable[MaskedSpan]) -> Masked:
    """The question with its spans, which do not overlap, as masks such as `<film>`."""
    words: list[MaskedWord] = []
    at = 0
    for span in sorted(spans, key=lambda span: span.start):
        words += _words(question[at : span.start])
        words.append(MaskedWord(f"<{span.name}>", broad=f"<{span.broad or span.name}>"))
        at = span.end
    return Masked((*words, *_words(question[at:])))


def _words(text: str) -> list[MaskedWord]:
    found = (_POSSESSIVE.sub("", match.group().lower()) for match in _WORD.finditer(text))
    return [MaskedWord(word, stem_word(fold(word))) for word in found if word not in ("s", "")]


def cues_of(masked: Masked) -> frozenset[str]:
    """The words that change its meaning: those that compare, negate, count or rank, and superlatives.

    Questions that differ in them never share a program.
    """
    following = (*masked.words, None)[1:]
    return frozenset(
        "not" if word.text not in CUES and lexicon.is_negation(word.text) else word.text
        for word, after in zip(masked.words, following, strict=True)
        if word.stem and (_is_cue(word.text) or (word.text in BEFORE_VALUES and after and not after.stem))
    )


def _is_cue(word: str) -> bool:
    return word in CUES or lexicon.is_negation(word) or lexicon.is_superlative(word)
