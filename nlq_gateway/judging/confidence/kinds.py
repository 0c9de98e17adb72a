"""Whether an answer may be of the kind that is asked for, as far as is known.

By the classes that the index has seen, where the question names one; by the question word: no date is
somebody, and no thing says how much; and by what is measured or done: no power says how expensive, and no
film what somebody ate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from compilers.answers import Answer, AnswerValue
from compilers.kopl.functions import Kind, Type
from compilers.kopl.program import Program
from nlq_gateway.index import found_classes
from nlq_gateway.index.members import Choices, has_labels, shown_alone
from nlq_gateway.judging.confidence.account import LINKED, PLAIN, Account
from nlq_gateway.language import lexicon
from nlq_gateway.question.reading.deeds import deed_asked, tells_when
from nlq_gateway.question.reading.measures import is_age, is_any, measure_asked

_TIMES = ("date", "dateTime", "gYear", "gYearMonth", "time")
# Less than the least likeness of a verb to the right relation ("make" of directed by).
_SAID = 0.1
_ASKING = lexicon.ASKING | lexicon.CHOICE_WORDS
_AND_BY = (("and", "by"), ("and", "in"), ("and", "from"), ("and", "to"))
_Test = Callable[[AnswerValue], bool]


def is_of_class(account: Account, program: Program, meant: Choices) -> bool:
    """Whether the things found may be of the class that the question names."""
    classes, asked = found_classes(program, meant, account.index), account.asked_classes
    return not classes or not asked or not classes.isdisjoint(asked)


def is_all_asked(account: Account, program: Program) -> bool:
    """Whether there are several columns where two question words ask: "when and where", "who, and when"."""
    lowers = account.reading.lowers
    asking = [at for at, word in enumerate(lowers) if word in _ASKING]
    both = any(
        lowers[at - 1] == "and" or lowers[at - 2 : at] in _AND_BY or lowers[at + 1 : at + 2] == ("and",)
        for at in asking[1:] or ()
    )
    relative = any(lowers[at] in lexicon.RELATIVE and lowers[at - 1] != "and" for at in asking[1:])
    opens = bool(asking) and asking[0] <= 1
    return not (both and opens) or relative or program.steps[-1].signature.output == Type.ROWS


def is_asked_value(account: Account, program: Program, meant: Choices) -> bool:
    """Whether values of things are what is asked for, where the question names the things' class.

    "Which city has the largest population" asks for a city, not for its country, nor for the population. Of
    things without labels any value may be what they are called.
    """
    at = shown_alone(program)
    item = account.index.item(Kind.ATTRIBUTE, meant.get((at, 0), ""))
    if program.steps[at].function != "QueryAttr" or item is None or not (asked := account.asked_classes):
        return True
    named = {meant[place] for place in meant if program.steps[place[0]].function == "FilterConcept"}
    said = account.reading.evidence(item)
    if asked.isdisjoint(named) or any(said.get(word, 0.0) > PLAIN for word in account.asked_nouns):
        return True
    return not any(has_labels(concept, account.index) for concept in named & asked)


def suits_word(account: Account, answer: Answer | None) -> bool:
    """Whether some value answers the question's first word."""
    is_wrong = _never(account.reading.lowers)
    return answer is None or answer.nothing or is_wrong is None or not all(map(is_wrong, answer.values))


def is_measure_said(account: Account, answer: Answer | None) -> bool:
    """Whether the program has anything to do with the measure that is asked for; dates have with any age."""
    lowers = account.reading.lowers
    measure = measure_asked(lowers)
    if answer is None or measure is None or is_any(lowers[measure]) or is_age(lowers[measure]):
        return True
    return account.accounted.get(measure, 0.0) > 0


def is_deed_said(account: Account) -> bool:
    """Whether the program has anything to do with what was done: nobody eats the films that he is in."""
    deed = deed_asked(account.reading)
    return deed is None or account.accounted.get(deed, 0.0) >= _SAID


def is_time_said(account: Account, program: Program, meant: Choices) -> bool:
    """Whether a word speaks of the attribute that tells "when": what happened then, or its own name."""
    reading, last = account.reading, len(program) - 1
    item = account.index.item(Kind.ATTRIBUTE, meant.get((last, 0), ""))
    told = (at for at, weight in enumerate(reading.weights) if weight > 0 and tells_when(reading.lowers[at]))
    words = set(told) - reading.named
    if lexicon.TIME_WORDS.isdisjoint(reading.lowers[:1]) or not words or item is None:
        return True
    return any(degree >= LINKED for at, degree in reading.evidence(item).items() if at not in reading.named)


def _is_time(value: AnswerValue) -> bool:
    return bool(value.datatype) and str(value.datatype).endswith(_TIMES)


def _is_amount(value: AnswerValue) -> bool:
    return value.type == "number"


def _is_time_or_amount(value: AnswerValue) -> bool:
    return _is_time(value) or _is_amount(value)


_NEVER: Mapping[frozenset[str], _Test] = {
    lexicon.PERSON_WORDS: _is_time_or_amount,
    lexicon.PLACE_WORDS: _is_time_or_amount,
}


def _never(lowers: tuple[str, ...]) -> _Test | None:
    """What no answer is to a question that begins with such a word, a preposition before it perhaps."""
    first = next((word for word in lowers if word not in lexicon.JOINING), "")
    measure = measure_asked(lowers)
    if first in lexicon.HOW_WORDS and measure is not None:
        return lambda value: value.type == "iri"
    return next((test for words, test in _NEVER.items() if first in words), None)
