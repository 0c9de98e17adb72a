"""The entity asked about is not among its own others: who acted together with X is not X."""

from __future__ import annotations

from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.reasoning.sketch import Sketch

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


def remarks_of(sketch: Sketch) -> tuple[str, ...]:
    """Return the remark that the entity asked about is not in its own answer, or ()."""
    left_out = any(step.function == "Except" and step.dependencies[1:] == (0,) for step in sketch.steps)
    return (LEFT_OUT.format(sketch.steps[0].inputs[0]),) if left_out else ()
