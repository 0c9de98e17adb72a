"""A question as the tokens of the encoder, with the possible beginnings and ends of stretches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from tokenizers import Tokenizer

from compilers.kopl.functions import ValueType
from compilers.kopl.values import type_of, value_or_none
from nlq_gateway.core.types import LiteralMention

LONGEST_STRETCH = 48

Stretch = tuple[int, int]


@dataclass(frozen=True)
class Pieces:
    """The tokens of a text with their places in it; the first and the last are the encoder's own marks."""

    text: str
    ids: tuple[int, ...]
    spans: tuple[Stretch, ...]

    @classmethod
    def of(cls, text: str, tokenizer: Tokenizer) -> Pieces:
        """A text, cut where the tokenizer cuts it."""
        encoded = tokenizer.encode(text.encode("utf-8", "replace").decode("utf-8"))
        return cls(text, tuple(encoded.ids), tuple(encoded.offsets))

    @cached_property
    def starts(self) -> dict[int, int]:
        """The token at each character where a word or a mark begins."""
        return {begin: at for at, (begin, end) in self._inner() if begin < end and self._is_edge(begin)}

    @cached_property
    def ends(self) -> dict[int, int]:
        """The token before each character where a word or a mark ends."""
        return {end: at for at, (begin, end) in self._inner() if begin < end and self._is_edge(end)}

    def words(self, first: int, last: int) -> str:
        """The text from one token to another, both included."""
        return self.text[self.spans[first][0] : self.spans[last][1]]

    def stretch(self, begin: int, end: int) -> Stretch | None:
        """The first and last token of a stretch of characters; None if its ends are inside words."""
        first, last = self.starts.get(begin), self.ends.get(end)
        return None if first is None or last is None else (first, last)

    def _inner(self) -> Iterable[tuple[int, Stretch]]:
        return list(enumerate(self.spans))[1:-1]

    def _is_edge(self, at: int) -> bool:
        around = self.text[max(at - 1, 0) : at + 1]
        return at == 0 or at == len(self.text) or not around.isalnum()


def fits(literal: LiteralMention, value_type: ValueType) -> bool:
    """True if a value in the question may be an argument of the type."""
    own = type_of(literal.value)
    return own == value_type or (
        own != ValueType.DATE and value_or_none(literal.text, value_type) is not None
    )


def value_text(literal: LiteralMention, value_type: ValueType | None) -> str:
    """A value as a program states it."""
    if value_type is None or type_of(literal.value) == value_type:
        return str(literal.value)
    return literal.text
