"""Endings that compare two numbers of things: of two named things, or of two classes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.field import Field
from nlq_gateway.drafts.reasoning.sketch import Argument, Sketch, joined
from nlq_gateway.question.reading.amounts import MoreThings, difference_asked, more_things

_CLASS = ("FindAll", "FilterConcept")


def more_of_class(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    """End with the comparison of two classes: "are there more films than books"."""
    wanted = more_things(field.reading)
    of_class = tuple(step.function for step in sketch.steps) == _CLASS
    if wanted is None or not of_class or field.class_named(sketch, wanted.noun) is None:
        return
    for kind in field.said_concepts:
        if kind.iri not in sketch.surely and field.evidence(kind).get(wanted.than + 1, 0.0) >= w.FIRM:
            yield from _compared(field, wanted, sketch, Sketch().with_class(kind), field.evidence(kind))


def more_of_names(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """End with the comparison of what two named things lead to: "did A direct more films than B"."""
    wanted = more_things(field.reading)
    straight = all(step.dependencies == (at - 1,) for at, step in enumerate(first.steps) if at)
    if wanted is None or second.origin is None or len(second.steps) != 1 or not second.is_single:
        return
    led = straight and first.steps[0].function == "Find" and not first.is_single
    if led and second.origin > wanted.than and field.class_named(first, wanted.noun) is not None:
        name = second.arguments[0]
        arguments = tuple(one for one in first.arguments if one.step)
        other = first._replace(
            steps=(second.steps[0], *first.steps[1:]),
            arguments=(Argument(0, 0, name.iris, name.mention), *arguments),
            used=second.used,
            explained=second.explained,
            cost=second.cost,
        )
        yield from _compared(field, wanted, first, other, second.explained)


def _compared(
    field: Field, wanted: MoreThings, first: Sketch, other: Sketch, words: Mapping[int, float]
) -> Iterator[Sketch]:
    """The difference of both numbers, or the verdict that it is above or below nothing."""
    both = joined(first.then("Count", ()), other.then("Count", ()), "Calculate", ("-",))
    asked = difference_asked(field.reading)
    told = dict.fromkeys((wanted.cue, *asked), 1.0)
    cost = first.cost + other.cost + w.STEP - 2 * w.FORM
    both = both._replace(explained=first.explaining({**words, **told}), cost=cost)
    if field.reading.is_verification:
        yield both.then("VerifyNum", ("0", ">" if wanted.wants_more else "<"), empty=False)
    elif asked:
        yield both
