"""The sources of tables and numbers, known from the program without running it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from compilers.kopl.functions import CALCULATING, RELATING, SET_TYPES, Type
from compilers.kopl.program import Program
from compilers.kopl.values import whole_number

# Functions that make a table of columns; other table functions work on rows.
COLUMNWISE = ("Table", "OptionalTable")
# They give more than so many where members tie for the last place.
FIRST_SO_MANY = ("SelectTop", "SelectTopBy")
# At these functions the line goes on from more than the first input.
_FORKS = ("Or", "FilterCompare", "Calculate")
# Their numbers change where a value is taken several times.
_ADDING = ("Sum", "Average")


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column: the step (index from 0) that it shows, and its type."""

    step: int
    type: Type


def columns_of(program: Program, step: int) -> tuple[TableColumn, ...]:
    """The columns of the table that `step` gives, from left to right; () if it gives no table.

    A table made of two has the columns of the first. The inputs of the step and of those before it must
    be sound (the checker says so); a DropColumn that names no column drops none.
    """
    dropped: list[int | None] = []
    call = program.steps[step]
    while call.function not in COLUMNWISE:
        if call.signature.output != Type.ROWS:
            return ()
        if call.function == "DropColumn":
            dropped.append(whole_number(call.inputs[0]))
        call = program.steps[call.dependencies[0]]
    columns = [TableColumn(source, program.steps[source].signature.output) for source in call.dependencies]
    for number in reversed(dropped):
        if number is not None and 1 <= number <= len(columns):
            del columns[number - 1]
    return tuple(columns)


def led_to(program: Program, step: int, holders: Mapping[int, int]) -> tuple[int, ...] | None:
    """The steps from earlier columns to this column, itself last; None if it does not come from them.

    `holders` maps each step to the column that brought it in. None for a number, and for a set that only
    filters another column.
    """
    line = line_of(program, step)
    new = tuple(itertools.takewhile(lambda one: one not in holders, line))
    maker = next((one for one in line if program.steps[one].function in RELATING), line[-1])
    is_set = program.steps[step].signature.output in SET_TYPES
    if is_set and holders.get(step) != holders.get(maker):
        return None
    strange = any(
        program.steps[one].function in _FORKS or program.steps[one].signature.output == Type.NUMBER
        for one in new
    )
    return None if strange or len(new) == len(line) else new[::-1]


def line_of(program: Program, step: int) -> tuple[int, ...]:
    """A step, the one that its first input comes from, and so on."""
    behind = [step]
    while program.steps[behind[-1]].dependencies and program.steps[behind[-1]].function != "Or":
        behind.append(program.steps[behind[-1]].dependencies[0])
    return tuple(behind)


def begins_line(program: Program, step: int) -> bool:
    """True if a set has no line behind it: it begins a branch, or is an Or."""
    call = program.steps[step]
    return not call.dependencies or call.function == "Or"


def is_number(program: Program, step: int) -> bool:
    """True if a step gives one number: aggregated over a set, stated, or calculated from such numbers."""
    return all(program.steps[source].signature.output == Type.NUMBER for source in operands_of(program, step))


def is_aggregated(program: Program, step: int) -> bool:
    """True if a column of a table is computed per combination of the others.

    That is, it contains an aggregate over a set, or consists of stated numbers alone.
    """
    numbers = [s for s in operands_of(program, step) if program.steps[s].signature.output == Type.NUMBER]
    return is_number(program, step) or any(program.steps[s].function != "Number" for s in numbers)


def stands_alone(program: Program, table: int, number: int) -> bool:
    """True if an aggregate in a table shares no step with the columns that group it: it is one number."""
    keys = (source for source in program.steps[table].dependencies if not is_aggregated(program, source))
    grouping = {one for key in keys for one in program.ancestors(key)}
    return bool(grouping) and grouping.isdisjoint(program.ancestors(number))


