"""A question as the tokens of the encoder, with the possible beginnings and ends of stretches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz import fuzz
from tokenizers import Tokenizer

from compilers.kopl.functions import Kind, Parameter, ValueType
from compilers.kopl.values import Value, ValueSyntaxError, parse_value, type_of
from nlq_gateway.core.types import LiteralMention

LONGEST_STRETCH = 48
_ALIKE = 72.0

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
    return own == value_type or (own != ValueType.DATE and _parsed(literal.text, value_type) is not None)


def value_text(literal: LiteralMention, value_type: ValueType | None) -> str:
    """A value as a program states it."""
    if value_type is None or type_of(literal.value) == value_type:
        return str(literal.value)
    return literal.text


def find_stretch(
    pieces: Pieces, literals: Sequence[LiteralMention], parameter: Parameter, texts: Iterable[str]
) -> Stretch | None:
    """The stretch of the question for an argument: the same value, the same words, or nearly the same.

    `texts` are ways to write the argument, the surest first.
    """
    texts = [text for text in texts if text.strip()]
    if parameter.kind == Kind.VALUE and parameter.value_type != ValueType.STRING:
        for literal in literals:
            if any(_means(literal, text, parameter.value_type) for text in texts):
                found = pieces.stretch(literal.start, literal.end)
                if found:
                    return found
    for text in texts:
        found = _as_written(pieces, text)
        if found:
            return found
    typed = parameter.value_type not in (None, ValueType.STRING)
    return None if typed else next(filter(None, (_nearly(pieces, text) for text in texts)), None)


def _means(literal: LiteralMention, text: str, value_type: ValueType | None) -> bool:
    types = (value_type,) if value_type else tuple(ValueType)
    return any(_parsed(text, one) == literal.value for one in types if one != ValueType.STRING)


def _parsed(text: str, value_type: ValueType) -> Value | None:
    try:
        return parse_value(text, value_type)
    except ValueSyntaxError:
        return None


def _as_written(pieces: Pieces, text: str) -> Stretch | None:
    folded, wanted = pieces.text.casefold(), text.casefold()
    if len(folded) != len(pieces.text):
        return None
    at = folded.find(wanted)
    while at >= 0:
        found = pieces.stretch(at, at + len(wanted))
        if found:
            return found
        at = folded.find(wanted, at + 1)
    return None


def _nearly(pieces: Pieces, text: str) -> Stretch | None:
    """The stretch of about as many words that is spelled most like a text."""
    starts, ends = sorted(pieces.starts), sorted(pieces.ends)
    wanted = text.casefold()
    best, least = None, _ALIKE
    for begin in starts:
        for end in ends:
            if end <= begin or abs(end - begin - len(text)) > max(4, len(text) // 2):
                continue
            score = fuzz.ratio(pieces.text[begin:end].casefold(), wanted, score_cutoff=least)
            if score > least:
                best, least = (begin, end), score
    return pieces.stretch(*best) if best else None
