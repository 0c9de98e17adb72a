"""Lowers a grounded program to one SELECT of the algebra: one file per kind of step."""

from __future__ import annotations

from compilers.grounded import GroundedProgram
from compilers.layouts import LAYOUTS, Options
from compilers.lowering import groups, numbers, ranking, sets
from compilers.lowering.answers import lower
from compilers.lowering.tables import plain_table
from compilers.lowering.work import Lowering, WrittenSteps
from compilers.naming import VariableNames

__all__ = ["SETS", "WrittenSteps", "begin", "lower"]

SETS = {**sets.SETS, **numbers.SETS, **ranking.SETS, **groups.SETS}


def begin(
    grounded: GroundedProgram, layout: str, options: Options, written: WrittenSteps | None = None
) -> Lowering:
    """A fresh lowering; raises KeyError for a layout that does not exist.

    `written` continues its count where several programs become one query.
    """
    names = VariableNames()
    stated = LAYOUTS[layout](options, names)
    return Lowering(grounded, options, stated, names, SETS, plain_table, written=written or WrittenSteps())
