r"""The sequence notation of PER-KBQA (section 3.1), which language models are trained to write.

    Find <arg> Mike Nichols <func> Relate <arg> directed by <arg> backward <func> Count

`<func>` stands between calls, `<arg>` before every argument. Inputs are inferred; where inference would
choose others, `<from> 2, 1` or `<from> none` after the arguments states them. An argument that would not read
back stands as a JSON string, with `\u003c` for `<`; every argument that is a whole JSON string is read as
one.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from compilers.errors import ProgramSyntaxError
from compilers.kopl.notations.calls import (
    NAME,
    ParsedCall,
    assemble,
    inferred_dependencies,
    read_sources,
    require_text,
    skip_blanks,
    write_name,
    write_sources,
)
from compilers.kopl.program import Program, Step

_MARK = re.compile(r"<(func|arg|from)>")


def read(text: str) -> Program:
    """Read a program from calls between `<func>`; raises ProgramSyntaxError."""
    text = require_text(text)
    return assemble([_read_call(text, *fields) for fields in _grouped(text)] if text.strip() else [])


def write(program: Program) -> str:
    """The program on one line; raises UnsupportedProgram for names that are no identifiers."""
    guesses = inferred_dependencies((step.function, step.dependencies) for step in program.steps)
    return " <func> ".join(
        _write_call(step, index, guess)
        for index, (step, guess) in enumerate(zip(program.steps, guesses, strict=True))
    )


@dataclass(frozen=True, slots=True)
class _Field:
    """The text after a mark, up to the next mark: a name, an argument or sources."""

    mark: str
    start: int
    end: int


def _grouped(text: str) -> list[list[_Field]]:
    """The fields of every call, its name first."""
    marks = list(_MARK.finditer(text))
    ends = [*(mark.start() for mark in marks), len(text)]
    calls = [[_Field("func", 0, ends[0])]]
    for mark, end in zip(marks, ends[1:], strict=True):
        if mark.group(1) == "func":
            calls.append([])
        calls[-1].append(_Field(mark.group(1), mark.end(), end))
    return calls


def _read_call(text: str, head: _Field, *rest: _Field) -> ParsedCall:
    name = text[head.start : head.end].strip()
    if not NAME.fullmatch(name):
        raise ProgramSyntaxError(
            "a function's name expected",
            position=skip_blanks(text, head.start),
            hint="write Find <arg> Mike Nichols <func> Count",
        )
    for field in rest[:-1]:
        if field.mark == "from":
            raise ProgramSyntaxError(
                "`<func>` expected", position=field.end, hint="write <from> once, after the arguments"
            )
    inputs = tuple(_read_argument(text, field) for field in rest if field.mark == "arg")
    last = rest[-1] if rest else head
    return ParsedCall(name, inputs, _read_sources(text, last) if last.mark == "from" else None)


def _read_sources(text: str, field: _Field) -> tuple[int, ...]:
    sources, position = read_sources(text, skip_blanks(text, field.start))
    if skip_blanks(text, position) < field.end:
        raise ProgramSyntaxError("`<func>` expected", position=position, hint="write <from> 2, 3")
    return sources


def _read_argument(text: str, field: _Field) -> str:
    argument = text[field.start : field.end].strip()
    if not argument:
        raise ProgramSyntaxError(
            "an argument is missing", position=field.start, hint='write an empty text as ""'
        )
    quoted = _quoted(argument)
    return argument if quoted is None else require_text(quoted, field.start)


def _quoted(argument: str) -> str | None:
    """The text of a JSON string, or None for any other text."""
    if not argument.startswith('"'):
        return None
    try:
        found = json.loads(argument, strict=False)
    except ValueError:
        return None
    return found if isinstance(found, str) else None


def _write_call(step: Step, index: int, guess: tuple[int, ...]) -> str:
    arguments = "".join(f" <arg> {_write_argument(argument)}" for argument in step.inputs)
    sources = "" if step.dependencies == guess else f" <from> {write_sources(step.dependencies)}"
    return f"{write_name(step, index)}{arguments}{sources}"


def _write_argument(argument: str) -> str:
    bare = argument.isprintable() and argument == argument.strip() != "" and not _MARK.search(argument)
    if bare and _quoted(argument) is None:
        return argument
    return json.dumps(argument, ensure_ascii=False).replace("<", "\\u003c")
