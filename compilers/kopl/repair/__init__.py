"""Repairs programs by the function table and the types alone: no graph, no model.

base.py       a repair on record, and the edits that repairs are made of
names.py      functions under another name: `filter_concept`, `RELATE`, `Intersect`
shape.py      steps that miss an input, have nothing to do, or are missing
arguments.py  arguments that are too many, missing, or in each other's places
words.py      operators and directions as words: `more than`, `≥`, `inverse`
family.py     Filter, QFilter and Verify by the type of their value
writing.py    numbers, years and dates in another writing: `1,000`, `50 million`, `1 May 1990`
columns.py    columns of a table by name

`repair` makes one change at a time until there is nothing to change. The functions, operators, units and
forms of SymKGQA's resolver (section 3.3) that need neither its retrieval nor its model.
"""

from __future__ import annotations

from compilers.kopl.program import Program
from compilers.kopl.repair.arguments import ARGUMENTS, EXTRA
from compilers.kopl.repair.base import Change, Fix, Repair, Repaired, TypesOf
from compilers.kopl.repair.columns import COLUMNS
from compilers.kopl.repair.family import FAMILY
from compilers.kopl.repair.names import NAMES
from compilers.kopl.repair.shape import SHAPE
from compilers.kopl.repair.words import WORDS
from compilers.kopl.repair.writing import WRITING
from compilers.kopl.rules import ProgramLimits

# A third argument may be the operator of another function of the family: it is dropped last.
FIXES: tuple[Fix, ...] = (*NAMES, *SHAPE, *ARGUMENTS, *FAMILY, *WORDS, *WRITING, *COLUMNS, *EXTRA)
_MOST_CHANGES = 200


def repair(program: Program, types: TypesOf | None = None) -> Repaired:
    """Return the program with every repair that the function table and the types determine.

    A program without issues stays as it is, unless `types` shows that a function compares values of another
    type than its attribute has. Undetermined faults are left alone, so that the result may have issues. Never
    raises; repairing a repaired program changes nothing.

    Args:
        program: as it was written; a program above the step limit is not checked.
        types: the value types of the attributes and qualifiers of the graph, if known.
    """
    repairs: list[Repair] = []
    while len(repairs) < _MOST_CHANGES and (found := _first(program, types)) is not None:
        program, change = found
        repairs.append(change)
    return Repaired(program, tuple(repairs))


def _first(program: Program, types: TypesOf | None) -> Change | None:
    if len(program) > ProgramLimits().steps:
        return None
    found = (fix(program, index, types) for fix in FIXES for index in range(len(program)))
    return next((change for change in found if change is not None), None)


__all__ = ["Repair", "Repaired", "TypesOf", "repair"]
