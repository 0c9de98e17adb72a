"""Programs as Python code, in a model's text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from compilers.errors import ProgramSyntaxError
from compilers.kopl.notations import code
from compilers.kopl.program import Program
from nlq_gateway.drafts.generation.reading.lines import Unreadable, lines_of

_ASSIGNMENT = re.compile(r"(?P<target>[^\W\d]\w*)\s*=(?!=)\s*(?:(?P<function>[^\W\d]\w*)\s*\()?")
_CALL = re.compile(r"[^\W\d]\w*\(")
_AROUND = re.compile(r"=\s*(?:START|STOP)\s*\(")
# Names assigned before a program in the prompt, which a model may repeat.
_GIVEN = ("entities", "concepts", "facts")


def read(text: str) -> tuple[Program, bool]:
    """The program, without steps if there is none, and True if it is whole; raises Unreadable."""
    found = _CodeSoFar()
    for line in lines_of(text):
        if found.take(line.strip().strip("`").removeprefix(">>> ").strip()):
            break
    return found.program(), found.ended


@dataclass(slots=True)
class _CodeSoFar:
    """The statements so far; `ended` after STOP, or after text behind the program."""

    statements: list[str] = field(default_factory=list)
    stopped: bool = False
    ended: bool = False

    def take(self, line: str) -> bool:
        """Take one line in; True if no later line belongs to the program."""
        if not self.statements and _CALL.match(line):
            line = f"expression_1 = {line}"
        assignment = _ASSIGNMENT.match(line)
        if assignment is None or assignment["target"] in _GIVEN:
            self.ended = self.ended or bool(self.statements and line)
            return False
        if assignment["target"] == "question":
            self.ended = self.ended or bool(self.statements)
            return bool(self.statements)
        if self.stopped:
            if assignment["function"] != "START":
                return False
            self.statements.clear()
        self.statements.append(line)
        self.stopped = self.ended = assignment["function"] == "STOP"
        return False

    def program(self) -> Program:
        text = "\n".join(self.statements)
        try:
            return code.read(text)
        except ProgramSyntaxError as error:
            line = self.statements[min(text.count("\n", 0, error.position), len(self.statements) - 1)]
            message = f"{error.message}, in the line {line[:200]}"
            told = ProgramSyntaxError(message, position=error.position, hint=error.hint)
            calls = [one for one in self.statements if not _AROUND.search(one)]
            raise Unreadable(told, len(calls)) from None
