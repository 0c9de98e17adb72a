"""The steps notation: numbered calls, one a line.

    Step 1: Find(Mike Nichols)
    Step 2: Relate(directed by, backward)
    Step 3: FindAll()
    Step 4: And() <- 2, 3

`<-` names the steps (from 1) that feed a call, `<- none` an empty input; without it inputs are inferred, and
the writer leaves out `<-` where inference gives the same.
"""

from __future__ import annotations

import re
from dataclasses import replace

from compilers.errors import ProgramSyntaxError
from compilers.kopl.notations.calls import (
    ParsedCall,
    assemble,
    inferred_dependencies,
    read_call,
    read_sources,
    require_text,
    skip_blanks,
    write_call,
    write_sources,
)
from compilers.kopl.program import Program

_HEAD = re.compile(r"step\s+([0-9]{1,9})\s*[:.]\s*", re.IGNORECASE)
_ARROW = re.compile(r"\s*<-\s*")


def read(text: str) -> Program:
    """Read a program from numbered calls; raises ProgramSyntaxError."""
    text = require_text(text)
    calls: list[ParsedCall] = []
    position = skip_blanks(text, 0)
    while position < len(text):
        position = _read_head(text, position, len(calls) + 1)
        call, position = read_call(text, position)
        dependencies, position = _read_sources(text, position)
        calls.append(replace(call, dependencies=dependencies))
        position = skip_blanks(text, position)
    return assemble(calls)


def write(program: Program) -> str:
    """The program as numbered lines; raises UnsupportedProgram for names that are no identifiers."""
    guesses = inferred_dependencies((step.function, step.dependencies) for step in program.steps)
    return "\n".join(
        f"Step {index + 1}: {write_call(step, index)}{_sources(step.dependencies, guess)}"
        for index, (step, guess) in enumerate(zip(program.steps, guesses, strict=True))
    )


def _read_head(text: str, position: int, number: int) -> int:
    head = _HEAD.match(text, position)
    if head is None or int(head.group(1)) != number:
        raise ProgramSyntaxError(
            f"`Step {number}:` expected",
            position=position,
            hint=f"number the steps from 1: Step {number}: Find(Mike Nichols)",
        )
    return head.end()


def _read_sources(text: str, position: int) -> tuple[tuple[int, ...] | None, int]:
    arrow = _ARROW.match(text, position)
    if arrow is None:
        return None, position
    return read_sources(text, arrow.end())


def _sources(dependencies: tuple[int, ...], guess: tuple[int, ...]) -> str:
    return "" if dependencies == guess else f" <- {write_sources(dependencies)}"
