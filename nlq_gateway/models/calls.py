"""Tool calls as lines of text: the form in which dialogues are stored, for every server.

    Look: find "Pulp Fiction"
    Look: run
    Step 1: Find(Pulp Fiction)
    Step 2: Relate(directed by, forward)

The result follows on a separate line, `Result:`. A one-line argument stands in quotes after the tool's name,
a longer one on the lines below it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

_LOOK = re.compile(
    r"^[\s>*_`#-]*Look[*_]*\s*:[\s*_`]*(?P<tool>[^\W\d][\w-]*)?[ \t]*[:(]?[ \t]*(?P<rest>.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_MARKS = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»"}


@dataclass(frozen=True, slots=True)
class Called:
    """One call of a tool, with its only argument."""

    tool: str
    argument: str

    @property
    def text(self) -> str:
        """The call as `calls_in` reads it."""
        if "\n" in self.argument:
            return f"Look: {self.tool}\n{self.argument}"
        return f"Look: {self.tool} {json.dumps(self.argument, ensure_ascii=False)}"


def calls_in(text: str) -> tuple[Called, ...]:
    """The calls that a text makes, in its order; what stands before the first is passed over."""
    found = list(_LOOK.finditer(text))
    ends = (*(one.start() for one in found[1:]), len(text))
    return tuple(
        Called((one["tool"] or "").lower(), _argument(one["rest"], text[one.end() : end]))
        for one, end in zip(found, ends, strict=False)
    )


def argument_of(arguments: str) -> str:
    """The first text among the arguments of a call, which servers send as JSON; else all that was sent."""
    try:
        given = json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments.strip()
    values = given.values() if isinstance(given, dict) else ()
    return next((value for value in values if isinstance(value, str)), arguments).strip()


def _argument(rest: str, below: str) -> str:
    """The argument after a tool's name, without its quotes, or the text on the lines below."""
    rest = rest.strip()
    if quoted := _QUOTED.match(rest):
        return _unquoted(quoted.group()).strip()
    closing = _MARKS.get(rest[:1])
    if closing and closing in rest[1:]:
        return rest[1 : rest.index(closing, 1)].strip()
    return "\n".join(filter(None, (rest.removesuffix(")") if "(" not in rest else rest, below.strip())))


def _unquoted(quoted: str) -> str:
    try:
        return str(json.loads(quoted))
    except ValueError:
        return quoted[1:-1]