def taken_apart(program: Program, table: int) -> tuple[int, ...]:
    """The sums and averages of a Table that the sets of its other numbers would multiply or restrict.

    Each is taken over the ways of its own line and of the columns that group the table; () without these.
    """
    keys = [s for s in program.steps[table].dependencies if not is_aggregated(program, s)]
    grouping = {one for key in keys for one in _sets_chosen(program, key)}
    chosen = {
        number: _sets_chosen(program, program.steps[number].dependencies[0])
        for number in taken_over_groups(program, table)
        if program.steps[number].signature.output == Type.NUMBER
    }
    return tuple(
        number
        for number, own in chosen.items()
        if keys and program.steps[number].function in _ADDING
        if any(other - own - grouping for other in chosen.values())
    )


def taken_over_groups(program: Program, table: int) -> tuple[int, ...]:
    """The uncalculated numbers over ways of a Table's groups, and the columns calculated with them."""
    numbers = (s for s in program.steps[table].dependencies if is_aggregated(program, s))
    calculated = partial(is_calculated_number, program)
    parts = dict.fromkeys(part for number in numbers for part in reached(program, number, calculated))
    return tuple(
        part
        for part in parts
        if not calculated(part) and program.steps[part].function not in ("Number", "CountTable")
        if not (is_aggregated(program, part) and stands_alone(program, table, part))
    )


def sorting_columns(program: Program) -> frozenset[int]:
    """The steps whose columns the rows of some table are sorted by."""
    sorting = (call for call in program.steps if call.function == "SortTable")
    return frozenset(columns_of(program, s.dependencies[0])[int(s.inputs[0]) - 1].step for s in sorting)


def _sets_chosen(program: Program, step: int) -> frozenset[int]:
    """The sets of which a way to a step chooses members: those of its line, and of lines joined with it."""
    seen: set[int] = set()
    ahead = [step]
    while ahead:
        call = program.steps[source := ahead.pop()]
        if source not in seen and call.signature.output != Type.NUMBER:
            seen.add(source)
            joined = call.dependencies if call.function in _FORKS else call.dependencies[:1]
            ahead.extend(() if begins_line(program, source) else joined)
    return frozenset(source for source in seen if program.steps[source].signature.output in SET_TYPES)


def connected_columns(program: Program, table: int) -> list[tuple[int, ...]]:
    """The columns of a Table, from 1 and without numbers, in groups that share a step."""
    groups: list[tuple[set[int], tuple[int, ...]]] = []
    for number, source in enumerate(program.steps[table].dependencies, 1):
        if not is_aggregated(program, source):
            steps = program.ancestors(source)
            joined = [one for one in groups if not one[0].isdisjoint(steps)]
            columns = (*(column for _, group in joined for column in group), number)
            groups = [one for one in groups if one not in joined]
            groups.append((steps.union(*(group for group, _ in joined)), columns))
    return sorted(tuple(sorted(columns)) for _, columns in groups)


def is_calculated_number(program: Program, step: int) -> bool:
    """True if a step calculates with a number aggregated over a set, perhaps with values besides."""
    return program.steps[step].function in CALCULATING and is_aggregated(program, step)


def subject_of(program: Program, step: int) -> int | None:
    """The step of the set that has the values; None for values calculated from numbers alone."""
    return next(iter(leaves_of(program, step)), None)


def leaves_of(program: Program, step: int) -> tuple[int, ...]:
    """The steps of values that values are calculated from, each after the set that has them."""
    values = (s for s in operands_of(program, step) if program.steps[s].signature.output == Type.VALUES)
    return tuple(dict.fromkeys(leaf for s in values for leaf in (program.steps[s].dependencies[0], s)))


def operands_of(program: Program, step: int) -> tuple[int, ...]:
    """The steps that a value is calculated from, distinct and in order; the step itself if there are none."""
    behind = reached(program, step, lambda s: program.steps[s].function in CALCULATING)
    return tuple(source for source in behind if program.steps[source].function not in CALCULATING)


def reached(program: Program, step: int, through: Callable[[int], bool]) -> Iterator[int]:
    """A step and those behind it, each once, in order, entering inputs only where `through` holds."""
    seen: set[int] = set()
    ahead = [step]
    while ahead:
        source = ahead.pop()
        if source not in seen:
            seen.add(source)
            yield source
            ahead.extend(reversed(program.steps[source].dependencies if through(source) else ()))
