"""The members of every step of a program: few queries, each about many steps at once.

A query is a union of one subquery per step. Its rows name the step, counted from 1 as in the source map:
`?step ?count`, or `?step ?entity ?label` with one entity more than the examples wanted, so that a small set
is counted by its examples.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from compilers import algebra as a
from compilers.grounded import GroundedProgram
from compilers.kopl.functions import RELATING, SET_TYPES
from compilers.kopl.program import Program
from compilers.layouts import Options
from compilers.layouts.base import Column, number_literal
from compilers.lowering import WrittenSteps, begin
from compilers.lowering.told import EntityVariables
from compilers.render import render_select, render_steps
from compilers.rewrites import arrange

EXAMPLES = 5

_WIDE = frozenset({*RELATING, "FilterConcept"})
# A probe states the steps behind each of its steps: for 40 in a chain, 820 in all.
_MOST_WRITTEN = 1_000
STEP, COUNT, ENTITY, LABEL = (a.Variable(name) for name in ("step", "count", "entity", "label"))
_OWNED = a.Variable("owner"), a.Variable("ownerRelation"), a.Variable("ownerLabel")
_TOLD = EntityVariables(LABEL), EntityVariables(LABEL, _OWNED)


@dataclass(frozen=True, slots=True)
class Probe:
    """One query, and the indices of the steps that it is about."""

    steps: tuple[int, ...]
    text: str

    def as_json(self) -> dict[str, object]:
        """The query as JSON for people: steps counted from 1."""
        return {"steps": [step + 1 for step in self.steps], "sparql": self.text}


def compile_probes(grounded: GroundedProgram, layout: str, options: Options) -> tuple[Probe, ...]:
    """The examples and counts of all steps worth probing; raises the errors of `compile_program`."""
    examples = [step for step in set_steps(grounded) if known_entity(grounded, step) is None]
    asked = ((compile_examples, examples), (compile_counts, countable_steps(grounded)))
    return tuple(form(grounded, steps, layout, options) for form, steps in asked if steps)


def set_steps(grounded: GroundedProgram) -> tuple[int, ...]:
    """The indices of the steps that yield a set."""
    return tuple(i for i, step in enumerate(grounded.program.steps) if step.signature.output in SET_TYPES)


def countable_steps(grounded: GroundedProgram) -> tuple[int, ...]:
    """The set steps that the store is to count.

    One known entity needs no count, and a FindAll that a later step narrows gets none: counting every entity
    of a big graph takes seconds, fetching a few does not. The same holds for members two or more relations
    from all members of a class, where a later step narrows them.
    """
    sets = set_steps(grounded)
    narrowed = {source for step in sets for source in grounded.program.steps[step].dependencies}

    def is_countable(step: int) -> bool:
        everything = grounded.program.steps[step].signature.name == "FindAll"
        wide = everything or _is_wide(grounded.program, step)
        return known_entity(grounded, step) is None and not (wide and step in narrowed)

    return tuple(filter(is_countable, sets))


def _is_wide(program: Program, step: int) -> bool:
    """True if a line leads from all members of a class, unfiltered by value, over two relations or more."""
    relations = 0
    while program.steps[step].dependencies:
        function = program.steps[step].function
        if function not in _WIDE:
            return False
        relations += function in RELATING
        step = program.steps[step].dependencies[0]
    return relations > 1 and program.steps[step].function == "FindAll"


def known_entity(grounded: GroundedProgram, step: int) -> str | None:
    """The label of the one entity that a Find is bound to; None for every other step."""
    if grounded.program.steps[step].signature.name != "Find":
        return None
    binding = grounded.binding(step, 0)
    return binding.label or None if binding is not None and len(binding.iris) == 1 else None


def compile_counts(grounded: GroundedProgram, steps: Sequence[int], layout: str, options: Options) -> Probe:
    """The number of entities of each of the set steps, one row per step."""
    number, written = a.Projection(COUNT, a.Call("COUNT DISTINCT", (ENTITY,))), WrittenSteps(_MOST_WRITTEN)
    branches = (_members(grounded, step, layout, options, written, number) for step in steps)
    return _probe(grounded, steps, options, (STEP, COUNT), (_union(branches),))


def compile_examples(grounded: GroundedProgram, steps: Sequence[int], layout: str, options: Options) -> Probe:
    """Up to `EXAMPLES` + 1 entities of each of the set steps; a row for each of their labels."""
    entity, written = a.Projection(ENTITY), WrittenSteps(_MOST_WRITTEN)
    branches = (_members(grounded, step, layout, options, written, entity, EXAMPLES + 1) for step in steps)
    told = told_of_members(options)
    patterns = (_union(branches), *told.patterns(begin(grounded, layout, options).layout, ENTITY, 0))
    return _probe(grounded, steps, options, (STEP, ENTITY, *told.variables), patterns)


def told_of_members(options: Options) -> EntityVariables:
    """The variables by which `compile_examples` describes each member."""
    return _TOLD[options.owners]


def member_columns(options: Options) -> tuple[Column, ...]:
    """The columns of a member's description."""
    return (Column(ENTITY.name, "entity", 0), *told_of_members(options).columns(0))


def compile_members(programs: Sequence[GroundedProgram], layout: str, options: Options, most: int) -> str:
    """One query for up to `most` members of each program's last step: rows of `?step ?entity`.

    `?step` counts the programs from 1. Raises the errors of `compile_program`.
    """
    entity = a.Projection(ENTITY)
    branches = [
        _members(program, len(program.program) - 1, layout, options, WrittenSteps(), entity, most, number)
        for number, program in enumerate(programs, 1)
    ]
    columns = (a.Projection(STEP), a.Projection(ENTITY))
    return render_select(a.Select(columns, (_union(branches),), (), distinct=False), options.prefixes)


def _probe(
    grounded: GroundedProgram,
    steps: Sequence[int],
    options: Options,
    columns: tuple[a.Variable, ...],
    patterns: tuple[a.Pattern, ...],
) -> Probe:
    select = a.Select(tuple(map(a.Projection, columns)), patterns, (), distinct=False)
    return Probe(tuple(steps), render_steps(select, steps, grounded.program, options.prefixes))


def _union(branches: Iterable[a.Select]) -> a.Union:
    return a.Union(tuple((a.SubSelect(branch, ()),) for branch in branches), ())


def _members(
    grounded: GroundedProgram,
    step: int,
    layout: str,
    options: Options,
    written: WrittenSteps,
    wanted: a.Projection,
    limit: int | None = None,
    number: int | None = None,
) -> a.Select:
    """The wanted column over the members of one step, behind `number` or the step's own."""
    work = begin(grounded.prefix(step), layout, options, written)
    told = _TOLD[True].variables
    work.names.taken.update(variable.name for variable in (STEP, COUNT, ENTITY, *told))
    patterns = work.set(len(work.grounded.program) - 1, ENTITY)
    columns = (a.Projection(STEP, number_literal(step + 1 if number is None else number)), wanted)
    select = a.Select(columns, patterns, (), distinct=limit is not None, limit=limit)
    return arrange(select, work.layout, options, grounded.sizes())
