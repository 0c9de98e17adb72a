"""The compiler's front door: a grounded program in, a query with its source map out."""

from __future__ import annotations

from dataclasses import dataclass, replace

from compilers.algebra import Select
from compilers.grounded import GroundedProgram
from compilers.kopl.check import require_valid
from compilers.kopl.functions import Type
from compilers.kopl.program import Program
from compilers.layouts import Options
from compilers.layouts.base import Column
from compilers.lowering import Lowering, begin, lower, lower_count
from compilers.render import Rendered, render
from compilers.rewrites import rewrite
from compilers.rewrites.common_behind import common_behind
from compilers.rewrites.isolate_members import isolate_members
from compilers.rewrites.spell_domains import spell_domains

EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class CompiledQuery:
    """A query, where each step stands in it, and what its columns mean.

    `spans[i]` are the half-open character ranges of step i (from 0). `output` is what the program
    yields; `program` is kept for reading the answer (Verify compares there).
    """

    text: str
    spans: tuple[tuple[tuple[int, int], ...], ...]
    columns: tuple[Column, ...]
    output: Type
    program: Program

    def source_map(self) -> list[dict[str, object]]:
        """The spans as JSON, steps counted from 1."""
        return [{"step": i + 1, "spans": [list(s) for s in spans]} for i, spans in enumerate(self.spans)]


@dataclass(frozen=True, slots=True)
class Probe:
    """Two cheap queries about a set step: how many entities, and a few of them with labels."""

    count: str
    examples: str
    columns: tuple[Column, ...]


def compile_program(
    grounded: GroundedProgram, layout: str, options: Options, *, strict: bool = False
) -> CompiledQuery:
    """Compile; raises InvalidProgram, UnsupportedProgram or UnsafeQuery.

    `strict` refuses the functions beyond KQA Pro's as invalid.
    """
    require_valid(grounded.program, strict=strict)
    work = begin(grounded, layout, options)
    lowered = lower(work)
    rendered = _finish(work, lowered.select)
    return CompiledQuery(rendered.text, rendered.spans, lowered.columns, lowered.output, grounded.program)


def compile_probe(grounded: GroundedProgram, step: int, layout: str, options: Options) -> Probe | None:
    """The probe of a step that yields a set, or None for other steps."""
    if grounded.program.steps[step].signature.output not in (Type.ENTITIES, Type.FACTS):
        return None
    counting = begin(grounded.prefix(step), layout, options)
    count = _finish(counting, lower_count(counting))
    sampling = begin(grounded.prefix(step), layout, replace(options, limit=EXAMPLES))
    sample = lower(sampling)
    return Probe(count.text, _finish(sampling, sample.select).text, sample.columns)


def _finish(work: Lowering, select: Select) -> Rendered:
    spelled = common_behind(spell_domains(rewrite(select), work.layout), work.layout)
    arranged = isolate_members(spelled) if work.options.dialect.subqueries_per_row else spelled
    return render(arranged, work.grounded.program, work.options.prefixes)
