"""Columns of a table that share no step, so that each row of one is paired with each of the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compilers.kopl.program import Program
from compilers.kopl.tables import connected_columns, subject_of


def unconnected(program: Program, counts: Mapping[int, int]) -> Iterator[str]:
    """A message for each Table of groups of columns that share no step; `counts` are the members of sets.

    What stands beside one thing is paired with it alone.
    """
    for at in sorted(program.ancestors(len(program) - 1)):
        if program.steps[at].function == "Table":
            found = connected_columns(program, at)
            groups = [one for one in found if any(_is_many(program, at, number, counts) for number in one)]
            if len(groups) > 1:
                told = " and ".join(f"({', '.join(map(str, one))})" for one in groups)
                yield (
                    f"step {at + 1}: columns {told} share no step: each row of one is paired with each of "
                    "the other"
                )


def _is_many(program: Program, table: int, number: int, counts: Mapping[int, int]) -> bool:
    """True unless a column is of one member alone."""
    source = program.steps[table].dependencies[number - 1]
    subject = subject_of(program, source)
    return counts.get(source if subject is None else subject) not in (0, 1)
