"""Finds the operands and the values of a sub-question."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

from compilers.kopl.functions import Kind
from compilers.kopl.values import String
from nlq_gateway.core.types import Hit, Links, Mention, Question
from nlq_gateway.drafts.generation.decompose.lines import SubQuestionLine
from nlq_gateway.drafts.generation.decompose.reading import (
    ChainOperand,
    MaskedSubQuestion,
    SubQuestionSpan,
    SubQuestionValue,
    read_as,
)
from nlq_gateway.index import Index
from nlq_gateway.index.text import fold

_PLACE = re.compile(r"\[([^\[\]]+)\]|#(\d+)")
_BEARERS = 3
_WAYS = 4
_SPELLED_LIKE = 0.6

Linked = Callable[[Question], Links]


@dataclass(frozen=True, slots=True)
class SubQuestionReader:
    """Reads the sub-questions of one question; `links` are those of the whole. Stateless."""

    index: Index
    link: Linked
    links: Links

    def read(self, one: SubQuestionLine) -> tuple[MaskedSubQuestion, ...]:
        """The readings of a sub-question, the plainest first.

        A name may be a string of the graph, too; so may words that are not written as a name, and a concept
        may be an operand of the sub-question.
        """
        text, places = _plain(one.text)
        found = self.link(Question(text, self.links.question.language))
        values = _values(found)
        named = [*places, *self._unmarked(found, places)]
        marked = [
            [
                SubQuestionSpan(start, end, what)
                for what in self._at(found, values, start, end, text[start:end], number)
            ]
            for start, end, number in named
        ]
        ways: list[MaskedSubQuestion] = []
        for chosen in islice(product(*marked), _WAYS):
            free = [span for span in values if not _taken(chosen, span.start, span.end)]
            sure = [span for span in free if span.is_sure]
            ways += _ways(text, [*chosen, *sure], found)
            if free and not sure and not any(isinstance(span.what, SubQuestionValue) for span in chosen):
                ways += _ways(text, [*chosen, free[0]], found)
        return tuple(ways)

    def _at(
        self, found: Links, values: Sequence[SubQuestionSpan], start: int, end: int, words: str, number: int
    ) -> tuple[ChainOperand | SubQuestionValue, ...]:
        """The readings of a name or a reference, the likelier first."""
        if number:
            return (ChainOperand(f"#{number}", number),)
        known = [m.hits for m in (*self.links.mentions, *self.links.others) if _names(m, words)]
        known += [m.hits for m in found.mentions if m.start < end and start < m.end]
        known += [self.index.look_up([words], (Kind.ENTITY, Kind.CONCEPT)).get(words, ())]
        named = [operand for hits in known[:1] for operand in _operands(words, hits)]
        stated = [span.what for span in values if span.meets(start, end)][:1]
        return (*named, *stated) or (self._like(words),)

    def _like(self, words: str) -> ChainOperand:
        """A name that the graph lacks, for its similar names."""
        hits = self.index.search(words, (Kind.ENTITY,), _BEARERS)
        return ChainOperand(words, bearers=tuple(hit for hit in hits if hit.score >= _SPELLED_LIKE))

    def _unmarked(
        self, found: Links, places: Sequence[tuple[int, int, int]]
    ) -> Iterator[tuple[int, int, int]]:
        """Names without brackets, if they are written as names or the question links them too."""
        linked = {fold(mention.text) for mention in self.links.mentions if mention.kind == Kind.ENTITY}
        for one in found.mentions:
            is_name = one.text[:1].isupper() or fold(one.text) in linked
            is_taken = any(start < one.end and one.start < end for start, end, _ in places)
            if one.kind == Kind.ENTITY and is_name and not is_taken:
                yield one.start, one.end, 0


def _plain(text: str) -> tuple[str, list[tuple[int, int, int]]]:
    """The words without brackets, and the places of names (number 0) and references.

    A word replaces each reference, so that its number is not read as a value.
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


def _operands(words: str, hits: Sequence[Hit]) -> Iterator[ChainOperand]:
    """The bearers of a name and the concept of this name, the likelier first."""
    for kind in dict.fromkeys(hit.kind for hit in hits):
        best = [hit for hit in hits if hit.kind == kind]
        if kind == Kind.CONCEPT:
            yield ChainOperand(words, concept=best[0])
        elif kind == Kind.ENTITY:
            bearers = [hit for hit in best if hit.score == best[0].score]
            yield ChainOperand(words, bearers=tuple(bearers[:_BEARERS]))


def _ways(text: str, spans: Sequence[SubQuestionSpan], found: Links) -> list[MaskedSubQuestion]:
    """The readings with these spans; without an operand a concept may be one."""
    concepts = [
        mention
        for mention in found.mentions
        if mention.kind == Kind.CONCEPT and not _taken(spans, mention.start, mention.end)
    ]
    plain = read_as(text, spans, concepts)
    if plain.operands:
        return [plain]
    members = [
        SubQuestionSpan(one.start, one.end, ChainOperand(one.text, concept=one.hits[0]))
        for one in concepts[:2]
    ]
    return [*(read_as(text, [*spans, one], ()) for one in members), plain]


def _values(found: Links) -> list[SubQuestionSpan]:
    """The stated values, each with the strings of the graph at the same place.

    Strings in lower case are uncertain.
    """
    spans = [
        SubQuestionSpan(one.start, one.end, SubQuestionValue(one.text, (one.value,), until=one.until))
        for one in found.literals
    ]
    for text in sorted(found.texts, key=lambda one: one.start - one.end):
        best = text.hits[0]
        same = next((span for span in spans if span.meets(text.start, text.end)), None)
        if same is None and best.how in ("exact", "folded"):
            stated = SubQuestionValue(best.value, (String(best.value),), best.predicates)
            spans.append(SubQuestionSpan(text.start, text.end, stated, not text.text[:1].islower()))
        elif (
            same is not None
            and isinstance(same.what, SubQuestionValue)
            and not (same.what.held or same.what.until)
        ):
            values = (*same.what.values, String(best.value))
            spans[spans.index(same)] = replace(
                same, what=SubQuestionValue(best.value, values, best.predicates)
            )
    return spans


def _taken(spans: Sequence[SubQuestionSpan], start: int, end: int) -> bool:
    return any(span.meets(start, end) for span in spans)
