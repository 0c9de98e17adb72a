"""What a sub-question begins from, which values it states, and its words with both masked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from compilers.kopl.functions import Kind
from compilers.kopl.values import NO_UNIT, Date, Quantity, String, Value, Year
from nlq_gateway.generation.decompose.forms import MASK, VALUE, ValueClass
from nlq_gateway.generation.decompose.lines import SubQuestion
from nlq_gateway.index import Index
from nlq_gateway.index.text import fold
from nlq_gateway.types import Hit, Links, Mention, Question

_PLACE = re.compile(r"\[([^\[\]]+)\]|#(\d+)")
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
_BEARERS = 3
_SPELLED_LIKE = 0.6

Linked = Callable[[Question], Links]


@dataclass(frozen=True, slots=True)
class Operand:
    """What a step is fed by: an earlier sub-question's number, bearers of a name, or a concept's members.

    `bearers` are those that equally well bear the name; a name that nobody bears has none.
    """

    text: str
    reference: int = 0
    bearers: tuple[Hit, ...] = ()
    concept: Hit | None = None

    @property
    def is_known(self) -> bool:
        """Whether the graph has it."""
        return bool(self.reference or self.bearers or self.concept)

    @property
    def is_set(self) -> bool:
        """Whether it may be several things."""
        return bool(self.reference or self.concept)


@dataclass(frozen=True, slots=True)
class Stated:
    """A value in the words of a sub-question, with the ways to read it.

    `held` are the attributes and qualifiers that have the text as a value, where it is one of the graph's.
    """

    text: str
    values: tuple[Value, ...]
    held: frozenset[str] = frozenset()

    @property
    def classes(self) -> frozenset[ValueClass]:
        """The ways to read it, as templates tell values apart."""
        return frozenset(one for value in self.values for one in _classes(value))


@dataclass(frozen=True, slots=True)
class Reading:
    """A sub-question with its operands and values masked.

    `masks` are the ways to mask it, the plainest first. `asked` is the concept that it asks for members of, where
    that is no operand; `counted` says that their number is asked for. `verdict` says whether yes or no is the
    answer, None where the words do not tell.
    """

    masks: tuple[str, ...]
    operands: tuple[Operand, ...]
    values: tuple[Stated, ...]
    asked: Hit | None = None
    counted: bool = False
    verdict: bool | None = None


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    what: Operand | Stated

    def meets(self, start: int, end: int) -> bool:
        return self.start < end and start < self.end


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the sub-questions of one question. Stateless."""

    index: Index
    link: Linked
    links: Links

    def read(self, one: SubQuestion) -> tuple[Reading, ...]:
        """The ways to read it, the plainest first: a concept may be what it begins from."""
        text, places = _plain(one.text)
        found = self.link(Question(text, self.links.question.language))
        spans = [
            _Span(start, end, self._at(found, start, end, text, number)) for start, end, number in places
        ]
        spans += [span for span in self._unmarked(found) if not _taken(spans, span.start, span.end)]
        spans += [span for span in _values(found) if not _taken(spans, span.start, span.end)]
        concepts = [
            mention
            for mention in found.mentions
            if mention.kind == Kind.CONCEPT and not _taken(spans, mention.start, mention.end)
        ]
        plain = _reading(text, spans, concepts)
        if plain.operands:
            return (plain,)
        return (*(_reading(text, [*spans, _members(one)], ()) for one in concepts[:2]), plain)

    def _at(self, found: Links, start: int, end: int, text: str, number: int) -> Operand | Stated:
        """What stands in brackets, or a reference."""
        words = text[start:end]
        if number:
            return Operand(f"#{number}", number)
        known = [m for m in (*self.links.mentions, *self.links.others) if _names(m, words)]
        known += [m for m in found.mentions if m.start < end and start < m.end]
        hits = (
            known[0].hits
            if known
            else self.index.look_up([words], (Kind.ENTITY, Kind.CONCEPT)).get(words, ())
        )
        if hits:
            return _operand(words, hits)
        values = [span.what for span in _values(found) if span.meets(start, end)]
        return values[0] if values else self._like(words)

    def _like(self, words: str) -> Operand:
        """A name that nothing has, for those that are spelled like it."""
        hits = self.index.search(words, (Kind.ENTITY,), _BEARERS)
        return Operand(words, bearers=tuple(hit for hit in hits if hit.score >= _SPELLED_LIKE))

    def _unmarked(self, found: Links) -> Iterator[_Span]:
        """Names without brackets, where they are written as names or the question links them too."""
        linked = {fold(mention.text) for mention in self.links.mentions if mention.kind == Kind.ENTITY}
        for one in found.mentions:
            if one.kind == Kind.ENTITY and (one.text[:1].isupper() or fold(one.text) in linked):
                yield _Span(one.start, one.end, _operand(one.text, one.hits))


