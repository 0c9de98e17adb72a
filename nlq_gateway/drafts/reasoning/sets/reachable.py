"""Keeps to what the graph really has: where relations lead nowhere, which facts lead on, what is empty.

BYOKG (Agarwal et al. 2024, section 3.3) extends programs by the schema items that are reachable from what
they find; PER-KBQA asks the store for them after each step.
"""

from __future__ import annotations

from collections.abc import Sequence

from compilers.kopl.program import Step
from nlq_gateway.drafts.reasoning.sketch import Sketch
from nlq_gateway.drafts.reasoning.surroundings import Partial, Reach, Surroundings

_LEADS = frozenset({"Relate", "Except"})
_VALUES = frozenset({"FilterStr", "FilterNum", "FilterYear", "FilterDate"})


def checked(surroundings: Surroundings, sketches: Sequence[Sketch]) -> list[Sketch]:
    """The programs in the same order, without those whose last relation leads nowhere, unless it is told.

    Each is told the facts that lead on, or that it finds nothing: no member meets the condition.
    """
    asked = [sketch for sketch in sketches if is_narrow(sketch) and sketch.reach is None]
    found = dict(zip(map(id, asked), surroundings.reach([_partial(s) for s in asked]), strict=True))
    told = [_told(sketch, found.get(id(sketch))) for sketch in sketches]
    nowhere = (sketch.empty and not sketch.told and sketch.steps[-1].function in _LEADS for sketch in told)
    return [sketch for sketch, leads_nowhere in zip(told, nowhere, strict=True) if not leads_nowhere]


def is_narrow(sketch: Sketch) -> bool:
    """True if every line begins at a name or at a value.

    What all members of a class lead to, the index knows; to join them costs a store too much.
    """
    steps = sketch.steps
    return not any(
        step.function == "FindAll" and _narrowing(steps[number + 1 :]) not in _VALUES
        for number, step in enumerate(steps)
    )


def _narrowing(following: Sequence[Step]) -> str:
    """The first function that does more than name a class."""
    return next((step.function for step in following if step.function != "FilterConcept"), "")


def _partial(sketch: Sketch) -> Partial:
    return Partial(sketch.program, {(a.step, a.argument): a.iris for a in sketch.arguments if a.iris})


def _told(sketch: Sketch, reach: Reach | None) -> Sketch:
    if reach is None:
        return sketch
    return sketch._replace(empty=reach.empty, reach=reach.facts)
