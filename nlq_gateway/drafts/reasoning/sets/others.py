"""The entity asked about is not among its own others: who acted together with X is not X.

It is part of a whole: the garages of X's operator are X, too, and so are their streets, unless "others" are
asked for, or what is "the same". Relations that lead to several things make no whole: the films with an actor
of X are others.
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


def _is_of_one_kind(relation: SchemaItem | None) -> bool:
    """True if a relation leads between things of one kind: the spouse of one's spouse is no answer."""
    return relation is not None and dict(relation.ranges[:1]).keys() == dict(relation.domains[:1]).keys()


def passed_through(field: Field, sketch: Sketch) -> Sketch:
    """The program that goes on from its set: without its named entity, unless this is one of a whole."""
    return sketch if sketch.whole and not field.reading.asks_for_others else without_itself(sketch)


def asked_for(field: Field, sketch: Sketch) -> Sketch:
    """The program whose set is the answer: without its named entity, unless this is plainly one of a whole.

    "The same", "together" and the like speak of others.
    """
    led = next(
        (one.iris for one in reversed(sketch.arguments) if sketch.steps[one.step].function == "Relate"), ()
    )
    relation = field.reading.index.item(Kind.RELATION, led[0]) if led else None
    keeps = sketch.whole and not field.reading.again and not _is_of_one_kind(relation)
    return sketch if keeps else without_itself(sketch)


def without_itself(sketch: Sketch) -> Sketch:
    """The program with its named entity taken out of the set that came back to it."""
    if not sketch.returns:
        return sketch
    return sketch.then("Except", (), dependencies=(sketch.last, 0), returns=False, item=None)


def draft_without_itself(draft: Draft, reading: QuestionReading, naming: NamingAttributes) -> Draft:
    """The draft of another source with its named entity taken out of each set that came back to it.

    It sets out from one entity, and goes the same relation there and back. What is one of a whole stays, as
    `asked_for` and `passed_through` say.
    """
    steps = draft.program.steps
    straight = all(step.dependencies == (at - 1,) for at, step in enumerate(steps) if at)
    back = tuple(_returns(draft, reading.index)) if straight and steps[0].function == "Find" else ()
    others, again = reading.asks_for_others, bool(reading.again)
    found = [
        at
        for at, relation in back
        if not relation.functional
        or (others if _passes(draft, at, naming) else again or _is_of_one_kind(relation))
    ]
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


def _returns(draft: Draft, index: Index) -> Iterator[tuple[int, SchemaItem]]:
    """Yield the steps by which the program is back at its start, where others come so, with the relation."""
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
        if not way and item is not None and not (forward and item.functional):
            yield at, item


def remarks_of(sketch: Sketch) -> tuple[str, ...]:
    """Return the remark that the entity asked about is not in its own answer, or ()."""
    left_out = any(step.function == "Except" and step.dependencies[1:] == (0,) for step in sketch.steps)
    return (LEFT_OUT.format(sketch.steps[0].inputs[0]),) if left_out else ()