def _plain(text: str) -> tuple[str, list[tuple[int, int, int]]]:
    """The words without brackets, and where names (number 0) and references are.

    A word stands for a reference, so that its number is not read as a value.
    """
    words, places, at = "", [], 0
    for match in _PLACE.finditer(text):
        words += text[at : match.start()]
        inside = match.group(1).strip() if match.group(1) else "it"
        places.append((len(words), len(words) + len(inside), int(match.group(2) or 0)))
        words += inside
        at = match.end()
    return words + text[at:], places


def _names(mention: Mention, words: str) -> bool:
    return fold(words) in (fold(mention.text), *(fold(hit.label) for hit in mention.hits[:1]))


def _operand(words: str, hits: Sequence[Hit]) -> Operand:
    if hits[0].kind == Kind.CONCEPT:
        return Operand(words, concept=hits[0])
    bearers = [hit for hit in hits if hit.kind == Kind.ENTITY and hit.score == hits[0].score]
    return Operand(words, bearers=tuple(bearers[:_BEARERS]))


def _members(mention: Mention) -> _Span:
    return _Span(mention.start, mention.end, _operand(mention.text, mention.hits))


def _values(found: Links) -> list[_Span]:
    """The values that are stated, each with the strings of the graph that stand in the same place."""
    spans: list[_Span] = []
    for one in found.literals:
        if one.until is None:
            spans.append(_Span(one.start, one.end, Stated(one.text, (one.value,))))
    for text in sorted(found.texts, key=lambda one: one.start - one.end):
        best = text.hits[0]
        stated = Stated(best.value, (String(best.value),), best.predicates)
        same = next((span for span in spans if span.meets(text.start, text.end)), None)
        if same is not None and isinstance(same.what, Stated):
            if not same.what.held:
                spans.remove(same)
                values = (*same.what.values, *stated.values)
                spans.append(replace(same, what=replace(stated, values=values)))
        elif best.how in ("exact", "folded") and not text.text[:1].islower():
            spans.append(_Span(text.start, text.end, stated))
    return spans


def _taken(spans: Sequence[_Span], start: int, end: int) -> bool:
    return any(span.meets(start, end) for span in spans)


def _reading(text: str, spans: Sequence[_Span], concepts: Sequence[Mention]) -> Reading:
    ordered = sorted(spans, key=lambda span: span.start)
    operands = tuple(span.what for span in ordered if isinstance(span.what, Operand))
    asked = next((one for one in concepts if _ASKED_BEFORE.search(text[: one.start])), None)
    asked = asked if operands else None
    opening = _ASKS.search(text)
    return Reading(
        tuple(dict.fromkeys(_masks(text, ordered, asked))),
        operands,
        tuple(span.what for span in ordered if isinstance(span.what, Stated)),
        asked.hits[0] if asked else None,
        _COUNTED.search(text) is not None,
        None if opening is None else opening.group("closed") is not None,
    )


def _masks(text: str, spans: Sequence[_Span], asked: Mention | None) -> Iterator[str]:
    """The words with what is masked; and with `what` for the concept that is asked for."""
    masked, at = "", 0
    for span in spans:
        masked += text[at : span.start]
        asks = _ASKED_BEFORE.search(masked)
        is_set = isinstance(span.what, Operand) and span.what.concept is not None
        masked += "of " if is_set and asks and not asks.group(1) else ""
        masked += MASK if isinstance(span.what, Operand) else VALUE
        at = span.end
    yield masked + text[at:]
    if asked is not None and not any(span.start < asked.end for span in spans):
        yield "what" + masked[asked.end :] + text[at:]


def _classes(value: Value) -> Iterator[ValueClass]:
    match value:
        case Quantity(number, unit):
            yield "number"
            if unit == NO_UNIT and number == int(number) and number > 0:
                yield "count"
        case Year():
            yield from ("time", "number")
        case Date():
            yield "time"
        case _:
            yield "text"
