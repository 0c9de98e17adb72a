"""What a question plainly says: a verdict, a denial, a number of things, a relation's subject and object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compilers.kopl.functions import Kind, Type
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import Draft, SchemaItem
from nlq_gateway.index.members import LEADING, Choices, StepReader, shown_columns
from nlq_gateway.judging.directions import told_of
from nlq_gateway.language import tables
from nlq_gateway.question.reading.amounts import (
    HowMany,
    amounts_asked,
    difference_asked,
    how_many,
    numbers_over_all,
    some_of,
)
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.question.reading.request import request_of
from nlq_gateway.question.reading.voice import had_items, is_had, leads, leads_from, said_firmly

# KoPL has no function for it.
_NO_FUNCTION = tables.words("no_function")
_DENYING = frozenset({"Except", "ExceptTable"})
# "Not before 1990" is in 1990 or later, and what is not active has the value false.
_DENIED = frozenset({"!=", "<=", ">=", "false"})
_ANYTHING = tables.words("anything")
_ALL = frozenset({"FindAll", "FilterConcept"})
# Steps that find more than one thing, and what else states a number over all: the total of its members.
_SEVERAL = frozenset({"FindAll", "Relate"})
_INSTEAD = {"Sum": ("Count", "CountValues", "FilterAggregate"), "Average": ("FilterAggregate",)}
_COMPARING = frozenset({"FilterNum", "VerifyNum"})
# The degrees to which a word is of a name, and speaks of it at all.
_NAMED, _SPOKEN = 0.9, 0.5
_SHOWING = frozenset({"What", "QueryAttr", "FilterConcept"})


def asks_so(reading: QuestionReading, draft: Draft, meant: Choices) -> bool:
    """True if the question itself says which of two names is the subject, as the verdict's program has it.

    "Does the film direct its director" has the answer no, though nothing could ever be its answer.
    """
    is_verdict = draft.program.steps[-1].function == "Exists"
    return is_verdict and any(told is True for told in _between(reading, draft, meant))


def asks_otherwise(reading: QuestionReading, draft: Draft, meant: Choices) -> bool:
    """True if the program does not do what the question plainly asks.

    It gives no verdict, denies nothing, gives all where some are wanted, calculates nothing where a name is
    said to be a formula or a difference is asked for, compares all of a class with a thing, compares each
    value where the verdict is on their sum or average, swaps subject and object, shows what things have
    instead of the things, counts things instead of asking for their number, or no function of KoPL gives
    what is asked. The direction of a relation is left to the network where that reads it (`told_of`).
    """
    no_verdict = draft.program.steps[-1].signature.output != Type.VERDICT
    is_read = told_of(reading.links, draft, reading.index) is not None
    if reading.asks_verdict and (no_verdict or (not is_read and False in _between(reading, draft, meant))):
        return True
    if (reading.denials and not _denies(draft.program)) or not _NO_FUNCTION.isdisjoint(reading.lowers):
        return True
    functions = {step.function for step in draft.program.steps}
    if _takes_count_for_value(reading, draft.program.steps, meant):
        return True
    if reading.asks_verdict and _compares_each(reading, draft.program.steps, meant):
        return True
    if some_of(reading) is not None and "LimitTable" not in functions:
        return True
    calculated = difference_asked(reading) or any(one.name for one in request_of(reading).formulas)
    if calculated and "Calculate" not in functions:
        return True
    if _compares_all(draft.program.steps):
        return True
    turned = () if is_read else (*_from(reading, draft, meant), *_having(reading, draft, meant))
    return False in turned or _misses_who_has(reading, draft, meant) or _leaves_amount(reading, meant)


def _compares_all(steps: Sequence[Step]) -> bool:
    """True if one of two things that are compared is a whole class: the greatest of all is no answer."""
    compared = (end for step in steps if step.function == "SelectBetween" for end in step.dependencies)
    return any(_is_class(steps, end) for end in compared)


def _takes_count_for_value(reading: QuestionReading, steps: Sequence[Step], meant: Choices) -> bool:
    """True if a value is compared with the number of things that "more than 20 films" says.

    An attribute may tell that number: "more than 20 employees". No verdict states that of a whole class: "are
    there more than 20 films?".
    """
    wanted = [one for one in how_many(reading) if one.noun and reading.names_concept(min(one.noun), _NAMED)]
    of_class = any(reading.lowers[min(one.cue) - 1] == "there" for one in wanted)
    if of_class and "Find" not in {step.function for step in steps}:
        return True
    return any(_compares_count(reading, steps, at, meant, one) for one in wanted for at in range(len(steps)))


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
    """True if "the total" or "the average" is of several values, and the program does not calculate it."""
    functions = {step.function for step in steps}
    if functions.isdisjoint(_SEVERAL):
        return False
    return any(
        functions.isdisjoint((function, *_INSTEAD[function])) and not _is_in_name(reading, meant, cue)
        for function, cue in numbers_over_all(reading)
    )


def _is_in_name(reading: QuestionReading, meant: Choices, words: frozenset[int]) -> bool:
    """True if a relation or attribute of the program is called so: "total price"."""
    used = [item for item in reading.index.schema if item.iri in meant.values()]
    return any(reading.evidence(item).get(token, 0.0) >= _NAMED for item in used for token in words)


def _is_class(steps: Sequence[Step], at: int) -> bool:
    while steps[at].function == "FilterConcept":
        (at,) = steps[at].dependencies
    return steps[at].function == "FindAll"


def _denies(program: Program) -> bool:
    return any(step.function in _DENYING or not _DENIED.isdisjoint(step.inputs) for step in program.steps)


def _between(reading: QuestionReading, draft: Draft, meant: Choices) -> Iterator[bool | None]:
    """For each relation between two names: True if it leads as the question says, None if that is open."""
    for led, end in _ends(reading, draft):
        relation = _relation(reading, draft, meant, led)
        if relation is not None:
            start = _words(reading, draft, draft.program.steps[led].dependencies[0])
            yield _agrees(draft, led, leads(reading, relation, start, end))


def _ends(reading: QuestionReading, draft: Draft) -> Iterator[tuple[int, frozenset[int]]]:
    """Steps that may lead to a name, with its words: met or left out after them, or a value there."""
    steps = draft.program.steps
    for at, step in enumerate(steps):
        if step.function in ("And", "Except"):
            for led, plain in (step.dependencies, step.dependencies[::-1]):
                yield led, _words(reading, draft, plain)
        elif step.function == "FilterStr":
            yield _unfiltered(steps, at), _words(reading, draft, at)
        elif step.function == "VerifyStr" and steps[step.dependencies[0]].function == "QueryAttr":
            (found,) = steps[step.dependencies[0]].dependencies
            yield _unfiltered(steps, found), reading.words_of(draft.mentions.get((at, 0), step.inputs[0]))


def _unfiltered(steps: Sequence[Step], at: int) -> int:
    """The step whose members a step and those before it filter."""
    while steps[at].function in ("FilterStr", "FilterConcept"):
        (at,) = steps[at].dependencies
    return at


def _from(reading: QuestionReading, draft: Draft, meant: Choices) -> Iterator[bool | None]:
    """The same for each relation that leads from the question's only name, or its list of names."""
    for at, step in enumerate(draft.program.steps):
        relation = _relation(reading, draft, meant, at)
        name = _words(reading, draft, step.dependencies[0]) if relation is not None else frozenset()
        if relation is not None and name:
            names = reading.name_list if name <= reading.name_list else name
            told = leads_from(reading, relation, names) if reading.named <= names else None
            members = StepReader(reading.index)
            concepts = members.named(meant.get((step.dependencies[0], 0)))
            ends = members.classes_at(relation, relation.domains if told else relation.ranges)
            suits = not concepts or not ends or not concepts.isdisjoint(ends)
            yield _agrees(draft, at, told if suits else None)


