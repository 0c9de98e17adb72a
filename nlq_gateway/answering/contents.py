"""What a thing without a name holds, beside it: the street and town of "address of the bike shop"."""

from __future__ import annotations

from compilers.answers import Answer
from compilers.grounded import GroundedProgram
from compilers.kopl.functions import Kind, Type
from compilers.kopl.program import Program, Step
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.answering.left_out import LookUp
from nlq_gateway.index import Index
from nlq_gateway.index.members import held_at_end

# So many of its attributes are told, those that most things of its kind have.
MOST = 4


def contents_of(grounded: GroundedProgram, answer: Answer, index: Index, look_up: LookUp) -> str:
    """The values of the one blank node that is the answer, each after its attribute; "" for other answers.

    What the store does not say in time is left out.
    """
    last = grounded.program.steps[-1]
    if answer.output != Type.NAMES or [value.type for value in answer.values] != ["literal"]:
        return ""
    led = grounded.binding(last.dependencies[0], 0) if last.dependencies else None
    relation = index.item(Kind.RELATION, led.iris[0]) if led is not None and led.iris else None
    if relation is None:
        return ""
    told = []
    for held in held_at_end(relation, index)[:MOST]:
        asked = Step("QueryAttr", (held.label,), last.dependencies)
        choices = {place: bound.iris for place, bound in grounded.bindings.items() if bound.iris}
        choices[len(grounded.program) - 1, 0] = (held.iri,)
        program = Program((*grounded.program.steps[:-1], asked))
        found = look_up(Grounder(index).ground(program, choices=choices).grounded)
        if found is not None and found.strings:
            told.append(f"{held.label} {', '.join(found.strings)}")
    return "; ".join(told)
