"""Numbers of things that a question demands: "at least two pets", "more than one concert"."""

from __future__ import annotations

from dataclasses import dataclass

from compilers.kopl.values import Quantity
from nlq_gateway.question.reading import cues, lexicon
from nlq_gateway.question.reading.reading import QuestionReading

# Phrases before or behind a number, and how the count must compare with it, a whole number apart.
_BOUNDS: tuple[tuple[tuple[str, ...], str, int], ...] = (
    (("at", "least"), ">", -1),
    (("more", "than"), ">", 0),
    (("greater", "than"), ">", 0),
    (("over",), ">", 0),
    (("no", "more", "than"), "<", 1),
    (("at", "most"), "<", 1),
    (("less", "than"), "<", 0),
    (("fewer", "than"), "<", 0),
    (("exactly",), "=", 0),
    (("only",), "=", 0),
    (("mindestens",), ">", -1),
    (("mehr", "als"), ">", 0),
)
_OR_MORE: dict[tuple[str, ...], tuple[str, int]] = {
    ("or", "more"): (">", -1),
    ("or", "fewer"): ("<", 1),
    ("or", "less"): ("<", 1),
}
_FILLING = frozenset("me us any just only some the please".split())
# The first words of a command, and how surely the one behind the number must name a kind.
_COMMAND = 4
_KIND = 0.7
_HAVING = frozenset("have has had with having own owns".split())


@dataclass(frozen=True, slots=True)
class HowMany:
    """A number of things that the question demands: the comparison, its words, what is counted."""

    operator: str
    number: int
    cue: frozenset[int]
    noun: frozenset[int]


def how_many(reading: QuestionReading) -> tuple[HowMany, ...]:
    """The numbers of things in a question: "at least two pets", "more than one concert"."""
    within = _within_literals(reading)
    return tuple(
        found
        for at, word in enumerate(reading.lowers)
        if at not in within
        and (number := _number(word)) is not None
        and (found := _bounded(reading, at, number))
    )


@dataclass(frozen=True, slots=True)
class SomeOf:
    """So many of all that there are, and the word that says it."""

    number: int
    token: int


def some_of(reading: QuestionReading) -> SomeOf | None:
    """How many are to be named, whichever: "name three rivers", "give me any four engineers"."""
    lowers = reading.lowers
    at = next((n for n, word in enumerate(lowers[:_COMMAND]) if _number(word) is not None), 0)
    number = _number(lowers[at]) if at else None
    opens = lowers[:1] and lowers[0] in lexicon.COMMANDS and _FILLING.issuperset(lowers[1:at])
    if not number or not opens or reading.superlatives or reading.tokens[at].capitalised:
        return None
    return SomeOf(number, at) if reading.names_kind(at + 1, _KIND) else None


def _within_literals(reading: QuestionReading) -> frozenset[int]:
    """The words of values told by several words: in "100 million people" the 100 is no number of things."""
    covered = (
        reading.covered(literal) for literal in reading.links.literals if isinstance(literal.value, Quantity)
    )
    return frozenset(word for words in covered if len(words) > 1 for word in words)


def _number(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdigit() and len(word) < 4 else cues.NUMBERS.get(word)


def _bounded(reading: QuestionReading, at: int, number: int) -> HowMany | None:
    lowers = reading.lowers
    noun = frozenset(range(at + 1, min(at + 4, len(lowers))))
    after = _OR_MORE.get(lowers[at + 1 : at + 3])
    if after is not None:
        operator, more = after
        noun = frozenset(range(at + 3, min(at + 6, len(lowers))))
        return HowMany(operator, number + more, frozenset({at, at + 1, at + 2}), noun)
    for words, operator, more in sorted(_BOUNDS, key=lambda bound: -len(bound[0])):
        if lowers[max(0, at - len(words)) : at] == words:
            return HowMany(operator, number + more, frozenset(range(at - len(words), at + 1)), noun)
    if at and lowers[at - 1] in _HAVING:
        return HowMany("=", number, frozenset({at}), noun)
    return None
