"""Reversed relations: a question does not state a relation's direction in the graph; the store knows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from compilers.kopl.functions import Kind
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import Draft

# The price of a reversal, as a log-probability: about the network's own for the other direction.
COST = 2.0
_OF_TWO = ("QueryRelation", "QueryRelationQualifier")
_OTHER = {"forward": "backward", "backward": "forward"}


def turned(draft: Draft, decisions: int) -> Iterator[Draft]:
    """The draft with one relation reversed, for each of its relations."""
    whole = draft.parts["log_probability"] - COST
    likelihood = whole / decisions
    parts = {**draft.parts, "log_probability": whole, "likelihood": likelihood}
    for number, step in enumerate(draft.program.steps):
        other = _other_way(step)
        if other is not None:
            steps = (*draft.program.steps[:number], other, *draft.program.steps[number + 1 :])
            yield replace(draft, program=Program(steps), score=likelihood, parts=parts)


def _other_way(step: Step) -> Step | None:
    if step.function in _OF_TWO:
        return replace(step, dependencies=step.dependencies[::-1])
    for argument, parameter in enumerate(step.signature.parameters):
        if parameter.kind == Kind.DIRECTION:
            direction = _OTHER[step.inputs[argument]]
            inputs = (*step.inputs[:argument], direction, *step.inputs[argument + 1 :])
            return replace(step, inputs=inputs)
    return None
