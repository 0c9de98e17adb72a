"""Cutting a program into stages, for a store that gives up on its one query.

A set in the middle is fetched, and the rest of the program goes on from its members; a Select at the end is
decided here over the values of its members; the branches of an Or at the end are fetched separately. The rows
equal those of the one query. Pure: other modules run the queries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from compilers.compile import CompiledQuery
from compilers.grounded import Binding, GroundedProgram
from compilers.kopl.decide import extremes
from compilers.kopl.functions import CALCULATING, RELATING, SET_TYPES, Type
from compilers.kopl.program import Program, Step
from compilers.kopl.tables import begins_line
from compilers.layouts.vocabulary import NOTHING
from compilers.naming import is_single
from compilers.read_values import ResultTerm, read_value

# Virtuoso takes no more than 4,090 IRIs in VALUES.
MAX_MEMBERS = 1_000

_LARGEST = {"SelectAmong": "largest", "SelectBetween": "greater"}
_JOINING = frozenset(
    ("Table", "OptionalTable", *CALCULATING, "FilterCompare", "FilterCount", "FilterAggregate")
)
_Term = TypeVar("_Term", bound=ResultTerm)


def cuts(grounded: GroundedProgram) -> tuple[int, ...]:
    """The indices of the sets that the rest of the program can go on from, nearest to the middle first."""
    program = grounded.program
    found = [step for step in range(len(program)) if is_cut(grounded, step)]
    return tuple(sorted(found, key=lambda step: abs(2 * len(program.ancestors(step)) - len(program))))


def is_cut(grounded: GroundedProgram, step: int) -> bool:
    """True if the members of a set are all that later steps need.

    No other step uses the steps behind it, no step reads the facts of its members, and where lines are joined
    later, each member has one way at most.
    """
    program = grounded.program
    call = program.steps[step]
    if call.signature.output not in SET_TYPES or not call.dependencies:
        return False
    behind = program.ancestors(step)
    after = [other for index, other in enumerate(program.steps) if index not in behind]
    fed = {(source, s.signature.wanted(at)) for s in after for at, source in enumerate(s.dependencies)}
    if {source for source, _ in fed} & behind != {step} or (step, Type.FACTS) in fed:
        return False
    joins = any(other.function in _JOINING for other in after)
    return not (joins and _has_several_ways(grounded, step))


def _has_several_ways(grounded: GroundedProgram, step: int) -> bool:
    """True if a member may be reached from several members, or values, of the steps behind it."""
    program = grounded.program
    while not begins_line(program, step):
        function, source = program.steps[step].function, program.steps[step].dependencies[0]
        if function == "RelateTransitive" and begins_line(program, source):
            return not is_single(grounded, source)
        if function in (*RELATING, "FilterCompare"):
            return True
        step = source
    return False


def resumed(grounded: GroundedProgram, step: int, iris: Sequence[str]) -> GroundedProgram:
    """The program with the known members of a set step in place of the step and those behind it."""
    program, start = grounded.program, _members(iris)
    behind = program.ancestors(step)
    kept = [index for index in range(len(program)) if index not in behind]
    position = {old: new for new, old in enumerate((step, *kept), len(start.program) - 1)}
    steps = (
        replace(program.steps[old], dependencies=tuple(position[d] for d in program.steps[old].dependencies))
        for old in kept
    )
    bindings = {(position[at], a): b for (at, a), b in grounded.bindings.items() if at not in behind}
    return GroundedProgram(Program((*start.program.steps, *steps)), {**start.bindings, **bindings})


def _members(iris: Sequence[str]) -> GroundedProgram:
    """The program that finds these entities."""
    find = Step("Find", (f"{len(iris)} members",))
    if iris:
        return GroundedProgram(Program((find,)), {(0, 0): Binding(tuple(iris))})
    nothing = Program((find, find, Step("Except", (), (0, 1))))
    return GroundedProgram(nothing, {(at, 0): Binding((NOTHING,)) for at in (0, 1)})


def branches(grounded: GroundedProgram) -> tuple[GroundedProgram, ...]:
    """The two sets whose union a program names or counts; () for another program."""
    program = grounded.program
    end = len(program) - 1
    if program.steps[end].signature.name in ("What", "Count"):
        (end,) = program.steps[end].dependencies
    if program.steps[end].function != "Or":
        return ()
    return tuple(grounded.prefix(side) for side in program.steps[end].dependencies)


def candidates(grounded: GroundedProgram) -> GroundedProgram | None:
    """The program for the values that a Select at the end compares; None for another program.

    None, too, where the set is one known entity: the rows would not name it.
    """
    program, last = grounded.program, len(grounded.program) - 1
    select = program.steps[last]
    if select.function not in _LARGEST:
        return None
    either = (Step("Or", (), select.dependencies),) if len(select.dependencies) > 1 else ()
    source = last if either else select.dependencies[0]
    values = Step("QueryAttr", select.inputs[:1], (source,))
    end = last + len(either)
    bindings = {(end if at == last else at, a): bound for (at, a), bound in grounded.bindings.items()}
    asked = GroundedProgram(Program((*program.steps[:last], *either, values)), bindings)
    return None if is_single(asked, source) else asked


def chosen(
    select: Step, query: CompiledQuery, columns: Sequence[str], rows: Iterable[tuple[_Term | None, ...]]
) -> tuple[tuple[_Term | None, ...], ...]:
    """The rows of `query`, compiled from `candidates`, about the members that the Select takes."""
    names = {column.role: [column.name] for column in query.columns}
    unit = next((column.unit for column in query.columns if column.unit), "")
    entity = columns.index(names["entity"][0])
    read = [(row, read_value(dict(zip(columns, row, strict=True)), names, unit)) for row in rows]
    valued = [(cell.value, value) for row, value in read if (cell := row[entity]) and value is not None]
    best = extremes(valued, largest=select.inputs[1] == _LARGEST[select.function])
    return tuple(row for row, _ in read if (cell := row[entity]) and cell.value in best)


def aligned(
    query: CompiledQuery,
    stage: CompiledQuery,
    columns: Sequence[str],
    rows: Iterable[Sequence[_Term | None]],
) -> tuple[tuple[_Term | None, ...], ...]:
    """The distinct rows of a stage under the columns of the one query; None if the stage lacks one."""
    found = {key: columns.index(name) for key, name in _keyed(stage)}
    places = [found.get(key) for key, _ in _keyed(query)]
    mapped = (tuple(None if at is None else row[at] for at in places) for row in rows)
    return tuple(mapped) if query.output == Type.ROWS else tuple(dict.fromkeys(mapped))


def _keyed(query: CompiledQuery) -> list[tuple[tuple[int, str, int], str]]:
    """The names of the columns by cell, role, and number of the same role before."""
    seen: Counter[tuple[int, str]] = Counter()
    keyed = []
    for column in query.columns:
        place = (column.cell, column.role)
        keyed.append(((*place, seen[place]), column.name))
        seen[place] += 1
    return keyed
