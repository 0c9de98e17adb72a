"""The compiler's entry: a grounded program in, a query with its source map out."""

from __future__ import annotations

from dataclasses import dataclass, replace

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
    """The source of a query: the program with its bindings, the layout's name, and the options."""

    grounded: GroundedProgram
    layout: str
    options: Options


@dataclass(frozen=True, slots=True)
class CompiledQuery:
    """A query, the character ranges of each step in it, and the meaning of its columns.

    `spans[i]` are the half-open character ranges of step i (from 0). `output` is the program's output type;
    `program` is kept for reading the answer (Verify compares there). `origin` is the source of the query,
    None for a query that no program stands for.
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
    select = arrange(lowered.select, work.layout, options, grounded.sizes())
    rendered = render(select, grounded.program, options.prefixes)
    return CompiledQuery(
        rendered.text,
        rendered.spans,
        tuple(replace(one, heading=work.names.wishes.get(one.name, "")) for one in lowered.columns),
        lowered.output,
        grounded.program,
        Origin(grounded, layout, options),
    )
