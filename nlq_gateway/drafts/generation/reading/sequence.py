"""Programs as calls between marks (PER-KBQA), on a line of a model's text."""

from __future__ import annotations

import re

from compilers.errors import ProgramSyntaxError
from compilers.kopl.notations import sequence
from compilers.kopl.program import Program
from nlq_gateway.drafts.generation.reading.lines import lines_of

# From the beginning of a word only: from each of its letters on, a long word would be read anew.
_MARKED = re.compile(r"(?<!\w)[^\W\d]\w*\s*<(?:func|arg|from)>.*")


def read(text: str) -> tuple[Program, bool]:
    """The program of the last such line, without steps if there is none, and True if it is whole."""
    marked = [found.group() for line in lines_of(text) if (found := _MARKED.search(line))]
    try:
        return sequence.read(marked[-1].strip("` ")) if marked else Program(()), bool(marked)
    except ProgramSyntaxError:
        return Program(()), False
