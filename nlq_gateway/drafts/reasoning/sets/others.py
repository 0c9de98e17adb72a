"""The entity asked about is not among its own others: who acted together with X is not X.

It is part of a whole that a question only passes through: the streets of the garages of X's operator are
X's, too. Relations that lead to several things make no whole: the films with an actor of X are others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import Draft, SchemaItem
from nlq_gateway.drafts.reasoning.field import Field
from nlq_gateway.drafts.reasoning.sketch import Sketch
from nlq_gateway.index import Index
from nlq_gateway.index.naming import NamingAttributes
from nlq_gateway.question.reading.reading import QuestionReading

LEFT_OUT = "{} itself is left out where the path comes back to it"


def comes_back(sketch: Sketch, relation: SchemaItem, direction: str, reached: frozenset[str]) -> bool:
    """True if one more relation may lead back to the named entity, where it is one of several.

    What a functional relation leads to has no others: the capital of the country of Paris is Paris.
    """
    several = direction == "backward" or not relation.functional
    return several and sketch.hops > 0 and not sketch.home.isdisjoint(reached)


def is_of_whole(sketch: Sketch, relation: SchemaItem, direction: str) -> bool:
    """True if one more relation leads back to all that have the one thing in common with the named entity."""
    led = next((step for step in reversed(sketch.steps) if step.function == "Relate"), None)
    goes_back = led is not None and led.inputs == (relation.label, "forward") and direction == "backward"
    return goes_back and relation.functional


def passed_through(field: Field, sketch: Sketch) -> Sketch:
    """The program that goes on from its set: without its named entity, unless this is one of a whole."""
    return sketch if sketch.whole and not field.reading.asks_for_others else without_itself(sketch)


def without_itself(sketch: Sketch) -> Sketch:
    """The program with its named entity taken out of the set that came back to it."""
    if not sketch.returns:
        return sketch
    return sketch.then("Except", (), dependencies=(sketch.last, 0), returns=False, item=None)


def draft_without_itself(draft: Draft, reading: QuestionReading, naming: NamingAttributes) -> Draft:
    """The draft of another source with its named entity taken out of each set that came back to it.

    It sets out from one entity, and goes the same relation there and back. A set that it only passes through
    keeps the entity that is one of a whole.
    """
    steps = draft.program.steps
    straight = all(step.dependencies == (at - 1,) for at, step in enumerate(steps) if at)
    back = tuple(_returns(draft, reading.index)) if straight and steps[0].function == "Find" else ()
    others = reading.asks_for_others
    found = [at for at, whole in back if others or not whole or not _passes(draft, at, naming)]
    if not found:
        return draft
    remark = LEFT_OUT.format(steps[0].inputs[0])
    taken = replace(draft, remarks=(*draft.remarks, remark))
    for at in reversed(found):
        taken = taken.with_step(at, "Except", beside=(0,))
    return taken


def _passes(draft: Draft, at: int, naming: NamingAttributes) -> bool:
    """True if the program asks for more than the names of what a step finds."""
    later = enumerate(draft.program.steps[at + 1 :], at + 1)
    told = (
        draft.choices.get((number, 0), ("",))[0] for number, step in later if step.function == "QueryAttr"
    )
    leads = any(step.function == "Relate" for step in draft.program.steps[at + 1 :])
    return leads or any(iri not in naming.names for iri in told)


def _returns(draft: Draft, index: Index) -> Iterator[tuple[int, bool]]:
    """Yield the steps by which the program is back at its start, where others come so, too.

    With each is said if the start is one of a whole: the only thing that a relation leads to leads back.
    """
    way: list[tuple[str, bool]] = []
    for at, step in enumerate(draft.program.steps):
        if step.function != "Relate":
            continue
        iri, forward = draft.choices.get((at, 0), ("",))[0], step.inputs[1] == "forward"
        if way[-1:] != [(iri, not forward)]:
            way.append((iri, forward))
            continue
        way.pop()
        item = index.item(Kind.RELATION, iri)
        only = item is not None and item.functional
        if not way and not (forward and only):
            yield at, only


def remarks_of(sketch: Sketch) -> tuple[str, ...]:
    """Return the remark that the entity asked about is not in its own answer, or ()."""
    left_out = any(step.function == "Except" and step.dependencies[1:] == (0,) for step in sketch.steps)
    return (LEFT_OUT.format(sketch.steps[0].inputs[0]),) if left_out else ()
