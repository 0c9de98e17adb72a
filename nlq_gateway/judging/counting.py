"""Numbers that a question plainly speaks of: of things, of all of a class, of an amount by its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compilers.kopl.functions import Kind
from compilers.kopl.program import Step
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.members import Choices
from nlq_gateway.question.reading.amounts import (
    HowMany,
    amounts_asked,
    difference_asked,
    how_many,
    is_in_name,
    more_things,
    numbers_over_all,
    some_of,
)
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.question.reading.request import request_of
from nlq_gateway.question.reading.wholes import every_one, share_of

# Steps that find more than one thing, and what else states a number over all: the total of its members.
_SEVERAL = frozenset({"FindAll", "Relate"})
_INSTEAD = {"Sum": ("Count", "CountValues", "FilterAggregate"), "Average": ("FilterAggregate",)}
# Steps that compare numbers for each of some things.
_OF_EACH = frozenset({"Table", "FilterCount", "SelectTopBy"})
_KEEPING = frozenset({"SelectTop", "SelectTopBy", "LimitTable"})
_COMPARING = frozenset({"FilterNum", "VerifyNum"})
# The degrees to which a word is of a name, and speaks of it at all.
_NAMED, _SPOKEN = 0.9, 0.5


def misses_number(reading: QuestionReading, steps: Sequence[Step], meant: Choices) -> bool:
    """True if a program does without the number that the question plainly speaks of.

    It compares a value in place of a number of things, or each value where the verdict is on their sum or
    average, says nothing of a whole class or no share of it, keeps another number of the best, or all where
    some are wanted, counts things where an amount is called so, or calculates no formula.
    """
    each = reading.asks_verdict and _compares_each(reading, steps, meant)
    takes_value = each or _takes_count_for_value(reading, steps, meant)
    leaves = _leaves_whole(reading, steps) or _leaves_amount(reading, meant)
    other = _keeps_other(reading, steps) or _compares_no_numbers(reading, steps)
    return takes_value or leaves or other or _leaves_formula(reading, steps)


def _leaves_formula(reading: QuestionReading, steps: Sequence[Step]) -> bool:
    """True if a name is said to be a formula, or a difference is asked for, and nothing is calculated."""
    asked = bool(difference_asked(reading)) or any(one.name for one in request_of(reading).formulas)
    return asked and "Calculate" not in {step.function for step in steps}


def _keeps_other(reading: QuestionReading, steps: Sequence[Step]) -> bool:
    """True if so many are wanted, "the ten longest" or "any three", and the program keeps others."""
    if some_of(reading) is not None and "LimitTable" not in {step.function for step in steps}:
        return True
    ranking = request_of(reading).ranking
    kept = {step.inputs[-1].partition(" ")[0] for step in steps if step.function in _KEEPING}
    return ranking is not None and ranking.number > 1 and str(ranking.number) not in kept


def _compares_no_numbers(reading: QuestionReading, steps: Sequence[Step]) -> bool:
    """True if the question compares two numbers of things, and the program counts only one, or none."""
    functions = [step.function for step in steps]
    if more_things(reading) is None or not _OF_EACH.isdisjoint(functions):
        return False
    both = reading.asks_verdict or bool(difference_asked(reading))
    return functions.count("Count") < 1 + both


def _leaves_whole(reading: QuestionReading, steps: Sequence[Step]) -> bool:
    """True if the question asks for a share of a class, or of all in it, and the program states neither."""
    if share_of(reading) is not None:
        return "Number" not in {step.function for step in steps}
    return every_one(reading) is not None and not _counts(steps, others=True)


def _counts(steps: Sequence[Step], *, others: bool = False) -> bool:
    """True if the verdict is on a number of things; with `others`, of those outside a set."""
    counted = steps[steps[-1].dependencies[0]] if steps[-1].function == "VerifyNum" else steps[-1]
    if counted.function != "Count":
        return False
    return not others or steps[counted.dependencies[0]].function == "Except"


def _takes_count_for_value(reading: QuestionReading, steps: Sequence[Step], meant: Choices) -> bool:
    """True if a value is compared with the number of things that "more than 20 films" says, or nothing is.

    An attribute may tell that number: "more than 20 employees". Of what is "there", things are counted.
    """
    wanted = [one for one in how_many(reading) if one.noun and _counts_things(reading, min(one.noun))]
    of_class = any(reading.lowers[min(one.cue) - 1] == "there" for one in wanted)
    if of_class and "Find" not in {step.function for step in steps} and not _counts(steps):
        return True
    several = (one.number for one in how_many(reading) if one.number and len(one.cue) > 1)
    if not all(_states(steps, number) for number in several) or _counts_others(reading, steps):
        return True
    return any(_compares_count(reading, steps, at, meant, one) for one in wanted for at in range(len(steps)))


def _counts_others(reading: QuestionReading, steps: Sequence[Step]) -> bool:
    """True if a number of things is compared otherwise than said: "exactly two" is not two or more."""
    said = [one for one in how_many(reading) if len(one.cue) > 1]
    for step in steps:
        number, operator = step.inputs[:2] if step.function == "FilterCount" else ("", "")
        near = [one for one in said if number in _near(one.number)]
        if near and not any(one.is_met(int(number), operator) for one in near):
            return True
    return False


def _counts_things(reading: QuestionReading, at: int) -> bool:
    """True if a word, or the next, names a class: "five CO2 sensors"."""
    return reading.names_concept(at, _NAMED) or reading.names_concept(at + 1, _NAMED)


def _states(steps: Sequence[Step], number: int) -> bool:
    """True if a step compares with a number, or with its neighbour."""
    stated = {text.partition(" ")[0] for step in steps for text in step.inputs}
    return not stated.isdisjoint(_near(number))


def _compares_count(
    reading: QuestionReading, steps: Sequence[Step], at: int, meant: Choices, wanted: HowMany
) -> bool:
    """True if a step compares a value that tells no such number with the number of things wanted.

    A value of the counted things themselves tells none: how long films are.
    """
    step = steps[at]
    if step.function not in _COMPARING or step.inputs[-2].partition(" ")[0] not in _near(wanted.number):
        return False
    own, noun = at if step.function == "FilterNum" else step.dependencies[0], min(wanted.noun)
    if steps[own].function == "Count":
        return False
    item = reading.index.item(Kind.ATTRIBUTE, meant.get((own, 0), ""))
    if item is None or not item.is_amount or reading.evidence(item).get(noun, 0.0) < _SPOKEN:
        return True
    return any(reading.evidence(kind).get(noun, 0.0) > _NAMED for kind in _kinds(reading, item))


def _kinds(reading: QuestionReading, item: SchemaItem) -> Iterator[SchemaItem]:
    """The classes whose members have a relation or an attribute."""
    found = (reading.index.item(Kind.CONCEPT, iri) for iri, _ in item.domains)
    yield from filter(None, found)


def _near(number: int) -> tuple[str, ...]:
    """A number and its neighbours: "at least 5" is more than 4."""
    return str(number - 1), str(number), str(number + 1)


def _compares_each(reading: QuestionReading, steps: Sequence[Step], meant: Choices) -> bool:
    """True if "the total" or "the average" is of several values, and the program does not calculate it.

    The total length of one river is its length; an average is never of one thing.
    """
    functions = {step.function for step in steps}
    of_one = functions.isdisjoint(_SEVERAL)
    used = [item for item in reading.index.schema if item.iri in meant.values()]
    return any(
        functions.isdisjoint((function, *_INSTEAD[function])) and not is_in_name(reading, used, cue)
        for function, cue in numbers_over_all(reading)
        if function == "Average" or not of_one
    )


def _leaves_amount(reading: QuestionReading, meant: Choices) -> bool:
    """True if "how many" asks for an amount of the graph by its name, and the program does without it."""
    asked = amounts_asked(reading)
    return bool(asked) and asked.isdisjoint(meant.values())
