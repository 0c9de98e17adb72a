"""A relation of any depth on a store without property paths: its ends are found step by step.

The first query gives the ends one step from the set, each further query those one step from the new ends. The
program then carries the ends as the binding of its relation, as a concept carries its subconcepts. Pure:
other modules run the queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    """The first step of a relation of any depth that no query can follow; None if there is no such step."""
    steps = () if options.dialect.paths else enumerate(grounded.program.steps)
    relating = (index for index, step in steps if step.function == "RelateTransitive")
    return next((index for index in relating if _binding(grounded, index).reached is None), None)


def compile_hop(
    grounded: GroundedProgram, step: int, known: Sequence[str] | None, layout: str, options: Options
) -> str:
    """The query for the ends of the relation in one step: from the set, or from `known` members.

    Its rows are of `?end`, or of `?start ?end` where a later step uses the relation's starts, or the ways
    that led to its ends: one more than the bound at most. Raises the errors of `compile_program`.
    """
    program = grounded.prefix(step)
    if known is not None:
        program = resumed(program, program.program.steps[-1].dependencies[0], known)
    columns = (END,) if is_cut(grounded, step) else (START, END)
    work = begin(program, layout, replace(options, stepwise=True))
    work.names.taken.update(variable.name for variable in (START, END))
    last = len(program.program) - 1
    patterns = (*work.set(work.source(last), START), *work.set(last, END))
    wanted = tuple(map(a.Projection, columns))
    select = a.Select(wanted, patterns, (), distinct=True, limit=MAX_MEMBERS + 1)
    return render_select(arrange(select, work.layout, options, program.sizes()), options.prefixes)


def with_closure(grounded: GroundedProgram, step: int, reached: Iterable[tuple[str, ...]]) -> GroundedProgram:
    """The program with the known ends of the relation, or its starts with their ends."""
    known = replace(_binding(grounded, step), reached=tuple(reached))
    return replace(grounded, bindings={**grounded.bindings, (step, 0): known})


def _binding(grounded: GroundedProgram, step: int) -> Binding:
    return grounded.binding(step, 0) or Binding((), grounded.program.steps[step].inputs[0])


def reached(onward: Mapping[str, Iterable[str]], start: str) -> set[str]:
    """The nodes that a node leads to, itself only if it is on a circle."""
    found: set[str] = set()
    ahead = [start]
    while ahead:
        new = set(onward.get(ahead.pop(), ())) - found
        found |= new
        ahead.extend(new)
    return found
