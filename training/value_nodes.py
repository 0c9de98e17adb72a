"""Programs through nodes that hold a value, as the drafter writes them: by an attribute of the thing itself.

`nlq_gateway.drafts.drafter.value_nodes` has the way back, from a draft to the program that runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from compilers.kopl.program import Program, Step
from nlq_gateway.drafts.drafter.value_nodes import BACK

# The label of the value by that of the relation to its node.
Held = Mapping[str, str]


def as_attributes(program: Program, held: Held) -> Program:
    """The program with attributes in the place of ways through nodes; as it is where it has none."""
    for at, step in enumerate(program.steps):
        if step.function == "Relate" and step.inputs[1] == "forward" and step.inputs[0] in held:
            way = _way(program.steps, at, step.inputs[0], held[step.inputs[0]])
            if way:
                return as_attributes(_shortened(program.steps, at, way), held)
    return program


def _way(steps: Sequence[Step], at: int, relation: str, value: str) -> tuple[int, ...]:
    """The steps from a relation to nodes on that ask for their value, and the way back if there is one.

    Empty if the nodes serve something else, too.
    """
    way: list[int] = []
    while True:
        uses = [number for number, step in enumerate(steps) if at in step.dependencies]
        if len(uses) != 1:
            return ()
        (at,) = uses
        step = steps[at]
        if step.function == "QueryAttr" and step.inputs[0] == value and not way:
            return _compared(steps, at, relation)
        if step.inputs == (relation, "backward") and way:
            return (*way, at)
        if step.function not in BACK or step.inputs[0] != value:
            return ()
        way.append(at)


def _compared(steps: Sequence[Step], asked: int, relation: str) -> tuple[int, ...]:
    """A step that asks for the value, and the way back from those whose value compares; empty without it."""
    compared = [
        n for n, one in enumerate(steps) if one.function == "FilterCompare" and one.dependencies[0] == asked
    ]
    if not compared:
        return (asked,)
    uses = [n for n, one in enumerate(steps) if compared[0] in one.dependencies]
    if len(compared) > 1 or len(uses) != 1 or steps[uses[0]].inputs != (relation, "backward"):
        return ()
    return (asked, uses[0])


def _shortened(steps: Sequence[Step], at: int, way: Sequence[int]) -> Program:
    """The program whose steps of the way ask the relation's label of what led to the nodes."""
    label, source = steps[at].inputs[0], steps[at].dependencies[0]
    gone = {at: source}
    if steps[way[-1]].function == "Relate":
        gone[way[-1]] = steps[way[-1]].dependencies[0]
    places: dict[int, int] = {}
    written: list[Step] = []
    for number, step in enumerate(steps):
        if number in gone:
            places[number] = places[gone[number]]
            continue
        inputs = (label, *step.inputs[1:]) if number in way else step.inputs
        written.append(replace(step, inputs=inputs, dependencies=tuple(places[d] for d in step.dependencies)))
        places[number] = len(written) - 1
    return Program(tuple(written))
