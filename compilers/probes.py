"""What every step of a program finds: few queries, each about many steps at once.

A query is a union of one subquery per step. Rows name the step in `?step`, counted from 1 as in the source map:
`?step ?count`, or `?step ?entity ?label` with one row more than the examples wanted, so that a small set is
counted by its examples.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from compilers import algebra as a
from compilers.grounded import GroundedProgram
from compilers.kopl.functions import Type
from compilers.layouts import Options
from compilers.layouts.base import number_literal
from compilers.lower import begin, lower_set
from compilers.render import render_steps
from compilers.rewrites import rewrite
from compilers.rewrites.spell_domains import spell_domains

EXAMPLES = 5
STEP, COUNT, ENTITY, LABEL = (a.Variable(name) for name in ("step", "count", "entity", "label"))


@dataclass(frozen=True, slots=True)
class Probe:
    """One query, and the indices of the steps that it asks about."""

    steps: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Probes:
    """Both queries of a program; None where nothing is left to ask."""

    examples: Probe | None
    counts: Probe | None


def compile_probes(grounded: GroundedProgram, layout: str, options: Options) -> Probes:
    """Both forms for all steps that are worth asking about; raises what `compile_program` raises."""
    steps = probed_steps(grounded)
    if not steps:
        return Probes(None, None)
    examples, counts = (form(grounded, steps, layout, options) for form in (compile_examples, compile_counts))
    return Probes(examples, counts)


def set_steps(grounded: GroundedProgram) -> tuple[int, ...]:
    """The indices of the steps that yield a set."""
    steps = enumerate(grounded.program.steps)
    return tuple(index for index, step in steps if step.signature.output in (Type.ENTITIES, Type.FACTS))


def probed_steps(grounded: GroundedProgram) -> tuple[int, ...]:
    """The set steps that only the store can count, and that it can count in reasonable time.

    Left out are one known entity, and FindAll where later steps narrow it: to count every entity of a big
    graph takes seconds, and nobody asked for it.
    """
    sets = set_steps(grounded)
    narrowed = {source for step in sets for source in grounded.program.steps[step].dependencies}
    return tuple(step for step in sets if not _is_plain(grounded, step, step in narrowed))


def known_entity(grounded: GroundedProgram, step: int) -> str | None:
    """The label of the one entity that a Find is bound to; None for every other step."""
    if grounded.program.steps[step].signature.name != "Find":
        return None
    binding = grounded.binding(step, 0)
    return binding.label or None if binding is not None and len(binding.iris) == 1 else None


def _is_plain(grounded: GroundedProgram, step: int, narrowed: bool) -> bool:
    everything = grounded.program.steps[step].signature.name == "FindAll"
    return (everything and narrowed) or known_entity(grounded, step) is not None


def compile_counts(
    grounded: GroundedProgram, steps: Iterable[int], layout: str, options: Options
) -> Probe:
    """How many entities each of the set steps has; a row for each."""
    number = a.Projection(COUNT, a.Call("COUNT DISTINCT", (ENTITY,)))
    return _union(grounded, tuple(steps), layout, options, number)


def compile_examples(
    grounded: GroundedProgram, steps: Iterable[int], layout: str, options: Options
) -> Probe:
    """Up to `EXAMPLES` + 1 entities of each of the set steps; a row for each of their labels."""
    return _union(grounded, tuple(steps), layout, options, a.Projection(ENTITY))


def _union(
    grounded: GroundedProgram, steps: tuple[int, ...], layout: str, options: Options, wanted: a.Projection
) -> Probe:
    branches = tuple(_branch(grounded, step, layout, options, wanted) for step in steps)
    patterns: tuple[a.Pattern, ...] = (a.Union(branches, ()),)
    columns = [STEP, wanted.variable]
    if wanted.variable == ENTITY:
        label = begin(grounded, layout, options).layout.label(ENTITY, LABEL, 0)
        patterns, columns = (*patterns, a.Optional(label, ())), [*columns, LABEL]
    select = a.Select(tuple(map(a.Projection, columns)), patterns, (), distinct=False)
    return Probe(steps, render_steps(select, steps, grounded.program, options.prefixes))


def _branch(
    grounded: GroundedProgram, step: int, layout: str, options: Options, wanted: a.Projection
) -> tuple[a.Pattern]:
    """The subquery about one step."""
    work = begin(grounded.prefix(step), layout, options)
    work.names.taken.update(variable.name for variable in (STEP, COUNT, ENTITY, LABEL))
    patterns = lower_set(work, len(work.grounded.program) - 1, ENTITY)
    projections = (a.Projection(STEP, number_literal(step + 1)), wanted)
    select = a.Select(projections, patterns, ())
    if wanted.variable == COUNT:
        select = replace(select, distinct=False)
    else:
        select = replace(select, limit=EXAMPLES + 1)
    return (a.SubSelect(spell_domains(rewrite(select), work.layout), ()),)
