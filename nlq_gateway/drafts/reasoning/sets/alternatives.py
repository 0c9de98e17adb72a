"""One condition or another: "aged 28 or 34", "under 30 or with a black card"."""

from __future__ import annotations

from collections.abc import Iterator

from compilers.kopl.program import Step
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.field import Field
from nlq_gateway.drafts.reasoning.sketch import Sketch, joined


def united(base: Sketch, first: Sketch, second: Sketch) -> Sketch:
    """The members of two conditions on the same set."""
    offset = len(first.steps) - len(base.steps)
    begin = len(base.steps)
    moved = tuple(
        Step(step.function, step.inputs, tuple(d + offset if d >= begin else d for d in step.dependencies))
        for step in second.steps[begin:]
    )
    arguments = tuple(a._replace(step=a.step + offset) for a in second.arguments if a.step >= begin)
    both = first._replace(
        steps=(*first.steps, *moved),
        functions=first.functions | second.functions,
        arguments=(*first.arguments, *arguments),
        explained=first.explaining(second.explained),
        used=first.used | second.used,
    )
    cost = first.cost + second.cost - base.cost - w.STEP
    return both.then("Or", (), dependencies=(first.last, both.last), cost=cost)


def either_condition(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """Members that meet one condition or another: "under 30 or with a black card"."""
    if first.selects or second.selects or first.used & second.used:
        return
    filtered = all(len(field.spent(sketch.used)) > 0 for sketch in (first, second))
    shared = first.surely & second.surely
    if not filtered or not shared or not _stands_between(field, first, second):
        return
    both = joined(first, second, "Or")
    possibly, mostly = first.possibly | second.possibly, first.mostly | second.mostly
    yield both._replace(surely=shared, possibly=possibly, mostly=mostly, cost=both.cost + w.STEP - w.EITHER)


def _stands_between(field: Field, first: Sketch, second: Sketch) -> bool:
    """True if "or" stands between the values of two conditions."""
    ends = sorted((min(field.spent(first.used)), min(field.spent(second.used))))
    return not field.reading.ors.isdisjoint(range(*ends))
