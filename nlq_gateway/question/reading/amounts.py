"""Numbers of things that a question demands: "at least two pets", "more than one concert", "per month"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from compilers.kopl.functions import Kind
from compilers.kopl.values import Quantity
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.language import lexicon, tables
from nlq_gateway.question.reading.cues import cues_at
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.question.reading.request import request_of
from nlq_gateway.question.reading.words import read_once

# The comparison of a count with a number, and the amount to add to the number.
_BOUNDS = {">=": (">", -1), ">": (">", 0), "<=": ("<", 1), "<": ("<", 0), "=": ("=", 0)}
_FILLING, _HAVING = tables.words("filling"), tables.words("having")
# The first words of a command, and the degree to which the word after the number must name a kind.
_COMMAND = 4
_KIND = 0.7
_OF_ALL = lexicon.ARTICLES | tables.words("of_all")
_DIFFERENCE, _MUCH, _BY = tables.words("difference"), tables.words("how_much"), ("by",)
_MORE = tables.words("more_things")
_BEING = frozenset((word,) for word in lexicon.BE | lexicon.DO)
_OVER_ALL = frozenset(("Sum", "Average"))
_TOGETHER = tuple(tables.phrases_by("together"))
# The words of a noun at most, and the degree to which it is a name of the schema.
_NOUN, _NAMED = 2, 0.9


@dataclass(frozen=True, slots=True)
class HowMany:
    """A number of things that the question demands: the comparison, its words, what is counted."""

    operator: str
    number: int
    cue: frozenset[int]
    noun: frozenset[int]

    def is_met(self, number: int, operator: str) -> bool:
        """True if this is what a comparison with a number says: "at least 3" is more than 2."""
        plain, more = _BOUNDS.get(operator, (operator, 0))
        return (plain, number + more) == (self.operator, self.number)


@read_once
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


@read_once
def amounts_asked(reading: QuestionReading) -> frozenset[str]:
    """The IRIs of the amounts whose name follows "how many", where no class is called so."""
    begin = max(reading.count_cue, default=len(reading.lowers)) + 1
    for token in range(begin, min(begin + _NOUN, len(reading.lowers))):
        if not reading.names_concept(token, _KIND):
            said = (one for one in reading.index.schema if one.kind == Kind.ATTRIBUTE and one.is_amount)
            found = frozenset(one.iri for one in said if reading.evidence(one).get(token, 0.0) >= _NAMED)
            if found:
                return found
    return frozenset()


@read_once
def numbers_over_all(reading: QuestionReading) -> tuple[tuple[str, frozenset[int]], ...]:
    """The functions of all values together that "the total" and "on average" mean, with these words."""
    found = tuple(
        (cue.says, frozenset(range(at, at + len(cue.words))))
        for at, word in enumerate(reading.lowers, 1)
        if word in lexicon.ARTICLES
        and (cue := next(cues_at(reading.lowers, at), None))
        and cue.says in _OVER_ALL
    )
    stated = any(isinstance(literal.value, Quantity) for literal in reading.links.literals)
    return found or (taken_together(reading) if stated else ())


@read_once
def taken_together(reading: QuestionReading) -> tuple[tuple[str, frozenset[int]], ...]:
    """The same of words that stand apart, of things that have an amount: "do A and B cost in total"."""
    lowers = reading.lowers
    return tuple(
        (function, frozenset(range(at, at + len(words))))
        for words, function in _TOGETHER
        for at in range(len(lowers) - len(words) + 1)
        if lowers[at : at + len(words)] == words
    )


@read_once
def over_names(reading: QuestionReading) -> tuple[str, ...]:
    """The functions of several named things' amounts together that the question asks for."""
    over_all = (*taken_together(reading), *numbers_over_all(reading))
    amounts = [one for one in reading.index.schema if one.kind == Kind.ATTRIBUTE and one.is_amount]
    return tuple(function for function, cue in over_all if not is_in_name(reading, amounts, cue))


@read_once
def difference_asked(reading: QuestionReading) -> frozenset[int]:
    """The words that ask by how much two things differ: "the difference between", "how much longer than"."""
    lowers = reading.lowers
    for at, word in enumerate(lowers):
        if (
            word in _DIFFERENCE
            and "between" in lowers[at:]
            and not is_in_name(reading, reading.index.schema, (at,))
        ):
            return frozenset({at})
    for cue in reading.comparatives:
        how = _how_much(lowers, cue.token)
        if how is not None and "than" in lowers[cue.token :]:
            return frozenset({how, how + 1})
    return frozenset()


@dataclass(frozen=True, slots=True)
class MoreThings:
    """Two numbers of things: the word that compares, if more are meant, what is counted, and "than"."""

    cue: int
    wants_more: bool
    noun: int
    than: int


