"""Readings of a question: the ways to take its words as names and values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from compilers.kopl.functions import Kind
from compilers.kopl.values import String, Value, type_of
from nlq_gateway.core.types import Hit, Links, LiteralMention, Mention, TextMention
from nlq_gateway.drafts.demonstrations.lesson import class_of
from nlq_gateway.drafts.demonstrations.mask import MaskedSpan
from nlq_gateway.index import Index

READINGS = 4
_SINGLES = 3
_TEXTS = 2
_BEARERS = 4
_CLOSE = 0.16


@dataclass(frozen=True, slots=True)
class ResolvedMention:
    """Words of a question that name an entity, by bearers of one class, or state a value or a range."""

    start: int
    end: int
    text: str
    name: str
    broad: str = ""
    concepts: frozenset[str] = frozenset()
    hits: tuple[Hit, ...] = ()
    value: Value | None = None
    is_range: bool = False

    @property
    def span(self) -> MaskedSpan:
        """The stretch of the question for the mention."""
        return MaskedSpan(self.start, self.end, self.name, self.broad)


@dataclass(frozen=True, slots=True)
class MentionReading:
    """One way to read a question: its names and values, in order, without overlaps."""

    named: tuple[ResolvedMention, ...]

    @property
    def entities(self) -> tuple[ResolvedMention, ...]:
        """The mentions of entities."""
        return tuple(one for one in self.named if one.value is None)

    @property
    def values(self) -> tuple[ResolvedMention, ...]:
        """The mentions of values."""
        return tuple(one for one in self.named if one.value is not None)


def readings_of(links: Links, index: Index, texts: bool = False) -> tuple[MentionReading, ...]:
    """The likeliest readings of a question, at most READINGS, with strings as values where `texts`."""
    found: dict[tuple[tuple[int, int, str], ...], MentionReading] = {}
    for mentions in _choices(links):
        for entities in _by_class(mentions, index):
            named = (*entities, *_values(links.literals, entities))
            reading = MentionReading(tuple(sorted(named, key=lambda one: one.start)))
            more = _with_text(reading, links.texts) if texts and not found else ()
            for one in (reading, *more):
                found.setdefault(tuple((word.start, word.end, word.name) for word in one.named), one)
    return tuple(found.values())[:READINGS]


def _choices(links: Links) -> Iterator[Sequence[Mention]]:
    """Sets of mentions: the capitalised ones; without any of these, each of the others by itself."""
    entities = [mention for mention in links.mentions if any(h.kind == Kind.ENTITY for h in mention.hits)]
    cased = [mention for mention in entities if _is_cased(mention)]
    long = [mention for mention in entities if _is_cased(mention) or " " in mention.text]
    if cased:
        yield cased
        if cased[0].start == 0 and len(cased) > 1:
            yield cased[1:]
    if long != cased:
        yield long
    if not cased:
        if not entities:
            yield ()
        for mention in sorted(entities, key=lambda one: (-len(one.text), one.start))[:_SINGLES]:
            yield (mention,)
        yield ()


def _is_cased(mention: Mention) -> bool:
    return any(word[:1].isupper() or word[:1].isdigit() for word in mention.text.split())


def _by_class(mentions: Sequence[Mention], index: Index) -> Iterator[tuple[ResolvedMention, ...]]:
    """The mentions with the class of their best bearers; then, one at a time, with another close one's."""
    classes = [_classes(mention, index) for mention in mentions]
    if not all(classes):
        return
    best = tuple(options[0] for options in classes)
    yield best
    for at, options in enumerate(classes):
        for other in options[1:]:
            yield (*best[:at], other, *best[at + 1 :])


def _classes(mention: Mention, index: Index) -> list[ResolvedMention]:
    """The readings of a mention, bearers of one class together, the likeliest first."""
    hits = [hit for hit in mention.hits if hit.kind == Kind.ENTITY][: 2 * _BEARERS]
    entities = index.entities(hit.iri for hit in hits)
    found: dict[str, ResolvedMention] = {}
    for hit in hits:
        if hit.score < hits[0].score - _CLOSE:
            continue
        label, broad, concepts = class_of(index, entities.get(hit.iri))
        known = found.get(label)
        if known is None:
            found[label] = ResolvedMention(
                mention.start, mention.end, mention.text, label, broad, concepts, (hit,)
            )
        elif len(known.hits) < _BEARERS:
            found[label] = replace(known, hits=(*known.hits, hit))
    return list(found.values())


def _values(
    literals: Sequence[LiteralMention], entities: Sequence[ResolvedMention]
) -> Iterator[ResolvedMention]:
    for literal in literals:
        if all(literal.end <= one.start or one.end <= literal.start for one in entities):
            name, until = str(type_of(literal.value)), literal.until
            yield ResolvedMention(
                literal.start,
                literal.end,
                literal.text,
                name,
                value=literal.value,
                is_range=until is not None,
            )


def _with_text(reading: MentionReading, texts: Sequence[TextMention]) -> Iterator[MentionReading]:
    """The reading with a string of the graph in place of the mentions it covers; longest strings only."""
    sure = [text for text in texts if text.hits and text.hits[0].how in ("exact", "folded")]
    for text in sorted(sure, key=lambda text: text.start - text.end)[:_TEXTS]:
        value = String(text.hits[0].value)
        more = ResolvedMention(text.start, text.end, text.text, str(type_of(value)), value=value)
        others = [one for one in reading.named if one.end <= text.start or text.end <= one.start]
        yield MentionReading(tuple(sorted((*others, more), key=lambda one: one.start)))
