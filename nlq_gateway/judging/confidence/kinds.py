"""Checks that an answer may be of the asked kind, as far as is known.

By the classes in the index, if the question names one; by names, in the place of keys; and by the measure: no
power answers "how expensive", and no date of birth "how old was she when she died".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from compilers.answers import Answer, AnswerValue
from compilers.kopl.functions import Kind, Type, ValueType
from compilers.kopl.program import Program
from compilers.kopl.values import value_or_none
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index import Index, found_classes
from nlq_gateway.index.members import Choices, is_named, shown_alone, shown_columns
from nlq_gateway.judging.confidence.account import LINKED, PLAIN, Account
from nlq_gateway.language import lexicon, tables
from nlq_gateway.language.detection import ENGLISH
from nlq_gateway.question.reading.measures import is_age, is_any, measure_asked

# So many things that were found are looked at.
_LOOKED_AT = 50
_DATED = frozenset({ValueType.YEAR, ValueType.DATE})
_TIMES = ("date", "dateTime", "gYear", "gYearMonth", "time")
_Test = Callable[[AnswerValue], bool]


def is_of_class(account: Account, program: Program, meant: Choices, answer: Answer | None) -> bool:
    """True if all things found may be of the class that the question names."""
    classes, asked = found_classes(program, meant, account.index), account.asked_classes
    if not asked or (classes and classes.isdisjoint(asked)):
        return not asked
    shown = answer.values[:_LOOKED_AT] if answer and answer.output != Type.ROWS else ()
    members = [account.index.entity(value.value) for value in shown if value.type == "iri"]
    known = [frozenset(one.concepts) for one in members if one is not None and one.concepts]
    return len(known) < len(shown) or not any(map(asked.isdisjoint, known))


def _is_key(item: SchemaItem, index: Index) -> bool:
    """True if an attribute has numbers for things of a class by which it is called, and which have names."""
    is_text = not item.value_types or ValueType.STRING in item.value_types
    return not is_text and any(is_named(one.iri, index) for one in index.named(Kind.CONCEPT, item.label))


def is_told_by_name(program: Program, meant: Choices, index: Index, answer: Answer | None) -> bool:
    """True if things that have names are not told by their keys, alone or in a table."""
    shown = (index.item(Kind.ATTRIBUTE, meant.get((at, 0), "")) for at in shown_columns(program))
    if any(_is_key(item, index) for item in shown if item is not None):
        return False
    keys = [value for value in answer.values if value.type == "iri" and "=" in str(value)] if answer else []
    classes = found_classes(program, meant, index) or {
        meant[place] for place in meant if program.steps[place[0]].function == "FilterConcept"
    }
    return not keys or not any(is_named(concept, index) for concept in classes)


def is_measure_said(account: Account, answer: Answer | None) -> bool:
    """True if the program has anything to do with the measure that is asked for, an age apart.

    Of a measure that is named the adjective says nothing more: "how high is the salary".
    """
    lowers = account.reading.lowers
    measure = measure_asked(lowers)
    if answer is None or measure is None or is_any(lowers[measure]) or is_age(lowers[measure]):
        return True
    named = any(
        item.kind == Kind.ATTRIBUTE and max(account.reading.evidence(item).values(), default=0.0) > PLAIN
        for item in account.items
    )
    return named or account.accounted.get(measure, 0.0) > 0


def is_number_told(account: Account, answer: Answer | None) -> bool:
    """True unless dates answer "how many": "how many years ago" is no date."""
    if answer is None or answer.output == Type.ROWS or not account.reading.count_cue:
        return True
    return not answer.values or not all(map(_is_time, answer.values))


def is_age_told(account: Account, program: Program, meant: Choices, answer: Answer | None) -> bool:
    """True if a date that answers "how old" is the beginning of what is asked about, and no more is asked.

    The age at an event is none, as years between two dates cannot be stated: "how old was she when she died".
    Nor does a thing's name tell an age.
    """
    reading, at = account.reading, shown_alone(program)
    measure, function = measure_asked(reading.lowers), program.steps[at].function
    if measure is None or not is_age(reading.lowers[measure]):
        return True
    if not function.startswith("Query"):
        return program.steps[-1].signature.output != Type.NAMES
    item = account.index.item(Kind.ATTRIBUTE, meant.get((at, 0), ""))
    dated = item is None or (bool(item.value_types) and _DATED.issuperset(item.value_types))
    if not dated and not (answer and answer.values and all(map(_is_time, answer.values))):
        return True
    if item is None or function != "QueryAttr" or _is_at_event(account, measure):
        return False
    said = (reading.evidence(one).get(measure, 0.0) for one in _dates(account) if _is_beside(one, item))
    return reading.evidence(item).get(measure, 0.0) >= max(said, default=0.0)


def _dates(account: Account) -> list[SchemaItem]:
    return [one for one in account.index.schema if _DATED.intersection(one.value_types)]


def _is_beside(one: SchemaItem, other: SchemaItem) -> bool:
    """True if things of some class have both."""
    return not dict(one.domains).keys().isdisjoint(dict(other.domains))


def _is_at_event(account: Account, measure: int) -> bool:
    """True if more than whose age is asked for, or it is a guess whose: no word speaks of a relation."""
    reading = account.reading
    led = [reading.evidence(one) for one in account.items if one.kind == Kind.RELATION]
    spoken = [{word for word in found if found[word] >= LINKED} - reading.named - {measure} for found in led]
    whose = {word for found in led for word, degree in found.items() if degree > PLAIN}
    others = set(account.words.content) - reading.named - whose - {measure}
    dates = map(reading.evidence, _dates(account))
    events = {word for found in dates for word, degree in found.items() if degree > PLAIN}
    said = others & events if account.words.is_known else others
    return bool(said) or not all(spoken) or not lexicon.TIME_WORDS.isdisjoint(reading.lowers[measure:])


def suits_word(account: Account, answer: Answer | None) -> bool:
    """True if some value answers the question's first word, in a language that the judge does not read."""
    is_wrong = _never(account.reading.lowers) if account.reading.language != ENGLISH else None
    return answer is None or answer.nothing or is_wrong is None or not all(map(is_wrong, answer.values))


