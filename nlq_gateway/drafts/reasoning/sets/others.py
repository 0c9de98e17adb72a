"""The entity asked about is not among its own others: who acted together with X is not X."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from compilers.kopl.functions import Kind
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import Draft, SchemaItem
from nlq_gateway.drafts.reasoning.sketch import Sketch
from nlq_gateway.index import Index

LEFT_OUT = "{} itself is left out where the path comes back to it"


def comes_back(sketch: Sketch, relation: SchemaItem, direction: str, reached: frozenset[str]) -> bool:
    """True if one more relation may lead back to the named entity, where it is one of several.

    What a functional relation leads to has no others: the capital of the country of Paris is Paris.
    """
    several = direction == "backward" or not relation.functional
    return several and sketch.hops > 0 and not sketch.home.isdisjoint(reached)


def without_itself(sketch: Sketch) -> Sketch:
    """The program with its named entity taken out of the set that came back to it."""
    if not sketch.returns:
        return sketch
    return sketch.then("Except", (), dependencies=(sketch.last, 0), returns=False, item=None)


def draft_without_itself(draft: Draft, index: Index) -> Draft:
    """The draft of another source with its named entity taken out of each set that came back to it.

    It sets out from one entity, and goes the same relation there and back.
    """
    steps = draft.program.steps
    straight = all(step.dependencies == (at - 1,) for at, step in enumerate(steps) if at)
    found = tuple(_returns(draft, index)) if straight and steps[0].function == "Find" else ()
    if not found:
        return draft
    remark = LEFT_OUT.format(steps[0].inputs[0])
    taken = replace(draft, remarks=(*draft.remarks, remark))
    for at in reversed(found):
        taken = _taken_out(taken, at)
    return taken


def _taken_out(draft: Draft, at: int) -> Draft:
    """The draft with its first entity taken out of what a step finds."""

    def moved(number: int) -> int:
        return number + (number > at)

    steps = [
        replace(step, dependencies=tuple(moved(one) + (one == at) for one in step.dependencies))
        for step in draft.program.steps
    ]
    program = Program((*steps[: at + 1], Step("Except", (), (at, 0)), *steps[at + 1 :]))
    choices = {(moved(step), place): iris for (step, place), iris in draft.choices.items()}
    mentions = {(moved(step), place): text for (step, place), text in draft.mentions.items()}
    margins = {(moved(step), place): margin for (step, place), margin in draft.margins.items()}
    return replace(draft, program=program, choices=choices, mentions=mentions, margins=margins)


def _returns(draft: Draft, index: Index) -> Iterator[int]:
    """Yield the steps that follow a relation back by which the program came, where others come so, too."""
    gone: set[tuple[str, bool]] = set()
    for at, step in enumerate(draft.program.steps):
        if step.function != "Relate":
            continue
        iri, forward = draft.choices.get((at, 0), ("",))[0], step.inputs[1] == "forward"
        item = index.item(Kind.RELATION, iri)
        if (iri, not forward) in gone and not (forward and item is not None and item.functional):
            yield at
        gone.add((iri, forward))


def remarks_of(sketch: Sketch) -> tuple[str, ...]:
    """Return the remark that the entity asked about is not in its own answer, or ()."""
    left_out = any(step.function == "Except" and step.dependencies[1:] == (0,) for step in sketch.steps)
    return (LEFT_OUT.format(sketch.steps[0].inputs[0]),) if left_out else ()
