"""The facts around things, in every layout: what relations lead to from them, and from what to them."""

from __future__ import annotations

from collections.abc import Sequence

from compilers import algebra as a
from compilers.layouts import LAYOUTS, Options
from compilers.layouts.base import number_literal
from compilers.naming import VariableNames
from compilers.render import render_select
from compilers.rewrites import arrange

_STEP, _RELATION, _OTHER = a.Variable("step"), a.Variable("relation"), a.Variable("other")


def compile_neighbours(iris: Sequence[str], layout: str, options: Options, most: int) -> str:
    """One query for up to `most` facts from each thing and to it: rows of `?step ?relation ?other`.

    `?step` counts the things from 1, and is negative where the facts lead to the thing. Each has a bound of
    its own, so that one with many facts leaves room for the others.
    """
    asked = [(sign * number, iri) for number, iri in enumerate(iris, 1) for sign in (1, -1)]
    branches = tuple((a.SubSelect(_facts(iri, step, layout, options, most), ()),) for step, iri in asked)
    columns = tuple(map(a.Projection, (_STEP, _RELATION, _OTHER)))
    return render_select(a.Select(columns, (a.Union(branches, ()),), (), distinct=False), options.prefixes)


def _facts(iri: str, step: int, layout: str, options: Options, most: int) -> a.Select:
    names = VariableNames()
    names.taken.update(variable.name for variable in (_STEP, _RELATION, _OTHER))
    stated, thing = LAYOUTS[layout](options, names), a.Iri(iri)
    head, tail = (thing, _OTHER) if step > 0 else (_OTHER, thing)
    is_thing = a.Filter(a.Call("!", (a.Call("isLiteral", (_OTHER,)),)), ())
    patterns = (*stated.between(head, _RELATION, tail, 0), is_thing)
    columns = (a.Projection(_STEP, number_literal(step)), a.Projection(_RELATION), a.Projection(_OTHER))
    return arrange(a.Select(columns, patterns, (), limit=most), stated, options, {})
