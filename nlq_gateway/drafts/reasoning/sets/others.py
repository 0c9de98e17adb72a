"""The entity asked about is not among its own others: who acted together with X is not X."""

from __future__ import annotations

from dataclasses import replace

from compilers.kopl.functions import Kind
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import Draft, SchemaItem
from nlq_gateway.drafts.reasoning.sketch import Sketch
from nlq_gateway.index import Index

LEFT_OUT = "{} itself is left out where the path comes back to it"
_OF_A_SET = ("What", "Count")


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
    """The draft of another source with its named entity taken out of the set that came back to it.

    It sets out from one entity, and goes the same relation there and, last, back.
    """
    *chain, last = draft.program.steps
    straight = all(step.dependencies == (at - 1,) for at, step in enumerate(draft.program.steps) if at)
    if last.function not in _OF_A_SET or not straight or not _returns(draft, index):
        return draft
    taken = Step("Except", (), (len(chain) - 1, 0))
    steps = (*chain, taken, replace(last, dependencies=(len(chain),)))
    remark = LEFT_OUT.format(chain[0].inputs[0])
    return replace(draft, program=Program(steps), remarks=(*draft.remarks, remark))


def _returns(draft: Draft, index: Index) -> bool:
    """True if a program from one entity ends with a relation that it came by, and others come so, too."""
    steps = draft.program.steps
    gone = [
        (draft.choices.get((at, 0), ("",))[0], step.inputs[1] == "forward")
        for at, step in enumerate(steps)
        if step.function == "Relate"
    ]
    if steps[0].function != "Find" or not gone:
        return False
    *before, (iri, forward) = gone
    item = index.item(Kind.RELATION, iri)
    return (iri, not forward) in before and not (forward and item is not None and item.functional)


def remarks_of(sketch: Sketch) -> tuple[str, ...]:
    """Return the remark that the entity asked about is not in its own answer, or ()."""
    left_out = any(step.function == "Except" and step.dependencies[1:] == (0,) for step in sketch.steps)
    return (LEFT_OUT.format(sketch.steps[0].inputs[0]),) if left_out else ()
