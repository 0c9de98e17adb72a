"""Shared by texts in every notation: lines, and names of functions in models' spelling."""

from __future__ import annotations

import re

from compilers.errors import ProgramSyntaxError
from compilers.kopl.functions import ALIASES, FUNCTIONS

_NAMES = {name.lower(): ALIASES.get(name, name) for name in (*FUNCTIONS, *ALIASES)}
_BREAK = re.compile(r"\r\n|\r|\n")
# From the beginning of a run only: a long one would be read anew from each of its characters on.
_LABEL = re.compile(
    r"(?<![\s>*_#])[\s>*_#]*(?:output|program|answer|solution|code)[\s*_]*:[\s*_]*", re.IGNORECASE
)


class Unreadable(ProgramSyntaxError):
    """A text with a line that should be a call, and is none."""

    def __init__(self, error: ProgramSyntaxError, calls: int) -> None:
        """`calls` is the number of calls, read or not."""
        super().__init__(error.message, position=error.position, hint=error.hint)
        self.calls = calls


def answer_of(text: str) -> str:
    """An answer without the model's thoughts before it."""
    return text.rpartition("</think>")[2].partition("<think>")[0].removeprefix("\ufeff")


def lines_of(text: str) -> list[str]:
    """The lines of an answer, without labels before them."""
    return [_LABEL.sub("", line, count=1) for line in _BREAK.split(answer_of(text))]


def known_name(written: str) -> str | None:
    """The table's name for a function in any case, or for an alias of it; None if there is none."""
    return _NAMES.get(written.lower())
