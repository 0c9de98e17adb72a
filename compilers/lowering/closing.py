"""Closed rows: a SELECT, or a subquery that further patterns refer to."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from compilers import algebra as a
from compilers.layouts.base import Patterns
from compilers.layouts.vocabulary import XSD
from compilers.lowering.arithmetic import Operand, decoded, operand_of
from compilers.lowering.once import counts_solutions, each_once
from compilers.lowering.rows import Cell, Rows, beside
from compilers.rewrites.walk import single_variables

# An IRI that no graph describes.
NONE = a.Iri("urn:x-nothing")
# An expression with an error, which leaves a key unbound.
_NO_NUMBER = a.Call(XSD + "double", (a.Literal(""),))


def labels_apart(rows: Rows) -> Rows:
    """Rows with LIMIT or OFFSET as a subquery: an entity with several labels would fill several places."""
    if not rows.is_cut or rows.scope.options.plain_labels or all(c.told is None for c in rows.cells):
        return rows
    keys: dict[a.Expression, a.Variable] = {
        ordering.expression: rows.scope.names.fresh("order") for ordering in rows.order
    }
    given: dict[a.Expression, a.Variable] = {
        variable: variable for cell in rows.cells for variable in cell.variables
    }
    told = {**keys, **given}
    more = tuple(a.Projection(key, by) for by, key in keys.items() if by not in given)
    cut = sealed(rows, more=more)
    order = tuple(replace(ordering, expression=told[ordering.expression]) for ordering in rows.order)
    return replace(cut, order=order)


def opaque(cell: Cell) -> Cell:
    """A column of a subquery, reduced to its variables."""
    number = replace(cell.number, expression=cell.variables[0]) if cell.number else None
    return replace(cell, value=None, number=number, expression=None)


def reopened(rows: Rows, column: int | None = None) -> Rows:
    """Rows that further patterns may refer to; `column` (from 0) is the one they will refer to."""
    return sealed(rows, () if column is None else (column,)) if rows.is_cut else rows


def sealed(rows: Rows, keyed: tuple[int, ...] = (), more: tuple[a.Projection, ...] = ()) -> Rows:
    """The rows so far as a subquery, so that later modifiers apply to them as they are.

    The subquery also projects the comparison keys of the columns (from 0) in `keyed`, and `more`.
    """
    rows, cells, keys = with_keys(rows, keyed)
    inner = projecting(rows, (*more, *keys))
    scope = rows.scope.apart()
    scope.scope.derived.update(projection.variable for projection in inner.projections)
    return Rows(scope, rows.step, cells, (a.SubSelect(inner, (rows.step,)),))


def with_keys(rows: Rows, keyed: Collection[int]) -> tuple[Rows, tuple[Cell, ...], tuple[a.Projection, ...]]:
    """The rows with the comparison keys of the columns in `keyed`; their columns outside; the keys."""
    keys: list[a.Projection] = []
    cells = list(map(opaque, rows.cells))
    for column in keyed:
        cell = rows.cells[column]
        if cell.value is not None:
            patterns, found = value_key(rows, cell)
            key = rows.scope.names.fresh(f"{cell.value.stem} key")
            rows = replace(rows, patterns=beside(rows.patterns, cell.value.variable, patterns))
            keys.append(a.Projection(key, found.expression))
            cells[column] = replace(cells[column], number=decoded(key, found.shape))
    return rows, tuple(cells), tuple(keys)


def projecting(rows: Rows, keys: Sequence[a.Projection]) -> a.Select:
    """The SELECT of the rows without labels, with keys besides, of which a group has one each."""
    select = closed(rows, labels=False)
    told = _one_of_a_group(rows, [key.expression for key in keys if key.expression is not None])
    group = dict.fromkeys((*select.group_by, *told)) if select.group_by else ()
    return replace(select, projections=(*select.projections, *keys), group_by=tuple(group))


def value_key(rows: Rows, cell: Cell) -> tuple[Patterns, Operand]:
    """A value's sort key, with the patterns that state it; rows without a key stay.

    What is only calculated from the value stands beside it: within an OPTIONAL it would be out of scope. Its
    tests are then part of the key: a text such as "NaN" is none, though it casts to a number.
    """
    assert cell.value is not None
    found, patterns = operand_of(rows.scope, cell.step, cell.value)
    tests = [pattern.expression for pattern in patterns if isinstance(pattern, a.Filter)]
    stating = tuple(pattern for pattern in patterns if not isinstance(pattern, a.Filter))
    if not all(isinstance(pattern, a.Bind) for pattern in stating):
        return (a.Optional(patterns, (cell.step,)),), found
    for test in tests if stating else ():
        found = replace(found, expression=a.Call("IF", (test, found.expression, _NO_NUMBER)))
    return stating, found


def closed(rows: Rows, *, labels: bool) -> a.Select:
    """The SELECT of the rows."""
    projections = tuple(p for cell in rows.cells for p in cell.projections())
    needed = {o.expression for o in rows.order}
    labelled = [c for c in (*rows.cells, *(rows.keys or ())) if c.told is not None]
    wanted = [
        cell
        for cell in dict.fromkeys(labelled)
        if (labels and cell in rows.cells) or (cell.told and cell.told.label in needed)
    ]
    told = tuple(dict.fromkeys(pattern for cell in wanted for pattern in _telling(rows, cell)))
    shown = _with_labels(rows, projections, labels)
    group = [v for cell in rows.keys or () for v in cell.variables]
    group.extend(v for cell in wanted if rows.keys and cell.told for v in cell.told.variables)
    group.extend(_one_of_a_group(rows, [one.expression for one in rows.order]) if rows.keys else ())
    return a.Select(
        shown,
        (*_each_once(rows), *told),
        (rows.step,),
        distinct=rows.distinct,
        group_by=tuple(dict.fromkeys(group)),
        having=rows.having,
        order_by=rows.order,
        limit=rows.limit,
        offset=rows.offset,
    )


def _one_of_a_group(rows: Rows, expressions: Sequence[a.Expression]) -> Iterator[a.Variable]:
    """The variables of groups' sort keys, computed numbers left out: each has one value in a group."""
    computed = {cell.variables[0] for cell in rows.cells if cell.expression is not None}
    found = (v for expression in expressions for v in single_variables(expression))
    return (variable for variable in found if variable not in computed)


