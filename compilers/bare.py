"""A query's answer alone: no labels, units or measures beside it, and no comments.

Programs that compare answers (the TEXT2SPARQL challenge's evaluation among them) take every value of every
column for an answer, so that a label or unit counts as wrong. For a yes-or-no question they expect the
verdict, an ASK.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from compilers import algebra as a
from compilers.compile import CompiledQuery, Origin
from compilers.grounded import GroundedProgram
from compilers.kopl.functions import Type
from compilers.kopl.program import Program, Step
from compilers.layouts.base import Column
from compilers.lowering import begin, lower
from compilers.render import render_ask, render_select
from compilers.rewrites import arrange
from compilers.rewrites.walk import expression_variables, projected, variables

# Roles beside the answer. The answer is the first of the groups below that a query has.
_BESIDE = ("label", "owner", "owner relation", "owner label", "value label", "unit", "digits", "precision")
_ANSWERS = (("entity", "relation"), ("count",), ("value", "number", "day", "year", "date"))
_VALUES = (Type.VALUES, Type.VERDICT)
_VERIFY = "Verify"

Columns = tuple[Column, ...]


def bare_query(query: CompiledQuery) -> str:
    """The text of a query for the same answer, with the answer's columns only: a table's, or the one.

    A verdict becomes an ASK for a value that fits; values that are no attribute's stay a SELECT of the values
    that decide the verdict. A query without a program keeps its text.
    """
    if query.origin is None:
        return query.text
    asked = _asked(query.origin.grounded)
    origin = replace(query.origin, grounded=asked) if asked else query.origin
    select, columns = _tree(origin)
    if asked:
        return render_ask(select.patterns, origin.options.prefixes)
    return render_select(_narrowed(select, columns, query.output), origin.options.prefixes)


def _asked(grounded: GroundedProgram) -> GroundedProgram | None:
    """The program that ends in Exists in place of a verdict; None if there is none.

    `QueryAttr` and `VerifyNum` become `FilterNum` and `Exists`: the values pass if a member is left. The
    steps keep their indices, and so their bindings.
    """
    steps = grounded.program.steps
    last = steps[-1]
    if last.function == "Exists":
        return grounded
    if not last.function.startswith(_VERIFY):
        return None
    (source,) = last.dependencies
    queried = steps[source]
    if queried.function != "QueryAttr" or source != len(steps) - 2:
        return None
    kind = last.function.removeprefix(_VERIFY)
    tested = Step(f"Filter{kind}", (*queried.inputs, *last.inputs), queried.dependencies)
    exists = Step("Exists", (), last.dependencies)
    return replace(grounded, program=Program((*steps[:-2], tested, exists)))


def _tree(origin: Origin) -> tuple[a.Select, Columns]:
    """The SELECT of the query, with its columns, before it is printed."""
    work = begin(origin.grounded, origin.layout, origin.options)
    lowered = lower(work)
    sizes = origin.grounded.sizes()
    return arrange(lowered.select, work.layout, origin.options, sizes), lowered.columns


def _narrowed(select: a.Select, columns: Columns, output: Type) -> a.Select:
    needed = {v for ordering in select.order_by for v in expression_variables(ordering.expression)}
    needed |= {v for test in select.having for v in expression_variables(test)}
    beside = {a.Variable(column.name) for column in columns} - set(_answer(columns, output)) - needed
    kept = tuple(p for p in select.projections if p.variable not in beside)
    grouped = tuple(v for v in select.group_by if v not in beside)
    head = replace(select, projections=kept, group_by=grouped)
    return replace(head, patterns=_without(head, beside))


def _answer(columns: Columns, output: Type) -> Iterator[a.Variable]:
    """The variables of the answer's columns."""
    if output == Type.ROWS:
        roles = {column.role for column in columns} - set(_BESIDE)
    else:
        # For values the value's columns come first, since an entity may be beside them; else the label's do.
        groups = reversed(_ANSWERS) if output in _VALUES else _ANSWERS
        present = {column.role for column in columns}
        roles = next((present & set(group) for group in groups if present & set(group)), present)
    yield from (a.Variable(column.name) for column in columns if column.role in roles)


def _without(select: a.Select, beside: set[a.Variable]) -> tuple[a.Pattern, ...]:
    """The patterns without the optional ones that only bind columns which were removed."""
    return tuple(
        pattern
        for position, pattern in enumerate(select.patterns)
        if not (isinstance(pattern, a.Optional) and _finds_only(select, position, beside))
    )


def _finds_only(select: a.Select, position: int, beside: set[a.Variable]) -> bool:
    """True if the variables that an optional pattern adds are in `beside` and in no other pattern."""
    others = set(projected(select))
    for number, pattern in enumerate(select.patterns):
        if number != position:
            others |= set(variables(pattern))
    added = set(variables(select.patterns[position])) - others
    return bool(added & beside)
