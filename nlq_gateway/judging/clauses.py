"""What a question plainly says: a verdict, a denial, a relation's subject and object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from compilers.kopl.functions import SCHEMA_KINDS, Kind, Type
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import Draft, SchemaItem
from nlq_gateway.index import Index
from nlq_gateway.index.members import LEADING, Choices, is_impossible
from nlq_gateway.index.text import stem
from nlq_gateway.judging.counting import misses_number
from nlq_gateway.judging.directions import told_of
from nlq_gateway.judging.having import misses_who_has
from nlq_gateway.language import lexicon, tables
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.question.reading.voice import leads

# KoPL has no function for it.
_NO_FUNCTION = tables.words("no_function")
# The degrees to which a word is of a name, and speaks of it.
_NAMED, _FIRM = 0.9, 0.7
_DENYING = frozenset({"Except", "ExceptTable"})
# "Not before 1990" is in 1990 or later, and what is not active has the value false.
_DENIED = frozenset({"!=", "<=", ">="})


def finds_nothing(reading: QuestionReading, draft: Draft, meant: Choices, index: Index) -> bool:
    """True if nothing could be the answer of a program, unless the question asks just that.

    "Does the film direct its director" has the answer no, though nothing could ever be its answer: the other
    way round, something could. Where neither way could, the question means more than the relation.
    """
    if not is_impossible(draft.program, meant, index):
        return False
    turned = Program(tuple(step.turned or step for step in draft.program.steps))
    return not _asks_so(reading, draft, meant) or is_impossible(turned, meant, index)


def _asks_so(reading: QuestionReading, draft: Draft, meant: Choices) -> bool:
    """True if the question itself says which of two names is the subject, as the verdict's program has it."""
    is_verdict = draft.program.steps[-1].function == "Exists"
    return is_verdict and any(told is True for told in _between(reading, draft, meant))


def asks_otherwise(reading: QuestionReading, draft: Draft, meant: Choices) -> bool:
    """True if the program does not do what the question plainly asks.

    It gives no verdict, denies nothing, does without a number
    (`misses_number`), swaps subject and object of a verdict, follows a relation once that is said twice, or
    shows what things have instead of the things (`misses_who_has`). Or KoPL has no function for it.
    """
    steps = draft.program.steps
    is_verdict = steps[-1].signature.output == Type.VERDICT
    if reading.asks_verdict and (not is_verdict or _turns(reading, draft, meant)):
        return True
    if reading.denials and not _denies(reading, steps, meant):
        return True
    if misses_number(reading, steps, meant) or misses_who_has(reading, steps, meant):
        return True
    return not _NO_FUNCTION.isdisjoint(reading.lowers) or _says_twice(reading, steps, meant)


def _turns(reading: QuestionReading, draft: Draft, meant: Choices) -> bool:
    """True if subject and object change places; False where the network reads the direction."""
    is_read = told_of(reading.links, draft, reading.index) is not None
    return not is_read and False in _between(reading, draft, meant)


def _says_twice(reading: QuestionReading, steps: Sequence[Step], meant: Choices) -> bool:
    """True if the question says a relation twice, and the program does not follow it twice, or back again.

    "Which countries border a country that borders Germany", "who reports to someone who reports to Ann".
    """
    items = _items(reading, meant)
    for item in items:
        led = (at for at, step in enumerate(steps) if step.function in LEADING)
        ways = [steps[at].inputs[-1] for at in led if meant.get((at, 0)) == item.iri]
        others = [reading.evidence(other) for other in items if other != item]
        words = _repeated(reading, item, others) if ways else []
        turns_back = len(set(ways)) > 1 and bool(words) and _leads_on(reading, item, max(words))
        if words and (len(ways) == 1 or turns_back):
            return True
    return False


def _items(reading: QuestionReading, meant: Choices) -> set[SchemaItem]:
    """The items of the schema that a program names."""
    found = (reading.index.item(kind, iri) for iri in meant.values() for kind in SCHEMA_KINDS)
    return set(filter(None, found))