@read_once
def more_things(reading: QuestionReading) -> MoreThings | None:
    """The comparison of two numbers of things: "does A have more pets than B"."""
    lowers = reading.lowers
    for cue in reading.comparatives:
        noun = next((at for at in (cue.token + 1, cue.token + 2) if reading.names_concept(at, _NAMED)), None)
        if lowers[cue.token] in _MORE and noun is not None and "than" in lowers[noun:]:
            return MoreThings(cue.token, cue.degree.more_of(True), noun, lowers.index("than", noun))
    return None


def is_in_name(reading: QuestionReading, items: Iterable[SchemaItem], words: Iterable[int]) -> bool:
    """True if some word is of the name of an item: "goal difference", "total price"."""
    found = [reading.evidence(item) for item in items]
    return any(one.get(word, 0.0) >= _NAMED for word in words for one in found)


def periods_in(reading: QuestionReading, words: frozenset[int]) -> Mapping[int, str]:
    """The period that each of some words says, `year` or `month`; none where an attribute is called so."""
    said = {at: lexicon.PERIODS[word] for at in words if (word := reading.lowers[at]) in lexicon.PERIODS}
    own = (item for item in reading.index.schema if item.kind == Kind.ATTRIBUTE)
    return {} if is_in_name(reading, own, said) else said


@read_once
def periods_asked(reading: QuestionReading) -> frozenset[str]:
    """The periods for which a question asks a number one by one, or which has the most of something."""
    request = request_of(reading)
    groups = request.groups if request.numbers else ()
    ranked = request.asked if request.ranking is not None and request.ranking.counts else ()
    parts = (*groups, *ranked)
    return frozenset(period for part in parts for period in periods_in(reading, part.words).values())


def _how_much(lowers: Sequence[str], at: int) -> int | None:
    """The "how" of "how much longer", "how many metres longer is" and "by how much is it longer"."""
    for how in range(at - 1):
        if lowers[how] == "how" and lowers[how + 1] in _MUCH:
            asked = at == how + 2 or lowers[at + 1 : at + 2] in _BEING or lowers[how - 1 : how] == _BY
            return how if asked else None
    return None


@dataclass(frozen=True, slots=True)
class SomeOf:
    """So many of all that there are, and the word that says it."""

    number: int
    token: int


def some_of(reading: QuestionReading) -> SomeOf | None:
    """Return the number of members wanted, whichever they are: "name three rivers", "give me any four"."""
    lowers = reading.lowers
    at = next((n for n, word in enumerate(lowers[:_COMMAND]) if _number(word) is not None), 0)
    number = _number(lowers[at]) if at else None
    opens = lowers[:1] and lowers[0] in lexicon.COMMANDS and _FILLING.issuperset(lowers[1:at])
    if not number or not opens or reading.superlatives or reading.tokens[at].capitalised:
        return None
    return SomeOf(number, at) if reading.names_kind(at + 1, _KIND) else None


def _within_literals(reading: QuestionReading) -> frozenset[int]:
    """The words of values told by several words: in "100 million people" the 100 is no number of things."""
    values = (literal for literal in reading.links.literals if isinstance(literal.value, Quantity))
    covered = (
        [word for word in reading.covered(value) if reading.lowers[word] not in lexicon.ARTICLES]
        for value in values
    )
    return frozenset(word for words in covered if len(words) > 1 for word in words)


def _number(word: str) -> int | None:
    return (
        int(word) if word.isascii() and word.isdigit() and len(word) < 4 else lexicon.NUMBER_WORDS.get(word)
    )


def _bounded(reading: QuestionReading, at: int, number: int) -> HowMany | None:
    lowers = reading.lowers
    begin = next((i for i in range(at + 1, len(lowers)) if lowers[i] not in _OF_ALL), at + 1)
    noun = frozenset(range(begin, min(begin + 3, len(lowers))))
    after = lexicon.OPERATORS_BEHIND.get(lowers[at + 1 : at + 3])
    if after is not None:
        operator, more = _BOUNDS[after]
        noun = frozenset(range(at + 3, min(at + 6, len(lowers))))
        return HowMany(operator, number + more, frozenset({at, at + 1, at + 2}), noun)
    end = at - (lowers[at - 1 : at] == ("a",))
    for words, sign in lexicon.COUNT_OPERATORS:
        if lowers[max(0, end - len(words)) : end] == words:
            operator, more = _BOUNDS[sign]
            return HowMany(operator, number + more, frozenset(range(end - len(words), at + 1)), noun)
    if at and lowers[at - 1] in _HAVING:
        return HowMany("=", number, frozenset({at}), noun)
    return None
