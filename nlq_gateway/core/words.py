"""Words of a question with their places, and the words that name nothing."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

# Letters of scripts without blanks between words, as a set in a regular expression: Thai, Lao, Khmer,
# Burmese, Kana, Han; Hangul joins particles.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
# A letter of another script.
_LETTER = rf"[^\W{UNSPACED}]"
_TOKEN = re.compile(rf"[+#]?{_LETTER}+(?:[.'’&/+-]{_LETTER}+)*|[{UNSPACED}]+|[$€£%]")

# A French article or pronoun that is joined to the word behind it: d'Antoine.
JOINED = re.compile(r"^(?:[cdjlmnst]|qu)['’](?=\w)")

_STOP_WORDS = resources.files(__package__).joinpath("stop_words.toml").read_text("utf-8")
STOP_WORDS = frozenset(word for text in tomllib.loads(_STOP_WORDS).values() for word in text.split())


@dataclass(frozen=True, slots=True)
class Token:
    """One word or symbol at `[start, end)` of the text."""

    start: int
    end: int
    text: str

    @property
    def lower(self) -> str:
        """The word in lower case."""
        return self.text.lower()

    @property
    def capitalised(self) -> bool:
        """True if the word begins with a capital letter."""
        return self.text[:1].isupper()


def positions(tokens: Sequence[Token], start: int, end: int) -> range:
    """The positions of the words, of all in order, that overlap `[start, end)` of the text."""
    first = bisect_right(tokens, start, key=lambda token: token.end)
    return range(first, bisect_left(tokens, end, lo=first, key=lambda token: token.start))


def readable(text: str) -> str:
    """The text with blanks for control characters and lone surrogates, which stores reject."""
    return "".join(" " if unicodedata.category(letter) in ("Cc", "Cs") else letter for letter in text)


def tokens_of(text: str) -> tuple[Token, ...]:
    """The words of a text, a possessive ending split off."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        word, start = match.group(), match.start()
        stem = re.sub(r"['’]s$", "", word)
        found.append(Token(start, start + len(stem), stem))
    return tuple(found)