def _repeated(reading: QuestionReading, item: SchemaItem, others: Sequence[Mapping[int, float]]) -> list[int]:
    """The words that name an item and nothing else, if one comes again in a clause: "that borders".

    A noun for things is none of them: "paintings painted by".
    """
    firm = (at for at, degree in reading.evidence(item).items() if degree >= _NAMED)
    verbal = (at for at in firm if at not in reading.named and not reading.names_concept(at, _FIRM))
    own = [at for at in verbal if not any(found.get(at, 0.0) >= _NAMED for found in others)]
    stems = {stem(reading.lowers[at], reading.language) for at in own}
    between = reading.lowers[min(own, default=0) : max(own, default=0)]
    is_nested = not lexicon.RELATIVE.isdisjoint(between) and "and" not in between
    return own if is_nested and len(stems) < len(own) else []


def _leads_on(reading: QuestionReading, item: SchemaItem, last: int) -> bool:
    """True if a relation between things of one kind leads to the names behind it both times."""
    starts, ends = (
        {one for iri, _ in side for one in (iri, *reading.index.ancestors(iri))}
        for side in (item.domains, item.ranges)
    )
    own = {iri for iri, _ in (*item.domains, *item.ranges)}
    return bool(reading.named) and min(reading.named) > last and not own.isdisjoint(starts & ends)


def _denies(reading: QuestionReading, steps: Sequence[Step], meant: Choices) -> bool:
    """True if a step takes something away, compares by what is not so, or wants what an attribute denies."""
    return any(
        step.function in _DENYING
        or not _DENIED.isdisjoint(step.inputs)
        or _wants_denied(reading, steps, at, meant)
        for at, step in enumerate(steps)
    )


def _wants_denied(reading: QuestionReading, steps: Sequence[Step], at: int, meant: Choices) -> bool:
    """True if a step compares an attribute that is true or false with what says that it is not so."""
    step = steps[at]
    verifies = step.function in ("VerifyStr", "VerifyNum")
    own = step.dependencies[0] if verifies else at
    item = reading.index.item(Kind.ATTRIBUTE, meant.get((own, 0), ""))
    if item is None or item.truths is None or (own == at and len(step.inputs) < 2):
        return False
    return step.inputs[not verifies].partition(" ")[0] == item.truths[1]


def _between(reading: QuestionReading, draft: Draft, meant: Choices) -> Iterator[bool | None]:
    """For each relation between two names: True if it leads as the question says, None if that is open."""
    for led, end in _ends(reading, draft):
        relation = reading.index.item(Kind.RELATION, meant.get((led, 0), ""))
        if relation is not None and draft.program.steps[led].function == "Relate":
            start = _words(reading, draft, draft.program.steps[led].dependencies[0])
            yield _agrees(draft, led, leads(reading, relation, start, end))


def _ends(reading: QuestionReading, draft: Draft) -> Iterator[tuple[int, frozenset[int]]]:
    """Steps that may lead to a name, with its words: met or left out after them, or a value there."""
    steps = draft.program.steps
    for at, step in enumerate(steps):
        if step.function in ("And", "Except"):
            for led, plain in (step.dependencies, step.dependencies[::-1]):
                if steps[plain].function != "FilterConcept":
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


def _agrees(draft: Draft, led: int, told: bool | None) -> bool | None:
    return None if told is None else told == (draft.program.steps[led].inputs[1] == "forward")


def _words(reading: QuestionReading, draft: Draft, at: int) -> frozenset[int]:
    """The words of the name of what a step finds, which may be values: a first and a last name."""
    step = draft.program.steps[at]
    if step.function != "FilterStr":
        return reading.words_of(draft.mentions.get((at, 0), ""))
    before = _words(reading, draft, step.dependencies[0])
    return before | reading.words_of(draft.mentions.get((at, 1), step.inputs[1]))