def is_known(account: Account) -> bool:
    """True if something in the graph has to do with every word but that of a measure.

    In a language that the embedding model does not know, synonyms are unknown: such a word asks for what the
    graph lacks.
    """
    lowers, tag = account.reading.lowers, account.reading.language
    if tag == ENGLISH or account.index.compares(tag) or not account.words.is_known:
        return True
    strange = set(account.words.content) - account.linked - {measure_asked(lowers)}
    # The question has only names: the request about them is a guess.
    spoken = (account.reading.evidence(item) for item in account.items if item.kind != Kind.CONCEPT)
    guessed = account.reading.named.issuperset(account.words.content) and not all(spoken)
    light = tables.own_words(tag, "light_verbs")
    return not guessed and all(lowers[at] in light for at in strange)


def _is_time(value: AnswerValue) -> bool:
    return (value.type == "literal" and value_or_none(value.value, ValueType.DATE) is not None) or (
        bool(value.datatype) and str(value.datatype).endswith(_TIMES)
    )


def _is_time_or_amount(value: AnswerValue) -> bool:
    return _is_time(value) or value.type == "number"


def _is_no_time(value: AnswerValue) -> bool:
    named = value.type == "iri" and not any(letter.isdigit() for letter in str(value))
    return named or (value.type == "number" and value.unit is not None)


_NEVER: Mapping[frozenset[str], _Test] = {
    lexicon.PERSON_WORDS: _is_time_or_amount,
    lexicon.PLACE_WORDS: _is_time_or_amount,
    lexicon.TIME_WORDS: _is_no_time,
}


def _never(lowers: tuple[str, ...]) -> _Test | None:
    """A test for values that answer no question with this first word, after a preposition perhaps."""
    first = next((word for word in lowers if word not in lexicon.JOINING), "")
    measure = measure_asked(lowers)
    if first in lexicon.HOW_WORDS and measure is not None:
        aged = is_age(lowers[measure])
        return lambda value: value.type == "iri" or (_is_time(value) and not aged)
    return next((test for words, test in _NEVER.items() if first in words), None)
