"""Reads the programs that language models write, in any notation, among other text.

steps.py     calls: numbered, assigned, chained or nested
code.py      Python code as CodeAlignKGQA writes it
data.py      JSON
sequence.py  PER-KBQA's marks between calls
nested.py    calls within calls
lines.py     lines of text, and functions in any case

Models fence their programs, number steps wrongly, explain before and after, repeat a program, and go on with
a next question. None of that is an error here: the last program before the next question is read. A line that
should be a call and is none is an error. A text is read in the requested notation, unless another reads more
of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import count

from compilers.errors import ProgramSyntaxError
from compilers.issues import Issue
from compilers.kopl.notations import NOTATIONS
from compilers.kopl.program import Program
from nlq_gateway.drafts.generation.reading import code, data, sequence, steps
from nlq_gateway.drafts.generation.reading.lines import Unreadable, known_name

# Strict readers come before the one that accepts any text.
_READERS = {"code": code.read, "json": data.read, "sequence": sequence.read, "steps": steps.read}
_NUMBER = re.compile(r"^Step \d+:", re.MULTILINE)
_NO_PROGRAM = Issue(
    "error", "no-program", 0, None, "there is no program in the text", "write nothing but the program"
)
_CUT = Issue("error", "cut-off", 0, None, "the text ends before the program does", "write a shorter program")


@dataclass(frozen=True, slots=True)
class ProgramReading:
    """The program in a text, functions named as in their table; None if there is none, with the issues."""

    program: Program | None
    issues: tuple[Issue, ...] = ()


def read(text: str, notation: str, *, finished: bool = True, bound: bool = False) -> ProgramReading:
    """Read a model's text for a prompt in the notation; `finished` is False for a text that was cut.

    If a grammar `bound` the model, every line belongs to the program, whatever its number. A text that
    deviates is read like any other.
    """
    try:
        program, whole = _bound(text, notation) if bound else _free(text, notation)
    except Unreadable as error:
        return ProgramReading(None, (Issue("error", "syntax", 0, None, error.message, error.hint),))
    if not program.steps:
        return ProgramReading(None, (_NO_PROGRAM,))
    issues = () if finished or whole else (replace(_CUT, step=len(program) - 1),)
    return ProgramReading(_with_known_names(program), issues)


def _bound(text: str, notation: str) -> tuple[Program, bool]:
    """The program that is the whole text."""
    numbers = count(1)
    try:
        return NOTATIONS[notation].read(_NUMBER.sub(lambda _: f"Step {next(numbers)}:", text)), False
    except ProgramSyntaxError:
        return _free(text, notation)


def _free(text: str, notation: str) -> tuple[Program, bool]:
    """The longest program of any reader; raises the error of the own notation if that read more."""
    own: Unreadable | None = None
    longest: tuple[Program, bool] = (Program(()), False)
    for name, reader in _READERS.items():
        try:
            found = reader(text)
        except Unreadable as error:
            own = error if name == notation else own
        else:
            longest = found if len(found[0]) > len(longest[0]) else longest
    if own is not None and len(longest[0]) < own.calls:
        raise own
    return longest


def _with_known_names(program: Program) -> Program:
    named = (replace(step, function=known_name(step.function) or step.function) for step in program.steps)
    return Program(tuple(named))