def _having(reading: QuestionReading, draft: Draft, meant: Choices) -> Iterator[bool | None]:
    """The same for each relation of the things asked for to anything: "which singers were taught by anyone".

    A filter keeps these things; a relation that leads to them leads the other way.
    """
    anything = frozenset(at for at, word in enumerate(reading.lowers) if word in _ANYTHING)
    steps = draft.program.steps
    for at, step in enumerate(steps if anything else ()):
        relation = reading.index.item(Kind.RELATION, meant.get((at, 0), ""))
        if relation is None or step.function not in LEADING or not said_firmly(reading, relation):
            continue
        told = _agrees(draft, at, leads(reading, relation, reading.head, anything))
        if step.function == "FilterHasRelation":
            yield told
        elif told is not None and steps[step.dependencies[0]].function in _ALL:
            yield not told


def _misses_who_has(reading: QuestionReading, draft: Draft, meant: Choices) -> bool:
    """True if the question asks which things have something, and the program shows it or leaves it out."""
    had = {item.iri: item for item in had_items(reading)}
    used = {at: had[iri] for (at, argument), iri in meant.items() if argument == 0 and iri in had}
    if not used:
        return bool(had)
    steps = draft.program.steps
    led = {at: is_had(reading, item, steps[at].inputs[-1]) for at, item in used.items()}
    shown = {at for column in shown_columns(draft.program) for at in _behind(steps, column)}
    shows_had = any(led[at] for at in shown & led.keys() if steps[at].function in ("Relate", "QueryAttr"))
    return shows_had or any(steps[at].function == "FilterHasRelation" and not led[at] for at in led)


def _behind(steps: Sequence[Step], at: int) -> Iterator[int]:
    """The step of a column, and those whose members it shows."""
    yield at
    while steps[at].function in _SHOWING:
        (at,) = steps[at].dependencies
        yield at


def _leaves_amount(reading: QuestionReading, meant: Choices) -> bool:
    """True if "how many" asks for an amount of the graph by its name, and the program does without it."""
    asked = amounts_asked(reading)
    return bool(asked) and asked.isdisjoint(meant.values())


def _agrees(draft: Draft, led: int, told: bool | None) -> bool | None:
    return None if told is None else told == (draft.program.steps[led].inputs[1] == "forward")


def _words(reading: QuestionReading, draft: Draft, at: int) -> frozenset[int]:
    """The words of the name of what a step finds, which may be values: a first and a last name."""
    step = draft.program.steps[at]
    if step.function != "FilterStr":
        return reading.words_of(draft.mentions.get((at, 0), ""))
    before = _words(reading, draft, step.dependencies[0])
    return before | reading.words_of(draft.mentions.get((at, 1), step.inputs[1]))


def _relation(reading: QuestionReading, draft: Draft, meant: Choices, at: int) -> SchemaItem | None:
    is_relation = draft.program.steps[at].function == "Relate"
    return reading.index.item(Kind.RELATION, meant.get((at, 0), "")) if is_relation else None