def _with_labels(rows: Rows, projections: tuple[a.Projection, ...], labels: bool) -> tuple[a.Projection, ...]:
    if not labels:
        return tuple(dict.fromkeys(projections))
    shown: dict[a.Projection, None] = {}
    for cell in rows.cells:
        shown.update(dict.fromkeys(cell.projections()))
        if cell.told is not None:
            shown.update(dict.fromkeys(map(a.Projection, cell.told.variables)))
    return tuple(shown)


def _telling(rows: Rows, cell: Cell) -> Patterns:
    """The label and owner of a member; for an optional member they hang on a variable always bound."""
    if cell.told is None:
        return ()
    layout, step, entity = rows.scope.layout, rows.step, cell.variables[0]
    if not cell.optional:
        return cell.told.patterns(layout, entity, step)
    known = rows.scope.names.fresh(f"{entity.name} or none")
    bound = a.Bind(a.Call("COALESCE", (entity, NONE)), known, (step,))
    return (bound, *cell.told.patterns(layout, known, step))


def _each_once(rows: Rows) -> Patterns:
    """The patterns, made distinct where a number counts their solutions; those of its subqueries are so."""
    expressions: list[a.Expression] = [cell.expression for cell in rows.cells if cell.expression is not None]
    expressions.extend((*rows.having, *(ordering.expression for ordering in rows.order)))
    if rows.scope.scope.numbers or rows.keys == () or (rows.keys is None and rows.distinct):
        return rows.patterns
    if rows.keys is not None and not any(map(counts_solutions, expressions)):
        return rows.patterns
    scope = rows.scope.scope
    kept = {*scope.members.values(), *rows.scope.value_variables(scope.values)}
    told = (*rows.cells, *rows.dropped, *(rows.keys or ()))
    shown = [variable for cell in told for variable in cell.variables]
    inside = any(cell.optional for cell in told)
    return each_once(
        scope, rows.patterns, frozenset({*kept, *shown}), expressions, (rows.step,), inside=inside
    )
