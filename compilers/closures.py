"""A relation of any depth on a store that is not asked for paths: what it leads to, found step by step.

The first query asks what the set leads to in one step, each of the next what those lead to that are new. The
program then has them as the binding of its relation, as a concept has those below it. Pure: what runs the
queries is elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from compilers.errors import UnsupportedProgram
from compilers.grounded import Binding, GroundedProgram
from compilers.layouts import Options
from compilers.probes import compile_members
from compilers.staging import MAX_MEMBERS, is_cut, resumed


def unknown_closure(grounded: GroundedProgram, options: Options) -> int | None:
    """The first step of a relation of any depth that no query can follow; None where there is none.

    Raises:
        UnsupportedProgram: a later step asks what it starts from, too.
    """
    if options.dialect.paths:
        return None
    steps = enumerate(grounded.program.steps)
    relating = (index for index, step in steps if step.function == "RelateTransitive")
    found = next((index for index in relating if _binding(grounded, index).reached is None), None)
    if found is None or is_cut(grounded, found):
        return found
    what = "no later step may use what a relation of any depth starts from, or go with it in rows"
    hint = "ask for what it leads to alone, or from one known start"
    raise UnsupportedProgram(f"in the dialect {options.dialect.name} {what}", step=found, hint=hint)


def compile_hop(
    grounded: GroundedProgram, step: int, known: Sequence[str] | None, layout: str, options: Options
) -> str:
    """The query for what the relation leads to in one step: from the set, or from `known` members.

    It gives one more than may be known in all where there are more. Raises what `compile_program` raises.
    """
    program = grounded.prefix(step)
    if known is not None:
        (source,) = program.program.steps[-1].dependencies
        program = resumed(program, source, known)
    return compile_members((program,), layout, replace(options, stepwise=True), MAX_MEMBERS + 1)


def with_closure(grounded: GroundedProgram, step: int, reached: Sequence[str]) -> GroundedProgram:
    """The program that knows what the relation leads to."""
    known = replace(_binding(grounded, step), reached=tuple(reached))
    return GroundedProgram(grounded.program, {**grounded.bindings, (step, 0): known})


def _binding(grounded: GroundedProgram, step: int) -> Binding:
    return grounded.binding(step, 0) or Binding((), grounded.program.steps[step].inputs[0])
