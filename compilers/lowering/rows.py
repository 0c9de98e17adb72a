"""Rows of a table under construction, and their columns."""

from __future__ import annotations

from dataclasses import dataclass, replace

from compilers import algebra as a
from compilers.layouts.base import Column, Patterns, ValueReference
from compilers.lowering.arithmetic import Operand
from compilers.lowering.told import EntityVariables, renamed
from compilers.lowering.work import Lowering
from compilers.rewrites.walk import variables


@dataclass(frozen=True, slots=True)
class Cell:
    """One column: its variables, and the value or number that tests and orders use.

    `told` has the labels of a set's members; `expression` computes a number in the SELECT. An `optional`
    column may be missing.
    """

    step: int
    columns: tuple[Column, ...]
    told: EntityVariables | None = None
    value: ValueReference | None = None
    number: Operand | None = None
    expression: a.Expression | None = None
    optional: bool = False

    @property
    def variables(self) -> tuple[a.Variable, ...]:
        """The variables of the columns."""
        return tuple(a.Variable(column.name) for column in self.columns)

    def projections(self) -> tuple[a.Projection, ...]:
        """The projections of the column in the SELECT."""
        if self.expression is None:
            return tuple(map(a.Projection, self.variables))
        return (a.Projection(self.variables[0], self.expression),)


@dataclass(frozen=True, slots=True)
class Rows:
    """A table under construction: one SELECT that is not closed yet.

    `keys` are the columns that numbers are grouped by, shown or dropped; None without numbers. `dropped`
    columns are not shown, but their rows stay apart.
    """

    scope: Lowering
    step: int
    cells: tuple[Cell, ...]
    patterns: Patterns
    keys: tuple[Cell, ...] | None = None
    dropped: tuple[Cell, ...] = ()
    having: tuple[a.Expression, ...] = ()
    order: tuple[a.Ordering, ...] = ()
    limit: int | None = None
    offset: int = 0
    distinct: bool = False

    @property
    def is_cut(self) -> bool:
        """True if LIMIT or OFFSET leaves rows out."""
        return self.limit is not None or self.offset > 0


def beside(patterns: Patterns, variable: a.Variable, more: Patterns) -> Patterns:
    """The patterns with more of them, in the group in which a variable always has a value."""
    if any(variable in variables(p) for p in patterns if not isinstance(p, a.Optional)):
        return (*patterns, *more)
    for at, pattern in enumerate(patterns):
        if isinstance(pattern, a.Optional) and variable in variables(pattern):
            inner = replace(pattern, patterns=beside(pattern.patterns, variable, more))
            return (*patterns[:at], inner, *patterns[at + 1 :])
    return (*patterns, *more)


def columns_apart(rows: Rows) -> Rows:
    """The rows with separate variables for each column: one set may be several of a table's columns."""
    taken: set[a.Variable] = set()
    for position, cell in enumerate(rows.cells):
        if not taken.isdisjoint(cell.variables):
            rows = _renamed(rows, position)
        taken.update(rows.cells[position].variables)
    return rows


def _renamed(rows: Rows, position: int) -> Rows:
    """The rows with new variables for one column, assigned from the old ones."""
    old, names = rows.cells[position], rows.scope.names
    columns = tuple(replace(column, name=names.fresh(column.name).name) for column in old.columns)
    told = renamed(old.told, names) if old.told is not None else None
    new = replace(old, columns=columns, told=told)
    assigned = (
        a.Bind(own, a.Variable(column.name), (old.step,))
        for own, column in zip(old.variables, columns, strict=True)
    )
    cells = (*rows.cells[:position], new, *rows.cells[position + 1 :])
    keys = rows.keys and (*rows.keys, new)
    return replace(rows, cells=cells, keys=keys, patterns=(*rows.patterns, *assigned))
