"""Things without a label are shown by the attributes that name them: a teacher by first and last name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from compilers.kopl.functions import Kind
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.drafter.values import StatedProgram
from nlq_gateway.index import Index
from nlq_gateway.index.members import ANYTHING, Classes, step_classes
from nlq_gateway.index.naming import NamingAttributes
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.question.reading.voice import is_had

# A word is so much alike to an attribute of which it speaks: "surnames" to last names 0.55.
_SAID = 0.5

# What tells that things have something, by what tells what they have.
_HAVING = {"Relate": (Kind.RELATION, "FilterHasRelation"), "QueryAttr": (Kind.ATTRIBUTE, "FilterHasAttr")}


def with_names(written: StatedProgram, reading: QuestionReading, naming: NamingAttributes) -> StatedProgram:
    """The program that shows all the names of the things it finds, where it shows none or a part of them.

    A part that the question asks for is shown alone. A thing to which several ways lead is told once.
    """
    found, shown = _shown(written)
    classes = _classes(written, found, reading.index) if found is not None else ANYTHING
    ways = {naming.attributes(one) for one in classes}
    names = next(iter(ways)) if len(ways) == 1 else ()
    are_names = shown <= {one.iri for one in names}
    asks_for = bool(shown) and (len(names) == 1 or _asks_for(reading, names, classes))
    if found is None or not names or not are_names or asks_for:
        return written
    return _showing(written, found, names)


def with_havers(written: StatedProgram, reading: QuestionReading) -> StatedProgram:
    """The program that shows which things have something, where it shows what they have."""
    *kept, last = written.steps
    at = len(kept) - (last.function == "What")
    step = written.steps[at]
    kind, having = _HAVING.get(step.function, (Kind.VALUE, ""))
    item = reading.index.item(kind, next(iter(written.choices.get((at, 0), ())), ""))
    is_end = last.function == "What" or at == len(kept)
    if item is None or not is_end or not is_had(reading, item, step.inputs[-1]):
        return written
    steps = (*written.steps[:at], replace(step, function=having), Step("What", (), (at,)))
    return replace(written, steps=steps)


def _shown(written: StatedProgram) -> tuple[int | None, frozenset[str]]:
    """The step whose members the last ones show, and the IRIs of the attributes by which they do.

    None where they show more than one step's.
    """
    steps = written.steps
    is_table = steps[-1].function == "Table"
    columns = frozenset(steps[-1].dependencies if is_table else (len(steps) - 1,))
    found = {steps[at].dependencies for at in columns}
    show = all(steps[at].function in ("QueryAttr", "What") for at in columns)
    begin = len(steps) - len(columns) - is_table
    if not show or found != {(begin - 1,)} or columns != frozenset(range(begin, begin + len(columns))):
        return None, frozenset()
    return begin - 1, frozenset(iri for at in columns for iri in written.choices.get((at, 0), ()))


def _showing(written: StatedProgram, found: int, names: Sequence[SchemaItem]) -> StatedProgram:
    """The steps up to one, with these attributes of what it finds."""
    end = found + 1
    ending = [Step("QueryAttr", (one.label,), (found,)) for one in names]
    if len(names) > 1:
        ending.append(Step("Table", (), tuple(range(end, end + len(names)))))
    if len(names) > 1 and any(step.function == "Relate" for step in written.steps[:end]):
        ending.append(Step("DistinctTable", (), (end + len(names),)))
    choices = {place: iris for place, iris in written.choices.items() if place[0] < end}
    choices |= {(end + n, 0): (one.iri,) for n, one in enumerate(names)}
    return replace(written, steps=(*written.steps[:end], *ending), choices=choices)


def _classes(written: StatedProgram, at: int, index: Index) -> Classes:
    """The classes of the members that a step finds; none where they are unknown."""
    meant = {place: iris[0] for place, iris in written.choices.items() if iris}
    return step_classes(Program(written.steps), meant, index)[at]


def _asks_for(reading: QuestionReading, names: Sequence[SchemaItem], classes: Classes) -> bool:
    """True if the question speaks of one of these names: neither "teacher" nor "the first" does."""
    concepts = (reading.index.item(Kind.CONCEPT, iri) for iri in classes)
    others = {one.token for one in reading.superlatives}.union(
        *(_said(reading, one) for one in concepts if one)
    )
    return any(not others.issuperset(_said(reading, one)) for one in names)


def _said(reading: QuestionReading, item: SchemaItem) -> set[int]:
    return {token for token, degree in reading.evidence(item).items() if degree >= _SAID}
