"""A sub-question for matching templates: its operands and values, and its words without these."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compilers.kopl.values import NO_UNIT, Date, Quantity, Value, Year
from nlq_gateway.core.types import Hit, Mention
from nlq_gateway.drafts.generation.decompose.forms import MASK, VALUE, ValueClass

_ASKED_BEFORE = re.compile(
    r"(?:^|\b)(?:which|what|how many|name|list|give me|show)(?: (?:all|the|are|is|was|were))*(?: (of))? $",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"^\W*(?:how many|what is the number of|count)\b", re.IGNORECASE)
_ASKS = re.compile(
    r"^\W*(?:(?P<open>who|whom|whose|what|which|where|when|how|name|list|give|show)"
    r"|(?P<closed>is|are|was|were|do|does|did|has|have|had|can|could))\b",
    re.IGNORECASE,
)
_MOST_COUNTED = 1000


@dataclass(frozen=True, slots=True)
class ChainOperand:
    """An input of a step: an earlier sub-question's number, bearers of a name, or a concept's members.

    `bearers` are the equally good bearers of the name; empty for an unknown name.
    """

    text: str
    reference: int = 0
    bearers: tuple[Hit, ...] = ()
    concept: Hit | None = None

    @property
    def is_known(self) -> bool:
        """True if the graph has it."""
        return bool(self.reference or self.bearers or self.concept)

    @property
    def is_set(self) -> bool:
        """True if it may be several things."""
        return bool(self.reference or self.concept)


@dataclass(frozen=True, slots=True)
class SubQuestionValue:
    """A value in the words of a sub-question, with its readings.

    `until` is the end of a period, both ends included, whose start is the one value. `held` are the
    attributes and qualifiers with the text as a value, if it is one of the graph's.
    """

    text: str
    values: tuple[Value, ...]
    held: frozenset[str] = frozenset()
    until: Value | None = None

    @property
    def classes(self) -> frozenset[ValueClass]:
        """The classes of its readings, by which templates distinguish values."""
        if self.until is not None:
            return frozenset(("period",) if isinstance(self.until, Year | Date) else ())
        return frozenset(one for value in self.values for one in _classes(value))


@dataclass(frozen=True, slots=True)
class MaskedSubQuestion:
    """A sub-question with its operands and values masked.

    `masks` are the ways to mask it, the plainest first. `asked` is the concept of the wanted members, if it
    is no operand; `counted`: their number is asked for. `verdict` is true if the answer is yes or no, None if
    the words leave it open.
    """

    masks: tuple[str, ...]
    operands: tuple[ChainOperand, ...]
    values: tuple[SubQuestionValue, ...]
    asked: Hit | None = None
    counted: bool = False
    verdict: bool | None = None


@dataclass(frozen=True, slots=True)
class SubQuestionSpan:
    """A stretch of the words, and its reading; `is_sure` is false if it may be plain words."""

    start: int
    end: int
    what: ChainOperand | SubQuestionValue
    is_sure: bool = True

    def meets(self, start: int, end: int) -> bool:
        """True if it overlaps a stretch."""
        return self.start < end and start < self.end


def read_as(text: str, spans: Sequence[SubQuestionSpan], concepts: Sequence[Mention]) -> MaskedSubQuestion:
    """The reading of a text with spans as operands and values; `concepts` are those besides."""
    ordered = sorted(spans, key=lambda span: span.start)
    operands = tuple(span.what for span in ordered if isinstance(span.what, ChainOperand))
    asked = next((one for one in concepts if _ASKED_BEFORE.search(text[: one.start])), None)
    asked = asked if operands else None
    opening = _ASKS.search(text)
    return MaskedSubQuestion(
        tuple(dict.fromkeys(_masks(text, ordered, asked))),
        operands,
        tuple(span.what for span in ordered if isinstance(span.what, SubQuestionValue)),
        asked.hits[0] if asked else None,
        _COUNTED.search(text) is not None,
        None if opening is None else opening.group("closed") is not None,
    )


def _masks(text: str, spans: Sequence[SubQuestionSpan], asked: Mention | None) -> Iterator[str]:
    """The words with masks; and with `what` in place of the asked concept."""
    masked, at = "", 0
    for span in spans:
        masked += text[at : span.start]
        asks = _ASKED_BEFORE.search(masked)
        is_set = isinstance(span.what, ChainOperand) and span.what.concept is not None
        masked += "of " if is_set and asks and not asks.group(1) else ""
        masked += MASK if isinstance(span.what, ChainOperand) else VALUE
        at = span.end
    yield masked + text[at:]
    if asked is not None and not any(span.start < asked.end for span in spans):
        yield "what" + masked[asked.end :] + text[at:]


def _classes(value: Value) -> Iterator[ValueClass]:
    match value:
        case Quantity(number, unit):
            yield "number"
            if unit == NO_UNIT and number in range(1, _MOST_COUNTED):
                yield "count"
        case Year():
            yield from ("time", "number")
        case Date():
            yield "time"
        case _:
            yield "text"
