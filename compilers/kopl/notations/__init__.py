"""Notations of programs. Each module has `read(text) -> Program` and `write(program) -> str`.

json      a list of `{function, inputs, dependencies}`, as KQA Pro and the HTTP interface write programs
steps     numbered calls, one a line: `Step 2: Relate(directed by, backward)`
chain     calls joined by arrows: `Find(Mike Nichols)->Relate(directed by, backward)->What()`
code      Python code: `expression_1 = RELATE('directed by', 'backward', expression_1)`
sequence  calls between marks: `Find <arg> Mike Nichols <func> Relate <arg> directed by <arg> backward`

Reading raises ProgramSyntaxError and nothing else; it does not judge the program (`check` does).
Writing raises UnsupportedProgram where the notation has no way to state a program.
"""

from __future__ import annotations

import re
from typing import Protocol, cast

from compilers.errors import ProgramSyntaxError
from compilers.kopl.notations import chain, code, json, sequence, steps
from compilers.kopl.program import Program


class Notation(Protocol):
    """The interface of the modules of this package."""

    def read(self, text: str) -> Program:
        """The program that `text` states."""

    def write(self, program: Program) -> str:
        """The text that reads back as `program`."""


NOTATIONS: dict[str, Notation] = {
    name: cast(Notation, module)
    for name, module in (
        ("json", json),
        ("steps", steps),
        ("chain", chain),
        ("code", code),
        ("sequence", sequence),
    )
}

_STARTS = (
    ("json", re.compile(r"\ufeff?\s*[\[{]")),
    ("steps", re.compile(r"\s*step\s", re.IGNORECASE)),
    ("code", re.compile(r"\ufeff?\s*(?:#[^\r\n]*[\r\n]\s*)*[^\W\d]\w*\s*=")),
    ("sequence", re.compile(r"\s*[^\W\d]\w*\s*<(?:func|arg|from)>")),
)


def notation_of(text: str) -> str:
    """The name of the notation of `text`, recognised by its beginning.

    A single name is not taken for a sequence, although `sequence` reads it.
    """
    return next((name for name, start in _STARTS if start.match(text)), "chain")


def read_program(source: object) -> Program:
    """Read a program from text in any notation or from parsed JSON; raises ProgramSyntaxError.

    Parsed JSON is a list of steps, `{"steps": [...]}`, or `{"program": ...}` around a program in any
    of these forms, text included.
    """
    if isinstance(source, dict) and "program" in source:
        source = source["program"]
    if isinstance(source, str):
        return NOTATIONS[notation_of(source)].read(source)
    if isinstance(source, (list, dict)):
        return json.from_data(source)
    raise ProgramSyntaxError(
        f"a program cannot be read from {type(source).__name__}",
        hint="give text, a list of steps or an object",
    )
