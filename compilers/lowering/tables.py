"""Tables: rows of columns, grouped, filtered, sorted, cut and combined (docs/extensions.md)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import reduce

from compilers import algebra as a
from compilers.errors import UnsupportedProgram
from compilers.kopl.functions import CALCULATING, SET_TYPES
from compilers.kopl.tables import is_aggregated, sorting_columns, taken_apart, taken_over_groups
from compilers.kopl.values import value_or_none
from compilers.layouts.base import FALSE, Column, Patterns, number_literal
from compilers.lowering.arithmetic import Operand, compares_with, number_column, value_shape
from compilers.lowering.closing import (
    closed,
    labels_apart,
    opaque,
    projecting,
    reopened,
    sealed,
    value_key,
    with_keys,
)
from compilers.lowering.numbers import aggregate, aggregated, leaf_variables, of_group, operand
from compilers.lowering.once import counts_solutions, each_once
from compilers.lowering.optional import optional_rows
from compilers.lowering.rows import Cell, Rows, beside, columns_apart
from compilers.lowering.values import tested, value_line
from compilers.lowering.work import Lowering
from compilers.naming import value_name
from compilers.rewrites.walk import expression_variables
from compilers.shares import share_of


@dataclass(frozen=True, slots=True)
class Test:
    """A pending FilterTable: the column (from 0) that it tests, and its step."""

    column: int
    step: int


Tests = tuple[Test, ...]


def lower_table(work: Lowering, index: int) -> tuple[a.Select, tuple[Column, ...]]:
    """The SELECT of a step that gives rows, with labels, and the meaning of its columns."""
    rows = labels_apart(_rows(work, index, ()))
    columns = tuple(replace(c, cell=number) for number, cell in enumerate(rows.cells) for c in _shown(cell))
    select = closed(rows, labels=True)
    most = work.options.limit
    if select.order_by and not work.options.dialect.skips_apart:
        most = max(most - select.offset, 1)
    return replace(select, limit=most if select.limit is None else min(select.limit, most)), columns


def plain_table(work: Lowering, index: int) -> a.Select:
    """The SELECT of a step that gives rows, without labels: for use inside another query."""
    return closed(_rows(work, index, ()), labels=False)


def _shown(cell: Cell) -> tuple[Column, ...]:
    return (*cell.columns, *(cell.told.columns(cell.step) if cell.told else ()))


def _rows(work: Lowering, index: int, tests: Tests) -> Rows:
    work.written.add(index)
    return _TABLES[work.step(index).function](work, index, tests)


def _table(work: Lowering, index: int, tests: Tests) -> Rows:
    inner, program = work.apart(), work.grounded.program
    sources = work.step(index).dependencies
    numbers = [source for source in sources if is_aggregated(program, source)]
    if len(numbers) == len(sources):
        rows = _numbers_alone(inner, index)
    elif apart := taken_apart(program, index):
        return _numbers_apart(inner, index, apart, tests)
    else:
        rows = _columns(inner, index, grouped=bool(numbers))
    return reduce(_tested, tests, rows)


def _optional_table(work: Lowering, index: int, tests: Tests) -> Rows:
    rows = optional_rows(work.apart(), index, _cell, [test.column for test in tests])
    return reduce(_tested, tests, rows)


def _columns(work: Lowering, index: int, *, grouped: bool) -> Rows:
    patterns, cells = _cells(work, work.step(index).dependencies, index)
    keys = tuple(cell for cell in cells if not is_aggregated(work.grounded.program, cell.step))
    return Rows(work, index, cells, patterns, keys if grouped else None)


def _cells(
    work: Lowering, sources: Sequence[int], table: int | None, left_out: Collection[int] = ()
) -> tuple[Patterns, tuple[Cell, ...]]:
    """The columns, empty for sources that are left out, with the patterns that state them."""
    patterns: list[a.Pattern] = []
    cells: list[Cell] = []
    for source in sources:
        new, cell = _cell(work, source, table) if source not in left_out else ((), Cell(source, ()))
        patterns.extend(new)
        cells.append(cell)
    return tuple(patterns), tuple(cells)


def _numbers_apart(work: Lowering, index: int, apart: tuple[int, ...], tests: Tests) -> Rows:
    """Groups with numbers that are taken in a subquery each, beside those that are taken together.

    The subqueries' rows are not joined, but grouped once more: parts of the keys may be missing, and Virtuoso
    joins several such subqueries to wrong rows.
    """
    program, sources, before = work.grounded.program, work.step(index).dependencies, work.written.steps
    numbers = {source for source in sources if is_aggregated(program, source)}
    together = tuple(source for source in taken_over_groups(program, index) if source not in apart)
    parts = [part for part in (together, *((number,) for number in apart)) if part]
    stated, keys = _cells(work, sources, index, left_out=numbers)
    groups = Rows(work, index, keys, stated, _filled(keys))
    groups = reduce(_tested, (test for test in tests if sources[test.column] not in numbers), groups)
    work.written.add(index, (work.written.steps - before) * len(parts))
    sorting = sorting_columns(program)
    groups, keys, more = with_keys(groups, [at for at, source in enumerate(sources) if source in sorting])
    outer = work.apart()
    branches = tuple((_part(groups, part, more, outer),) for part in parts)
    besides, calculated = _cells(outer, sources, index, left_out={*sources} - numbers)
    rows = Rows(
        outer,
        index,
        tuple(key if key.columns else number for key, number in zip(keys, calculated, strict=True)),
        (a.Union(branches, (index,)), *besides),
        _filled(keys),
        having=tuple(_is_given(outer.scope.numbers[part[0]][0]) for part in parts),
    )
    return reduce(_tested, (test for test in tests if sources[test.column] in numbers), rows)


def _filled(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    return tuple(cell for cell in cells if cell.columns)


def _part(
    groups: Rows, numbers: tuple[int, ...], more: Sequence[a.Projection], outer: Lowering
) -> a.SubSelect:
    """A subquery that gives some numbers of the groups to the group of `outer`."""
    work = replace(groups.scope, scope=deepcopy(groups.scope.scope))
    patterns, cells = list(groups.patterns), list(groups.cells)
    for source in numbers:
        new, number = of_group(work, source, groups.step)
        patterns.extend(new)
        cells.append(_number_cell(work, source, number))
        outer.scope.numbers[source] = cells[-1].variables[0], number.shape
    rows = replace(groups, scope=work, cells=tuple(cells), patterns=tuple(patterns))
    return a.SubSelect(replace(projecting(rows, more), steps=numbers), numbers)


def _is_given(number: a.Variable) -> a.Expression:
    """The group has a row with the number."""
    return a.Operation(">", (a.Call("COUNT DISTINCT", (number,)), number_literal(0)))


def _cell(work: Lowering, source: int, table: int | None = None) -> tuple[Patterns, Cell]:
    call = work.step(source)
    if is_aggregated(work.grounded.program, source):
        patterns, number = aggregate(work, source, table)
        return patterns, _number_cell(work, source, number)
    if call.signature.output in SET_TYPES:
        patterns, entity = work.line(source)
        told = work.scope.told[entity] = work.scope.told.get(entity) or work.told(entity)
        return patterns, Cell(source, (Column(entity.name, "entity", source),), told=told)
    if call.function in CALCULATING:
        patterns, number = operand(work, source)
        result = work.names.fresh(value_name(work.grounded, source))
        work.scope.derived.add(result)
        column = number_column(result.name, number, source)
        bound = a.Bind(number.expression, result, (source,))
        return (*patterns, bound), Cell(source, (column,), number=replace(number, expression=result))
    patterns, value = value_line(work, source)
    reading = work.layout.read(value, source)
    work.scope.derive(value, reading.patterns, reading.columns)
    return (*patterns, *reading.patterns), Cell(source, reading.columns, value=value)


def _number_cell(work: Lowering, source: int, number: Operand) -> Cell:
    column = number_column(work.names.fresh(value_name(work.grounded, source)).name, number, source)
    return Cell(source, (column,), number=number, expression=number.expression)


def _numbers_alone(work: Lowering, index: int) -> Rows:
    """One row: aggregates over the same values together, others each in a subquery of its own."""
    sources = work.step(index).dependencies
    taken = {tuple(work.step(source).dependencies) for source in sources}
    if len(taken) == 1 and all(aggregated(work, source) for source in sources):
        return _numbers_together(work, index)
    patterns: list[a.Pattern] = []
    cells: list[Cell] = []
    for source in sources:
        new, number = operand(work, source)
        patterns.extend(new)
        if isinstance(number.expression, a.Variable):
            column = number_column(number.expression.name, number, source)
            cells.append(Cell(source, (column,), number=number))
        else:
            cells.append(_number_cell(work, source, number))
    return Rows(work, index, tuple(cells), tuple(patterns))


def _numbers_together(work: Lowering, index: int) -> Rows:
    patterns, cells = _cells(work, work.step(index).dependencies, None)
    expressions = tuple(cell.expression for cell in cells if cell.expression is not None)
    if any(map(counts_solutions, expressions)):
        kept = leaf_variables(work, work.source(index))
        patterns = each_once(work.scope, patterns, kept, expressions, (index,))
    return Rows(work, index, cells, patterns, ())


def _filter_table(work: Lowering, index: int, tests: Tests) -> Rows:
    """The rows of a Table, tested before they are joined, sorted or combined."""
    source = work.source(index)
    test = Test(int(work.step(index).inputs[0]) - 1, index)
    return _rows(work, source, (*tests, test))


def _tested(rows: Rows, test: Test) -> Rows:
    work, cell = rows.scope, rows.cells[test.column]
    _, text, comparison = work.step(test.step).inputs
    shape = value_shape(cell.value) if cell.value else cell.number.shape if cell.number else None
    if shape is None:
        raise _unlike_columns(test.step)
    target = value_or_none(text, shape.type)
    if target is None:
        return replace(rows, patterns=(*rows.patterns, a.Filter(FALSE, (test.step,))))
    if cell.value is not None:
        more = tested(work, test.step, cell.value, comparison, target)
        return replace(rows, patterns=(*rows.patterns, *more))
    assert cell.number is not None
    condition = compares_with(test.step, cell.number, comparison, target)
    if cell.expression is not None:
        return replace(rows, having=(*rows.having, condition))
    return replace(rows, patterns=(*rows.patterns, a.Filter(condition, (test.step,))))


def _sort_table(work: Lowering, index: int, tests: Tests) -> Rows:
    column = work.number(index) - 1
    rows = reopened(_rows(work, work.source(index), tests), column)
    cell = rows.cells[column]
    patterns, key = _order_key(rows, cell)
    placed = rows.patterns if not cell.value else beside(rows.patterns, cell.value.variable, patterns)
    ordering = a.Ordering(key, descending=work.step(index).inputs[1] == "descending")
    return replace(
        rows,
        patterns=placed,
        order=(ordering, *(told for told in rows.order if told.expression != key)),
    )


def _order_key(rows: Rows, cell: Cell) -> tuple[Patterns, a.Expression]:
    """The sort key of a column, with the patterns that state it; unbound keys come first."""
    if cell.told is not None:
        return (), cell.told.label
    if cell.value is not None:
        patterns, found = value_key(rows, cell)
        return patterns, found.expression
    if cell.expression is None and cell.number is not None:
        return (), cell.number.expression
    return (), cell.variables[0]


def _limit_table(work: Lowering, index: int, tests: Tests) -> Rows:
    rows, number = _orderly(work, index), _so_many(work, index)
    cut = replace(rows, limit=number if rows.limit is None else min(rows.limit, number))
    return _tested_after(cut, tests)


def _skip_table(work: Lowering, index: int, tests: Tests) -> Rows:
    rows, number = _orderly(work, index), _so_many(work, index)
    left = None if rows.limit is None else max(rows.limit - number, 0)
    return _tested_after(replace(rows, limit=left, offset=rows.offset + number), tests)


def _so_many(work: Lowering, index: int) -> int:
    """The number of rows that a step names; raises UnsupportedProgram for a share of them."""
    if share_of(work.step(index)) is not None:
        raise UnsupportedProgram(
            "a share of a table's rows is taken only once they are counted",
            step=index,
            hint="run the program, or state how many rows",
        )
    return work.number(index)


def _orderly(work: Lowering, index: int) -> Rows:
    """The rows that a step cuts; rows that tie at the cut are ordered by their other columns."""
    rows = _rows(work, work.source(index), ())
    if not rows.order or rows.is_cut:
        return rows
    others = (a.Ordering(cell.variables[0]) for cell in rows.cells)
    told = {v for ordering in rows.order for v in expression_variables(ordering.expression)}
    more = (ordering for ordering in others if ordering.expression not in told)
    return replace(rows, order=(*rows.order, *more))


def _tested_after(cut: Rows, tests: Tests) -> Rows:
    """The cut rows, tested in an outer query."""
    return reduce(_tested, tests, sealed(cut, tuple(test.column for test in tests))) if tests else cut


def _drop_column(work: Lowering, index: int, tests: Tests) -> Rows:
    dropped = int(work.step(index).inputs[0]) - 1
    moved = tuple(replace(t, column=t.column + (t.column >= dropped)) for t in tests)
    rows = _rows(work, work.source(index), moved)
    if rows.distinct:
        rows = sealed(rows)
    kept = tuple(cell for position, cell in enumerate(rows.cells) if position != dropped)
    order = tuple(_inlined(ordering, rows.cells[dropped]) for ordering in rows.order)
    return replace(rows, cells=kept, dropped=(*rows.dropped, rows.cells[dropped]), order=order)


def _inlined(ordering: a.Ordering, dropped: Cell) -> a.Ordering:
    """An order by a dropped column becomes one by the column's expression."""
    if dropped.expression is not None and ordering.expression == dropped.variables[0]:
        return replace(ordering, expression=dropped.expression)
    return ordering


