"""Which things have, or lack, something: "which teachers have a mentor", "engineers without one"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compilers.kopl.functions import Kind
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.members import LEADING, Choices, behind_classes, shown_columns
from nlq_gateway.language import lexicon, tables
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.question.reading.voice import had_items, has_objects, is_had

_SHOWING = frozenset({"What", "QueryAttr", "FilterConcept"})
_BEING = frozenset((word,) for word in lexicon.BE)
_LACKING = tables.words("lacking")
# The degree to which a word is of a name.
_NAMED = 0.9


def misses_who_has(reading: QuestionReading, steps: Sequence[Step], meant: Choices) -> bool:
    """True if a program shows or takes away what things have, where those that have it are asked for."""
    left_out = (step.dependencies[1] for step in steps if step.function == "Except")
    lacked = any(_is_lacked(reading, steps, at, meant) for at in left_out)
    return lacked or _shows_had(reading, steps, meant)


def _shows_had(reading: QuestionReading, steps: Sequence[Step], meant: Choices) -> bool:
    """True if the question asks which things have something, and the program shows it or leaves it out."""
    had = {item.iri: item for item in had_items(reading)}
    used = {at: had[iri] for (at, argument), iri in meant.items() if argument == 0 and iri in had}
    if not used:
        return bool(had)
    led = {at: is_had(reading, item, steps[at].inputs[-1]) for at, item in used.items()}
    shown = {at for column in shown_columns(Program(tuple(steps))) for at in _behind(steps, column)}
    shows_had = any(led[at] for at in shown & led.keys() if steps[at].function in ("Relate", "QueryAttr"))
    return shows_had or any(steps[at].function == "FilterHasRelation" and not led[at] for at in led)


def _behind(steps: Sequence[Step], at: int) -> Iterator[int]:
    """The step of a column, and those whose members it shows."""
    yield at
    while steps[at].function in _SHOWING:
        (at,) = steps[at].dependencies
        yield at


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
