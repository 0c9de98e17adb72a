"""A relation of any depth on a store that is not asked for paths: what it leads to, found step by step.

The first query asks what the set leads to in one step, each of the next what those lead to that are new. The
program then has them as the binding of its relation, as a concept has those below it. Pure: what runs the
queries is elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from compilers import algebra as a
from compilers.grounded import Binding, GroundedProgram
from compilers.layouts import Options
from compilers.lowering import begin
from compilers.render import render_select
from compilers.rewrites import arrange
from compilers.staging import MAX_MEMBERS, is_cut, resumed

START, END = a.Variable("start"), a.Variable("end")


def unknown_closure(grounded: GroundedProgram, options: Options) -> int | None:
    """The first step of a relation of any depth that no query can follow; None where there is none."""
    steps = () if options.dialect.paths else enumerate(grounded.program.steps)
    relating = (index for index, step in steps if step.function == "RelateTransitive")
    return next((index for index in relating if _binding(grounded, index).reached is None), None)


def needs_starts(grounded: GroundedProgram, step: int) -> bool:
    """Whether a later step asks what the relation started from, too, or goes by the ways that led on."""
    return not is_cut(grounded, step)


def compile_hop(
    grounded: GroundedProgram, step: int, known: Sequence[str] | None, layout: str, options: Options
) -> str:
    """The query for what the relation leads to in one step: from the set, or from `known` members.

    Its rows are of `?end`, or of `?start ?end` where starts are needed: at most one more than may be known.
    Raises what `compile_program` raises.
    """
    program = grounded.prefix(step)
    if known is not None:
        program = resumed(program, program.program.steps[-1].dependencies[0], known)
    columns = (START, END) if needs_starts(grounded, step) else (END,)
    work = begin(program, layout, replace(options, stepwise=True))
    work.names.taken.update(variable.name for variable in (START, END))
    last = len(program.program) - 1
    patterns = (*work.set(work.source(last), START), *work.set(last, END))
    wanted = tuple(map(a.Projection, columns))
    select = a.Select(wanted, patterns, (), distinct=True, limit=MAX_MEMBERS + 1)
    return render_select(arrange(select, work.layout, options.dialect, program.sizes()), options.prefixes)


def with_closure(grounded: GroundedProgram, step: int, reached: Iterable[tuple[str, ...]]) -> GroundedProgram:
    """The program that knows what the relation leads to: ends, or starts with ends."""
    known = replace(_binding(grounded, step), reached=tuple(reached))
    return GroundedProgram(grounded.program, {**grounded.bindings, (step, 0): known})


def _binding(grounded: GroundedProgram, step: int) -> Binding:
    return grounded.binding(step, 0) or Binding((), grounded.program.steps[step].inputs[0])
