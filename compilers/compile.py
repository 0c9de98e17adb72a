"""The compiler's front door: a grounded program in, a query with its source map out."""

from __future__ import annotations

from dataclasses import dataclass

from compilers.grounded import GroundedProgram
from compilers.kopl.check import require_valid
from compilers.kopl.functions import Type
from compilers.kopl.program import Program
from compilers.layouts import Options
from compilers.layouts.base import Column
from compilers.lowering import begin, lower
from compilers.render import render
from compilers.rewrites import arrange


@dataclass(frozen=True, slots=True)
class Origin:
    """What a query is compiled from: the program with what its names stand for, the layout's name, how."""

    grounded: GroundedProgram
    layout: str
    options: Options


@dataclass(frozen=True, slots=True)
class CompiledQuery:
    """A query, where each step stands in it, and what its columns mean.

    `spans[i]` are the half-open character ranges of step i (from 0). `output` is what the program
    yields; `program` is kept for reading the answer (Verify compares there). `origin` is what it was
    compiled from, None for a query that no program stands for.
    """

    text: str
    spans: tuple[tuple[tuple[int, int], ...], ...]
    columns: tuple[Column, ...]
    output: Type
    program: Program
    origin: Origin | None = None

    def source_map(self) -> list[dict[str, object]]:
        """The spans as JSON, steps counted from 1."""
        return [{"step": i + 1, "spans": [list(s) for s in spans]} for i, spans in enumerate(self.spans)]


def compile_program(
    grounded: GroundedProgram, layout: str, options: Options, *, strict: bool = False
) -> CompiledQuery:
    """Compile; raises InvalidProgram, UnsupportedProgram or UnsafeQuery.

    `strict` refuses the functions beyond KQA Pro's as invalid.
    """
    require_valid(grounded.program, strict=strict)
    work = begin(grounded, layout, options)
    lowered = lower(work)
    select = arrange(lowered.select, work.layout, options.dialect, grounded.sizes())
    rendered = render(select, grounded.program, options.prefixes)
    return CompiledQuery(
        rendered.text,
        rendered.spans,
        lowered.columns,
        lowered.output,
        grounded.program,
        Origin(grounded, layout, options),
    )
