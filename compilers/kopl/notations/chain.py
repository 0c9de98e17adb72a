"""The chain notation: calls joined by arrows, with inferred inputs.

    Find(Mike Nichols)->Relate(directed by, backward)->FilterConcept(film)->Count()

A call without inputs begins a branch, and a call of two inputs joins the last two branches, so a
program that feeds one step into two others, or whose branches cross, cannot be written so.
"""

from __future__ import annotations

import re

from compilers.errors import ProgramSyntaxError, UnsupportedProgram
from compilers.kopl.notations.calls import (
    ParsedCall,
    assemble,
    inferred_dependencies,
    read_call,
    require_text,
    skip_blanks,
    write_call,
)
from compilers.kopl.program import Program

_ARROW = re.compile(r"->\s*")


def read(text: str) -> Program:
    """Read a program from calls joined by arrows; raises ProgramSyntaxError."""
    text = require_text(text)
    calls: list[ParsedCall] = []
    position = skip_blanks(text, 0)
    while position < len(text) or calls:
        call, position = read_call(text, position)
        calls.append(call)
        position = skip_blanks(text, position)
        if position == len(text):
            break
        position = _read_arrow(text, position)
    return assemble(calls)


def write(program: Program) -> str:
    """The program on one line; raises UnsupportedProgram where inference would choose other inputs."""
    guesses = inferred_dependencies((step.function, None) for step in program.steps)
    for index, (step, guess) in enumerate(zip(program.steps, guesses, strict=True)):
        if step.dependencies != guess:
            raise UnsupportedProgram(
                "the chain notation cannot state the inputs of this step",
                step=index,
                hint="write the program as steps or as JSON",
            )
    return "->".join(write_call(step, index) for index, step in enumerate(program.steps))


def _read_arrow(text: str, position: int) -> int:
    arrow = _ARROW.match(text, position)
    if arrow is None:
        raise ProgramSyntaxError(
            "an arrow expected between two calls", position=position, hint="write Find(Mike Nichols)->Count()"
        )
    return arrow.end()
