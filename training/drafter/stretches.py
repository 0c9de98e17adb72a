"""The words of a question that state an argument of its program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz

from compilers.kopl.functions import Kind, Parameter, ValueType
from compilers.kopl.values import value_or_none
from nlq_gateway.core.types import LiteralMention
from nlq_gateway.drafts.drafter.pieces import Pieces, Stretch

_ALIKE = 72.0


def find_stretch(
    pieces: Pieces, literals: Sequence[LiteralMention], parameter: Parameter, texts: Iterable[str]
) -> Stretch | None:
    """Return the words that state an argument: the same value, the same words, or nearly the same.

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
    return any(value_or_none(text, one) == literal.value for one in types if one != ValueType.STRING)


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
