"""The stretches of a question that may be a name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from nlq_gateway.core.words import JOINED, UNSPACED, Token

LONGEST_MENTION = 10
OPENING, CLOSING = "(", ")!.?"
_UNSPACED = re.compile(f"[{UNSPACED}]+")
_LONGEST_UNSPACED = 12
_MOST_LETTERS = 120


class Spanning(Protocol):
    """Anything at `[start, end)` of a text."""

    @property
    def start(self) -> int:
        """The first character."""

    @property
    def end(self) -> int:
        """The character behind the last one."""


Spanned = TypeVar("Spanned", bound=Spanning)


def without_overlaps(candidates: Iterable[Spanned]) -> list[Spanned]:
    """Those that share no character with one that is kept before them."""
    kept: list[Spanned] = []
    taken: set[int] = set()
    for one in candidates:
        places = range(one.start, one.end)
        if taken.isdisjoint(places):
            kept.append(one)
            taken.update(places)
    return kept


def spans_of(text: str, tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """All runs of up to LONGEST_MENTION words; one with a bracket or mark at an end is tried with it too.

    Where a script writes no blanks, every stretch of two letters or more.
    """
    spans: dict[tuple[int, int], None] = {}
    for first, token in enumerate(tokens):
        for last in tokens[first : first + LONGEST_MENTION]:
            closed = text[last.end : last.end + 1] in tuple(CLOSING)
            opened = token.start > 0 and text[token.start - 1] == OPENING
            joined = JOINED.match(token.text)
            starts = [
                token.start,
                *[token.start - 1] * opened,
                *([token.start + joined.end()] if joined else []),
            ]
            for start in starts:
                for after in range(closed + 1):
                    spans[start, last.end + after] = None
    spans.update(dict.fromkeys(_unspaced(text)))
    return list(spans)


def _unspaced(text: str) -> Iterator[tuple[int, int]]:
    for match in _UNSPACED.finditer(text[:_MOST_LETTERS]):
        yield match.span()
        for start in range(match.start(), match.end() - 1):
            for end in range(start + 2, min(start + _LONGEST_UNSPACED, match.end()) + 1):
                yield start, end
