"""What a question plainly says: a verdict, a denial, a number of things, a relation's subject and object."""

from __future__ import annotations

from collections.abc import Iterator

from compilers.kopl.functions import Kind, Type
from compilers.kopl.program import Program
from nlq_gateway.core.types import Draft, SchemaItem
from nlq_gateway.index.members import Choices
from nlq_gateway.language import tables
from nlq_gateway.question.reading.amounts import some_of
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.question.reading.voice import leads, leads_from

# KoPL has no function for it.
_NO_FUNCTION = tables.words("no_function")
_DENYING = frozenset({"Except", "ExceptTable"})
# "Not before 1990" is in 1990 or later, and what is not active has the value false.
_DENIED = frozenset({"!=", "<=", ">=", "false"})


def asks_so(reading: QuestionReading, draft: Draft, meant: Choices) -> bool:
    """True if the question itself says which of two names is the subject, as the verdict's program has it.

    "Does the film direct its director" has the answer no, though nothing could ever be its answer.
    """
    is_verdict = draft.program.steps[-1].function == "Exists"
    return is_verdict and any(told is True for told in _between(reading, draft, meant))


def asks_otherwise(reading: QuestionReading, draft: Draft, meant: Choices) -> bool:
    """True if the program does not do what the question plainly asks.

    It gives no verdict, denies nothing, gives all where some are wanted, swaps subject and object, or no
    function of KoPL gives what is asked.
    """
    no_verdict = draft.program.steps[-1].signature.output != Type.VERDICT
    if reading.asks_verdict and (no_verdict or False in _between(reading, draft, meant)):
        return True
    if (reading.denials and not _denies(draft.program)) or not _NO_FUNCTION.isdisjoint(reading.lowers):
        return True
    is_limited = any(step.function == "LimitTable" for step in draft.program.steps)
    return (some_of(reading) is not None and not is_limited) or False in _from(reading, draft, meant)


def _denies(program: Program) -> bool:
    return any(step.function in _DENYING or not _DENIED.isdisjoint(step.inputs) for step in program.steps)


def _between(reading: QuestionReading, draft: Draft, meant: Choices) -> Iterator[bool | None]:
    """For each relation between two names: True if it leads as the question says, None if that is open."""
    for step in draft.program.steps:
        if step.function in ("And", "Except"):
            for led, plain in (step.dependencies, step.dependencies[::-1]):
                relation = _relation(reading, draft, meant, led)
                if relation is not None:
                    start = _words(reading, draft, draft.program.steps[led].dependencies[0])
                    told = leads(reading, relation, start, _words(reading, draft, plain))
                    yield _agrees(draft, led, told)


def _from(reading: QuestionReading, draft: Draft, meant: Choices) -> Iterator[bool | None]:
    """The same for each relation that leads from the question's only name, or its list of names."""
    for at, step in enumerate(draft.program.steps):
        relation = _relation(reading, draft, meant, at)
        if relation is not None and draft.program.steps[step.dependencies[0]].function == "Find":
            name = _words(reading, draft, step.dependencies[0])
            told = leads_from(reading, relation, reading.name_list) if name <= reading.name_list else None
            start = reading.index.entity(meant.get((step.dependencies[0], 0), ""))
            ends = relation.domains if told else relation.ranges
            concepts = frozenset(start.concepts if start else ())
            above = (reading.index.ancestors(one) for one in concepts)
            suits = not concepts or not ends or not concepts.union(*above).isdisjoint(dict(ends))
            yield _agrees(draft, at, told if suits else None)


def _agrees(draft: Draft, led: int, told: bool | None) -> bool | None:
    return None if told is None else told == (draft.program.steps[led].inputs[1] == "forward")


def _words(reading: QuestionReading, draft: Draft, at: int) -> frozenset[int]:
    return reading.words_of(draft.mentions.get((at, 0), ""))


def _relation(reading: QuestionReading, draft: Draft, meant: Choices, at: int) -> SchemaItem | None:
    is_relation = draft.program.steps[at].function == "Relate"
    return reading.index.item(Kind.RELATION, meant.get((at, 0), "")) if is_relation else None
