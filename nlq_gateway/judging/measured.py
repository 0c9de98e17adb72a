"""What a superlative or a comparison plainly measures: numbers of things, times, what things have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compilers.kopl.functions import Kind
from compilers.kopl.program import Step
from compilers.kopl.values import Date, Year
from nlq_gateway.core.types import YEAR, LiteralMention, SchemaItem
from nlq_gateway.index.members import LEADING, Choices, behind_classes
from nlq_gateway.language import lexicon, tables
from nlq_gateway.question.reading.amounts import over_names
from nlq_gateway.question.reading.own import own_noun
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.question.reading.request import request_of
from nlq_gateway.question.reading.voice import has_objects

_BY_VALUE = frozenset({"SelectAmong", "SelectTop", "SelectNth"})
_OF_EACH = frozenset({"QueryAttr", "SelectBetween"})
_IN_TIME, _MULTIPLES = tables.words("in_time"), tables.words("multiples")
_ABOVE, _BELOW = frozenset({">", ">=", "="}), frozenset({"<", "<=", "="})
_BEING = frozenset((word,) for word in lexicon.BE)
_LACKING, _PEOPLE = tables.words("lacking"), tables.words("anybody")
# The degrees to which a word is of a name, and speaks of it at all.
_NAMED, _SPOKEN = 0.9, 0.5


def mismeasures(reading: QuestionReading, steps: Sequence[Step], meant: Choices) -> bool:
    """True if a program measures something else than the question plainly does.

    It ranks by a value where "the most films" are counted, takes the year in "in 2024" for an amount,
    compares with all managers where it is "than their manager", and with no multiple where it is "than twice
    that", or leaves out managers where those are asked for that "have no manager".
    """
    year = _takes_year_for_amount(reading, steps, meant)
    times = _times(reading) and {step.function for step in steps}.isdisjoint({"Calculate", "FilterAggregate"})
    own = bool(own_noun(reading)) and not any(_compares_own(steps, at) for at in range(len(steps)))
    ranks = _ranks_by_value(reading, steps, meant) or _leaves_out_had(reading, steps, meant)
    return (
        year or times or own or ranks or _misses_range(reading, steps) or _shows_each(reading, steps, meant)
    )


def _ranks_by_value(reading: QuestionReading, steps: Sequence[Step], meant: Choices) -> bool:
    """True if the most of a class are wanted, and the program takes the largest value of something else."""
    ranking = request_of(reading).ranking
    after = min(ranking.after, default=None) if ranking is not None and ranking.counts else None
    if after is None or reading.lowers[after] in _PEOPLE or not reading.names_concept(after, _NAMED):
        return False
    ranked = (meant.get((at, 0), "") for at, step in enumerate(steps) if step.function in _BY_VALUE)
    measures = [reading.index.item(Kind.ATTRIBUTE, iri) for iri in ranked]
    return bool(measures) and not any(
        item is not None and reading.evidence(item).get(after, 0.0) >= _SPOKEN for item in measures
    )


def _takes_year_for_amount(reading: QuestionReading, steps: Sequence[Step], meant: Choices) -> bool:
    """True if an amount is compared with a year: "in 2024" is a time."""
    years = set(_years(reading))
    compared = (
        reading.index.item(Kind.ATTRIBUTE, meant.get((at, 0), ""))
        for at, step in enumerate(steps)
        if step.function == "FilterNum" and step.inputs[1].partition(" ")[0] in years
    )
    return any(item is not None and item.is_amount for item in compared)


def _years(reading: QuestionReading) -> Iterator[str]:
    """The numbers behind words for times."""
    at_one = (at for at in reading.literals_of_a_word if at and reading.lowers[at - 1] in _IN_TIME)
    yield from (reading.lowers[at] for at in at_one if YEAR.fullmatch(reading.lowers[at]))


def _times(reading: QuestionReading) -> bool:
    """True if a comparison is with a multiple: "more than ten times what they cost", "twice as much as"."""
    lowers = reading.lowers
    return any(
        word in _MULTIPLES
        and ("than" in lowers[max(0, at - 2) : at] or "as" in lowers[at + 1 : at + 3])
        and (at not in reading.named or at in reading.literals_of_a_word)
        for at, word in enumerate(lowers)
    )


def _compares_own(steps: Sequence[Step], at: int) -> bool:
    """True if a step compares values of one line: of things and of what each leads to."""
    if steps[at].function not in ("FilterCompare", "Calculate"):
        return False
    first, second = (_begin(steps, one) for one in steps[at].dependencies)
    return first == second


def _begin(steps: Sequence[Step], at: int) -> int:
    while steps[at].dependencies:
        at = steps[at].dependencies[0]
    return at


def _leaves_out_had(reading: QuestionReading, steps: Sequence[Step], meant: Choices) -> bool:
    """True if those are asked for that have none of something, and the program takes that itself away."""
    left_out = (step.dependencies[1] for step in steps if step.function == "Except")
    return any(_is_lacked(reading, steps, at, meant) for at in left_out)


def _is_lacked(reading: QuestionReading, steps: Sequence[Step], at: int, meant: Choices) -> bool:
    """True if a set is all of what the question wants none of, or what has it the other way round."""
    by_class, at = behind_classes(steps, at)
    if steps[at].function == "FindAll":
        classes = (reading.index.item(Kind.CONCEPT, meant.get((one, 0), "")) for one in by_class)
        return any(_lacks(reading, concept) for concept in classes)
    relation = reading.index.item(Kind.RELATION, meant.get((at, 0), ""))
    objects = has_objects(reading, relation) if relation is not None and _lacks(reading, relation) else None
    if objects is None or steps[at].function not in LEADING:
        return False
    leads = objects == (steps[at].inputs[1] == "forward")
    # Those that have something are taken away, not what they have.
    return leads if steps[at].function == "Relate" else not leads


def _lacks(reading: QuestionReading, item: SchemaItem | None) -> bool:
    """True if "no" or "without" stands before a word for an item, perhaps with an article, and no "are"."""
    lowers = reading.lowers
    for noun, degree in reading.evidence(item).items() if item is not None else ():
        at = noun - 1 - (noun > 0 and lowers[noun - 1] in lexicon.ARTICLES)
        if degree >= _NAMED and at >= 0 and lowers[at] in _LACKING and lowers[at - 1 : at] not in _BEING:
            return True
    return False


def _misses_range(reading: QuestionReading, steps: Sequence[Step]) -> bool:
    """True if the question says "between A and B", and the program has no bound of one or the other.

    What is one word, "24-0233", may be a part of a code.
    """
    bounds = [one.bounds for one in reading.links.literals if one.bounds and " " in one.text]
    return any(not (_bounds(steps, low, _ABOVE) and _bounds(steps, high, _BELOW)) for low, high in bounds)


def _bounds(steps: Sequence[Step], literal: LiteralMention, signs: frozenset[str]) -> bool:
    """True if a step bounds values by a number, or by a time, which may be its neighbour."""
    compared = [step.inputs[-2] for step in steps if len(step.inputs) > 1 and step.inputs[-1] in signs]
    if not isinstance(literal.value, Year | Date):
        return bool(compared)
    near = {str(literal.value.year + more) for more in (-1, 0, 1)}
    return any(text.partition("-")[0] in near for text in compared)


def _shows_each(reading: QuestionReading, steps: Sequence[Step], meant: Choices) -> bool:
    """True if two names have an amount together, and the program shows it of each, or compares both."""
    shown = (meant.get((at, 0), "") for at, step in enumerate(steps) if step.function in _OF_EACH)
    amounts = [item for iri in shown if (item := reading.index.item(Kind.ATTRIBUTE, iri)) and item.is_amount]
    asked = set(over_names(reading))
    functions = [step.function for step in steps]
    taken = "Table" not in functions and not {*asked, "Calculate"}.isdisjoint(functions)
    both = functions.count("Find") > 1 and "And" not in functions
    return bool(asked and amounts) and both and not taken