def _distinct_table(work: Lowering, index: int, tests: Tests) -> Rows:
    rows = reopened(_rows(work, work.source(index), tests))
    return replace(rows, distinct=True)


def _two_tables(work: Lowering, index: int, tests: Tests) -> Rows:
    """The rows of both tables, of either, or of the first alone."""
    first, left, right = _both(work, index, tests)
    function = work.step(index).function
    if function == "OrTable":
        patterns: Patterns = (a.Union(((left,), (right,)), (index,)),)
    else:
        _require_full(first, index)
        patterns = (left, right if function == "AndTable" else a.Minus((right,), (index,)))
    return Rows(first.scope.apart(), index, tuple(map(opaque, first.cells)), patterns, distinct=True)


def _both(work: Lowering, index: int, tests: Tests) -> tuple[Rows, a.SubSelect, a.SubSelect]:
    """The rows of the first table, and both tables with the variables of the first."""
    first, second = (
        columns_apart(replace(reopened(_rows(work, source, tests)), distinct=True))
        for source in work.step(index).dependencies
    )
    roles = [[c.role for cell in rows.cells for c in cell.columns] for rows in (first, second)]
    if roles[0] != roles[1]:
        raise _unlike_columns(index)
    left, right = closed(first, labels=False), closed(second, labels=False)
    renamed = tuple(
        replace(own, variable=name.variable, expression=own.expression or own.variable)
        for own, name in zip(right.projections, left.projections, strict=True)
    )
    cells = tuple(
        replace(own, optional=own.optional or other.optional)
        for own, other in zip(first.cells, second.cells, strict=True)
    )
    right = replace(right, projections=renamed)
    return replace(first, cells=cells), a.SubSelect(left, (index,)), a.SubSelect(right, (index,))


def _unlike_columns(index: int) -> UnsupportedProgram:
    return UnsupportedProgram(
        "the tables' columns are of different kinds",
        step=index,
        hint="combine tables whose columns hold the same kinds of things in the same order",
    )


def _require_full(rows: Rows, index: int) -> None:
    """Raise UnsupportedProgram for optional columns: in a join an unbound cell matches any value."""
    if any(cell.optional for cell in rows.cells):
        raise UnsupportedProgram(
            "rows are compared by a column that may be empty",
            step=index,
            hint="filter the sets before the table, or use Table",
        )


_TABLES: dict[str, Callable[[Lowering, int, Tests], Rows]] = {
    "Table": _table,
    "OptionalTable": _optional_table,
    "FilterTable": _filter_table,
    "SortTable": _sort_table,
    "LimitTable": _limit_table,
    "SkipTable": _skip_table,
    "DropColumn": _drop_column,
    "DistinctTable": _distinct_table,
    **dict.fromkeys(("AndTable", "OrTable", "ExceptTable"), _two_tables),
}
