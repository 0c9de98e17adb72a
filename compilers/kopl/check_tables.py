"""The rules about tables and numbers: which columns exist, and which aggregates may be taken of them.

A rule checks only steps with sound inputs; faults before them have issues of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from compilers.kopl.functions import FUNCTIONS, SET_TYPES, Kind, Type
from compilers.kopl.program import Program, Step
from compilers.kopl.rules import Breach, ProgramLimits, Rule, counted, feeder, known_steps, shown
from compilers.kopl.tables import (
    TableColumn,
    columns_of,
    is_aggregated,
    is_calculated_number,
    led_to,
    line_of,
    operands_of,
    reached,
)
from compilers.kopl.values import percent_in, whole_number

# Counts may be 0 (a group without members), places and columns may not.
_FROM_ZERO = ("FilterCount", "Round", "SkipTable")
# The number of rows may be a share of all: `10 %`.
_OF_ROWS = ("LimitTable", "SkipTable")
# Doubles are not exact to more decimals.
_MOST = {"decimals": 6, "percent": 100}
_OF_COLUMNS = tuple(
    name for name, function in FUNCTIONS.items() if any(p.name == "column" for p in function.parameters)
)


def _bad_number(program: Program, _: ProgramLimits) -> Iterator[Breach]:
    for index, step, function in known_steps(program):
        least = 0 if function.name in _FROM_ZERO else 1
        for position, (parameter, text) in enumerate(zip(function.parameters, step.inputs, strict=False)):
            if parameter.kind != Kind.NUMBER or not text.strip():
                continue
            number = whole_number(text)
            if function.name in _OF_ROWS and percent_in(text) is not None:
                continue
            if number is None or number < least:
                message = f"{shown(text)} is not a whole number from {least} on"
                yield Breach(index, message, "write it in digits, nine at most: 3", position)
            elif number > (most := _MOST.get(parameter.name, number)):
                yield Breach(index, f"{number} is more than {most}", f"write {most} or less", position)
            elif parameter.name == "last" and number < (whole_number(step.inputs[position - 1]) or 0):
                message = f"place {number} comes before place {step.inputs[position - 1]}"
                yield Breach(index, message, "state the place nearer to the beginning first", position)


def _bad_column(program: Program, _: ProgramLimits) -> Iterator[Breach]:
    for index, step in _soundly_fed(program):
        if step.function == "Table":
            yield from _stated_columns(program, index, step)
        if step.function in _OF_COLUMNS:
            number = whole_number(step.inputs[0])
            if number:
                columns = columns_of(program, step.dependencies[0])
                yield from _column_breaches(index, step, number, columns)


def _stated_columns(program: Program, index: int, step: Step) -> Iterator[Breach]:
    """The columns that are stated numbers, without a set or a value behind them."""
    for source in step.dependencies:
        if all(program.steps[behind].function == "Number" for behind in operands_of(program, source)):
            message = f"step {source + 1} is one stated number in every row"
            yield Breach(index, message, "calculate with it, or leave it out of the table")


def _column_breaches(
    index: int, step: Step, number: int, columns: tuple[TableColumn, ...]
) -> Iterator[Breach]:
    if number > len(columns):
        message = f"there is no column {number}: the table has {counted(len(columns), 'column')}"
        yield Breach(index, message, "columns count from 1; DropColumn moves those behind it", 0)
    elif step.function == "DropColumn" and len(columns) == 1:
        yield Breach(index, "the table would be left without a column", "leave DropColumn out", 0)
    elif step.function == "FilterTable" and columns[number - 1].type in SET_TYPES:
        hint = "compare the column of an attribute or of a number, or filter the set before the table"
        yield Breach(index, f"column {number} holds entities, which do not compare with a value", hint, 0)


def _unlike_tables(program: Program, _: ProgramLimits) -> Iterator[Breach]:
    for index, step in _soundly_fed(program):
        if step.signature.inputs == (Type.ROWS, Type.ROWS):
            one, other = (len(columns_of(program, fed)) for fed in step.dependencies)
            if one != other:
                message = f"{step.function} joins tables of {counted(one, 'column')} and of {other}"
                yield Breach(index, message, "give both tables equally many columns")


def _nested_aggregate(program: Program, _: ProgramLimits) -> Iterator[Breach]:
    for index, step in _soundly_fed(program):
        fed = [s for s in step.dependencies if program.steps[s].signature.output == Type.VALUES]
        takes = step.signature.output == Type.NUMBER or step.function == "FilterAggregate"
        if takes and any(is_aggregated(program, source) for source in fed):
            message = f"{step.function} is taken of values that are calculated from a number"
            yield Breach(index, message, "put both numbers side by side in a Table, or calculate last")


def _loose_column(program: Program, _: ProgramLimits) -> Iterator[Breach]:
    for index, step in _soundly_fed(program):
        if step.function == "OptionalTable":
            first, *others = step.dependencies
            holders = dict.fromkeys(line_of(program, first), 0)
            if is_aggregated(program, first):
                yield Breach(index, f"step {first + 1} is a number, which leads to nothing", "use Table")
            for place, column in enumerate(others, 1):
                led = led_to(program, column, holders)
                if led is None:
                    message = f"step {column + 1} does not come from the first column"
                    hint = "follow a relation or ask an attribute of the first column, or use Table"
                    yield Breach(index, message, hint)
                holders.update(dict.fromkeys(led or (), place))


def _ungrouped_value(program: Program, _: ProgramLimits) -> Iterator[Breach]:
    for index, step in _soundly_fed(program):
        if step.function == "Table":
            for column in step.dependencies:
                if is_aggregated(program, column):
                    yield from _lone_values(program, index, column)


def _lone_values(program: Program, table: int, column: int) -> Iterator[Breach]:
    """The values that a table's number is calculated with and that are not among its columns."""
    columns = program.steps[table].dependencies
    for source in reached(program, column, partial(is_calculated_number, program)):
        if not is_aggregated(program, source) and source not in columns:
            message = f"step {source + 1} is calculated with a number, but is no column of the table"
            hint = (
                f"add step {source + 1} to the Table (DropColumn hides it), so that a row has one value of it"
            )
            yield Breach(table, message, hint)


def _soundly_fed(program: Program) -> Iterator[tuple[int, Step]]:
    """The steps whose inputs and arguments, and those of all steps before them, are valid."""
    sound: set[int] = set()
    for index, step, function in known_steps(program):
        if not function.takes(len(step.dependencies)) or len(step.inputs) != len(function.parameters):
            continue
        given = [feeder(program, index, source) for source in step.dependencies if source in sound]
        types = [found.output for found in given if found is not None]
        if len(types) == len(step.dependencies) and all(
            function.accepts(position, found) for position, found in enumerate(types)
        ):
            sound.add(index)
            yield index, step


RULES = (
    Rule("bad-number", "error", "A count, a place or a column is not given as a whole number.", _bad_number),
    Rule(
        "bad-column",
        "error",
        "A column is not in the table, or not one that the function can work on.",
        _bad_column,
    ),
    Rule("unlike-tables", "error", "Two tables are joined that differ in their columns.", _unlike_tables),
    Rule(
        "nested-aggregate",
        "error",
        "A number is taken of values that a number was already taken for.",
        _nested_aggregate,
    ),
    Rule(
        "loose-column",
        "error",
        "A column of an OptionalTable is not what its first column leads to.",
        _loose_column,
    ),
    Rule(
        "ungrouped-value",
        "error",
        "A table's number is calculated with values that its rows do not have in common.",
        _ungrouped_value,
    ),
)
