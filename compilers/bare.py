"""A query's answer alone: no labels, units or measures beside it, and no comments.

Programs that compare answers (the TEXT2SPARQL challenge's evaluation among them) take every value of every
column for one: what helps people to read a result would count as wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from compilers import algebra as a
from compilers.compile import CompiledQuery
from compilers.kopl.functions import Type
from compilers.render import render_select
from compilers.rewrites.walk import expression_variables, projected, variables

# What stands beside the answer. Of the groups after it the first that a query has is the answer.
_BESIDE = ("label", "value label", "unit", "digits", "precision")
_ANSWERS = (("entity", "relation"), ("count",), ("value", "number", "day", "year", "date"))
_VALUES = (Type.VALUES, Type.VERDICT)


def bare_query(query: CompiledQuery) -> str:
    """The text of a query for the same answer, with its columns only: those of a table, or the one.

    A query that is not known as a tree keeps its text.
    """
    if query.select is None:
        return query.text
    select = query.select
    needed = {v for ordering in select.order_by for v in expression_variables(ordering.expression)}
    needed |= {v for test in select.having for v in expression_variables(test)}
    beside = {a.Variable(column.name) for column in query.columns} - set(_answer(query)) - needed
    kept = tuple(p for p in select.projections if p.variable not in beside)
    grouped = tuple(v for v in select.group_by if v not in beside)
    head = replace(select, projections=kept, group_by=grouped)
    return render_select(replace(head, patterns=_without(head, beside)), query.prefixes)


def _answer(query: CompiledQuery) -> Iterator[a.Variable]:
    """The variables of the answer's columns."""
    if query.output == Type.ROWS:
        roles = {column.role for column in query.columns} - set(_BESIDE)
    else:
        # Values are asked of something, which may be beside them; all else is about what has a name.
        groups = reversed(_ANSWERS) if query.output in _VALUES else _ANSWERS
        present = {column.role for column in query.columns}
        roles = next((present & set(group) for group in groups if present & set(group)), present)
    yield from (a.Variable(column.name) for column in query.columns if column.role in roles)


def _without(select: a.Select, beside: set[a.Variable]) -> tuple[a.Pattern, ...]:
    """The patterns without the optional ones that only find what is not given any more."""
    return tuple(
        pattern
        for position, pattern in enumerate(select.patterns)
        if not (isinstance(pattern, a.Optional) and _finds_only(select, position, beside))
    )


def _finds_only(select: a.Select, position: int, beside: set[a.Variable]) -> bool:
    """Whether what an optional pattern adds to the others is named by none of them."""
    others = set(projected(select))
    for number, pattern in enumerate(select.patterns):
        if number != position:
            others |= set(variables(pattern))
    added = set(variables(select.patterns[position])) - others
    return bool(added & beside)
