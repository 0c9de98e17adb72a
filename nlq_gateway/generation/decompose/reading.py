"""What a sub-question begins from, which values it states, and its words with both masked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

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
_WAYS = 4
_MOST_COUNTED = 1000
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

    `until` is the end of a period, both ends included, that the one value begins. `held` are the attributes
    and qualifiers that have the text as a value, where it is one of the graph's.
    """

    text: str
    values: tuple[Value, ...]
    held: frozenset[str] = frozenset()
    until: Value | None = None

    @property
    def classes(self) -> frozenset[ValueClass]:
        """The ways to read it, as templates tell values apart."""
        if self.until is not None:
            return frozenset(("period",) if isinstance(self.until, Year | Date) else ())
        return frozenset(one for value in self.values for one in _classes(value))


@dataclass(frozen=True, slots=True)
class Reading:
    """A sub-question with its operands and values masked.

    `masks` are the ways to mask it, the plainest first. `asked` is the concept that it asks for members of,
    where that is no operand; `counted` says that their number is asked for. `verdict` says whether yes or no
    is the answer, None where the words do not tell.
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
    is_sure: bool = True

    def meets(self, start: int, end: int) -> bool:
        return self.start < end and start < self.end


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the sub-questions of one question. Stateless."""

    index: Index
    link: Linked
    links: Links

    def read(self, one: SubQuestion) -> tuple[Reading, ...]:
        """The ways to read it, the plainest first.

        A name may be a string of the graph, too; so may words that are not written as a name, and a concept
        may be what the sub-question begins from.
        """
        text, places = _plain(one.text)
        found = self.link(Question(text, self.links.question.language))
        values = _values(found)
        marked = [
            [_Span(start, end, what) for what in self._at(found, values, start, end, text[start:end], number)]
            for start, end, number in places
        ]
        ways = []
        for chosen in islice(product(*marked), _WAYS):
            spans = list(chosen)
            spans += [span for span in self._unmarked(found) if not _taken(spans, span.start, span.end)]
            spans += [span for span in values if span.is_sure and not _taken(spans, span.start, span.end)]
            ways += self._ways(text, spans, found)
            unsure = [span for span in values if not _taken(spans, span.start, span.end)]
            if unsure and not any(isinstance(span.what, Stated) for span in spans):
                ways += self._ways(text, [*spans, unsure[0]], found)
        return tuple(ways)

    def _ways(self, text: str, spans: Sequence[_Span], found: Links) -> list[Reading]:
        concepts = [
            mention
            for mention in found.mentions
            if mention.kind == Kind.CONCEPT and not _taken(spans, mention.start, mention.end)
        ]
        plain = _reading(text, spans, concepts)
        if plain.operands:
            return [plain]
        return [*(_reading(text, [*spans, _members(one)], ()) for one in concepts[:2]), plain]

    def _at(
        self, found: Links, values: Sequence[_Span], start: int, end: int, words: str, number: int
    ) -> tuple[Operand | Stated, ...]:
        """What stands in brackets, the likelier first, or a reference."""
        if number:
            return (Operand(f"#{number}", number),)
        known = [m.hits for m in (*self.links.mentions, *self.links.others) if _names(m, words)]
        known += [m.hits for m in found.mentions if m.start < end and start < m.end]
        known += [self.index.look_up([words], (Kind.ENTITY, Kind.CONCEPT)).get(words, ())]
        named = [_operand(words, hits) for hits in known[:1] if hits]
        stated = [span.what for span in values if span.meets(start, end)][:1]
        return (*named, *stated) or (self._like(words),)

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
    """The values that are stated, each with the strings of the graph that stand in the same place.

    Strings in lower case are not sure.
    """
    spans = [
        _Span(one.start, one.end, Stated(one.text, (one.value,), until=one.until)) for one in found.literals
    ]
    for text in sorted(found.texts, key=lambda one: one.start - one.end):
        best = text.hits[0]
        same = next((span for span in spans if span.meets(text.start, text.end)), None)
        if same is None and best.how in ("exact", "folded"):
            stated = Stated(best.value, (String(best.value),), best.predicates)
            spans.append(_Span(text.start, text.end, stated, not text.text[:1].islower()))
        elif same is not None and isinstance(same.what, Stated) and not same.what.held:
            values = (*same.what.values, String(best.value))
            spans[spans.index(same)] = replace(same, what=Stated(best.value, values, best.predicates))
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
            if unit == NO_UNIT and number in range(1, _MOST_COUNTED):
                yield "count"
        case Year():
            yield from ("time", "number")
        case Date():
            yield "time"
        case _:
            yield "text"
