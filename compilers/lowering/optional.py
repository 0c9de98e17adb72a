"""Rows that stay where a column is missing: the other columns stand in OPTIONAL (SPARQL 1.1, 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from compilers import algebra as a
from compilers.kopl.program import Program
from compilers.kopl.tables import led_to, line_of
from compilers.layouts.base import Patterns
from compilers.lowering.rows import Cell, Rows
from compilers.lowering.work import Lowering
from compilers.rewrites.walk import expression_variables, variables

Columns = Callable[[Lowering, int], tuple[Patterns, Cell]]


@dataclass(frozen=True, slots=True)
class _Nesting:
    """The parent of each column by its index; the first column is its own.

    `holders` maps each step to the column in whose group it is stated.
    """

    parents: tuple[int, ...]
    holders: dict[int, int]

    @classmethod
    def of(cls, program: Program, sources: Sequence[int]) -> _Nesting:
        """The nesting of a table's columns."""
        holders, parents = dict.fromkeys(line_of(program, sources[0]), 0), [0]
        for place, source in enumerate(sources[1:], 1):
            new = led_to(program, source, holders)
            assert new is not None, "the checker refuses columns that come from elsewhere"
            parents.append(holders[program.steps[new[0]].dependencies[0] if new else source])
            holders.update(dict.fromkeys(new, place))
        return cls(tuple(parents), holders)

    def above(self, place: int) -> set[int]:
        """A column with those that it comes from."""
        return {0} if place == 0 else {place, *self.above(self.parents[place])}


def optional_rows(work: Lowering, index: int, column: Columns, tested: Iterable[int]) -> Rows:
    """The rows of an OptionalTable; a tested column and those that it comes from are not optional."""
    sources = work.step(index).dependencies
    nesting = _Nesting.of(work.grounded.program, sources)
    given = {0}.union(*map(nesting.above, tested))
    columns = [column(work, source) for source in sources]
    cells = (
        replace(cell, optional=nesting.holders[source] not in given)
        for source, (_, cell) in zip(sources, columns, strict=True)
    )

    def stated(place: int) -> Patterns:
        """A column's patterns, after those they calculate with: BIND sees only its own group."""
        own = columns[place][0]
        return (*stated(nesting.parents[place]), *own) if place and _calculates_outside(own) else own

    def group(place: int) -> Patterns:
        patterns = list(columns[place][0] if place in given else stated(place))
        under = (one for one in range(1, len(sources)) if nesting.parents[one] == place)
        for one in sorted(under, key=lambda one: one not in given):
            found = group(one)
            patterns.extend(found if one in given or not found else (a.Optional(found, (sources[one],)),))
        return tuple(patterns)

    return Rows(work, index, tuple(cells), group(0))


def _calculates_outside(patterns: Patterns) -> bool:
    """True if a BIND calculates with a variable that none of the patterns binds."""
    binds = [pattern for pattern in patterns if isinstance(pattern, a.Bind)]
    tests = (a.Bind, a.Filter)
    bound = {v for pattern in patterns if not isinstance(pattern, tests) for v in variables(pattern)}
    used = {v for bind in binds for v in expression_variables(bind.expression)}
    return not used <= bound | {bind.variable for bind in binds}
