"""Superlatives that cut an answer: "the three oldest", "the most members", "the top 5 by price"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compilers.kopl.values import Quantity
from nlq_gateway.language import lexicon, tables
from nlq_gateway.question.reading import cues
from nlq_gateway.question.reading.cues import Role
from nlq_gateway.question.reading.reading import QuestionReading, Superlative

_COUNTING, _FREQUENT = tables.words("counting_degrees"), tables.words("frequent")


@dataclass(frozen=True, slots=True)
class Ranking:
    """A superlative that cuts the answer: how many are left, and whether they are those with more."""

    superlative: Superlative | None
    cue: frozenset[int]
    number: int
    more: bool
    after: frozenset[int]
    counts: bool = False


def ranking_of(reading: QuestionReading, ordering: frozenset[int]) -> Ranking | None:
    """The superlative of a question that no order is told with; `ordering` are the words of that."""
    lowers = reading.lowers
    for superlative in reading.superlatives:
        at = superlative.token
        before = lowers[at - 1] if at else ""
        if reading.place_before(at) or at in ordering or (before == "at" and lowers[at] in ("least", "most")):
            continue
        return _ranked(reading, superlative, at)
    for at, word in enumerate(lowers):
        if word in ("top", "bottom") and at not in reading.named and _number_at(reading, at + 1):
            number = _number_at(reading, at + 1)
            after = _measure(at + 1, lowers) or _following(at + 1, lowers)
            return Ranking(None, frozenset({at, at + 1}), number, word == "top", after)
    return None


def _ranked(reading: QuestionReading, superlative: Superlative, at: int) -> Ranking:
    lowers = reading.lowers
    number, used = 1, {at}
    asked = (1,) if lowers[0] in lexicon.CHOICE_WORDS else ()
    apart = {at - 1} if reading.mark_before(at) else set()
    for beside in (*asked, at - 1, at + 1):
        if 0 <= beside < len(lowers) and beside not in apart and _number_at(reading, beside):
            number = _number_at(reading, beside)
            used.add(beside)
    first = min(used.difference(asked), default=at)
    if first and lowers[first - 1] == "top":
        used.add(first - 1)
    counts = superlative.degree.hints == () and lowers[at] in _COUNTING
    after = sorted(_following(max(used), lowers))
    while after and (lowers[after[0]] in lexicon.COUNTING or lowers[after[0]] == "of"):
        used.add(after.pop(0))
        counts = True
    if at + 1 < len(lowers) and lowers[at + 1] in _FREQUENT:
        used.add(at + 1)
        counts = True
    elif counts and at + 1 < len(lowers) and lowers[at + 1] in lexicon.how_hints(reading.language):
        used.add(at + 1)
        after, counts = [at + 1], False
    return Ranking(superlative, frozenset(used), number, superlative.degree.more, frozenset(after), counts)


def _number_at(reading: QuestionReading, position: int) -> int:
    if not 0 <= position < len(reading.lowers):
        return 0
    word = reading.lowers[position]
    literal = reading.literals_of_a_word.get(position)
    if literal is not None and isinstance(literal.value, Quantity):
        return int(literal.value.number) if literal.value.number.is_integer() else 0
    return lexicon.NUMBERS.get(word, 0)


def _measure(position: int, lowers: tuple[str, ...]) -> frozenset[int]:
    """Return the words after "by": the measure of "the top 3 shops by size"."""
    by = next((at for at in range(position + 1, len(lowers)) if lowers[at] in lexicon.BY), None)
    return frozenset() if by is None else _following(by, lowers)


def _following(position: int, lowers: tuple[str, ...]) -> frozenset[int]:
    """The noun phrase behind a word: up to four words, to the next verb or clause."""
    return frozenset(_phrase(position + 1, lowers))


def _phrase(position: int, lowers: tuple[str, ...]) -> Iterator[int]:
    for at in range(position, min(position + 4, len(lowers))):
        cue = cues.CUES.get((lowers[at],))
        if cue is not None and cue.role in (Role.CONDITION, Role.SET, Role.GROUP) and lowers[at] != "of":
            return
        yield at
