"""Guard function arguments, for stores that evaluate functions before the patterns are joined.

`YEAR(?born)` becomes `YEAR(IF(DATATYPE(?born) IN (xsd:date, …), ?born, "0001-01-01"^^xsd:date))`. Where the
object of a pattern may be anything, Virtuoso 7.2 asks an IRI for its YEAR before the pattern that makes it a
date is joined, and fails (DT001), and casts a text to a number (SR066). An IF around the call, or a test
before it, does not delay it. The value of the other branch is never in a solution.
"""

from __future__ import annotations

from dataclasses import replace

from compilers import algebra as a
from compilers.layouts.vocabulary import XSD
from compilers.rewrites.walk import Group, map_groups, map_parts

_TIMES = tuple(a.Iri(XSD + name) for name in ("date", "dateTime", "gYear", "gYearMonth"))
_ANY_DAY = a.Literal("0001-01-01", datatype=XSD + "date")
_ANY_MOMENT = a.Literal("0001-01-01T00:00:00", datatype=XSD + "dateTime")
_ANY_NUMBER = a.Literal("0", datatype=XSD + "integer")
_PARTS = dict.fromkeys(("YEAR", "MONTH", "DAY"), _ANY_DAY) | dict.fromkeys(
    ("HOURS", "MINUTES", "SECONDS"), _ANY_MOMENT
)


def guard_arguments(select: a.Select) -> a.Select:
    """Guard the parts of times, and casts to a number, in all expressions at any depth."""
    projections = (
        replace(p, expression=None if p.expression is None else _guarded(p.expression))
        for p in select.projections
    )
    orderings = (replace(o, expression=_guarded(o.expression)) for o in select.order_by)
    return replace(
        select,
        projections=tuple(projections),
        patterns=_in_group(select.patterns),
        having=tuple(map(_guarded, select.having)),
        order_by=tuple(orderings),
    )


def _in_group(group: Group) -> Group:
    return tuple(map(_in_pattern, group))


def _in_pattern(pattern: a.Pattern) -> a.Pattern:
    match pattern:
        case a.Filter() | a.Bind():
            return replace(pattern, expression=_guarded(pattern.expression))
        case a.SubSelect():
            return replace(pattern, select=guard_arguments(pattern.select))
        case _:
            return map_groups(pattern, _in_group)


def _guarded(expression: a.Expression) -> a.Expression:
    match expression:
        case a.Call(arguments=(a.Variable() as argument,)) if expression.name in _PARTS:
            other = _PARTS[expression.name]
            times = _TIMES if other is _ANY_DAY else _TIMES[1:2]
            is_time = a.Membership(a.Call("DATATYPE", (argument,)), times)
            return a.Call(expression.name, (a.Call("IF", (is_time, argument, other)),))
        case a.Call(arguments=(a.Variable() as argument,)) if expression.name == XSD + "double":
            is_number = a.Call("isNumeric", (argument,))
            return a.Call(expression.name, (a.Call("IF", (is_number, argument, _ANY_NUMBER)),))
        case _:
            return map_parts(expression, _guarded)
