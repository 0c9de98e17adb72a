"""Programs as JSON, in a model's text.

Beyond the notation: other names of the members, arguments by the names of their parameters, and
one object a line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from compilers.errors import ProgramSyntaxError
from compilers.kopl.functions import function_named
from compilers.kopl.notations.json import from_data
from compilers.kopl.program import Program
from nlq_gateway.drafts.generation.reading.lines import answer_of, known_name

_BEGINS = re.compile(r"[\[{]")
_STRINGS = json.JSONDecoder(strict=False)
_NAMES = {
    "function": ("function", "func", "op", "operation", "call", "name"),
    "inputs": ("inputs", "arguments", "args", "input", "parameters"),
    "dependencies": ("dependencies",),
    "from": ("from", "sources", "depends_on"),
}
_AROUND = ("program", "steps", "answer", "output")
_DEEPEST = 6
_MOST_TRIES = 500


def read(text: str) -> tuple[Program, bool]:
    """The last program, without steps if there is none, and True if it is whole."""
    found = Program(())
    lines: list[Any] = []
    for one in _values(answer_of(text)):
        steps = _steps(one)
        if steps is not None:
            found = _program(steps) or found
        elif isinstance(one, dict):
            lines.append(one)
    return found if found.steps else _program(lines) or found, True


def _values(text: str) -> Iterator[Any]:
    """The JSON lists and objects in a text, outermost only."""
    at = 0
    for _ in range(_MOST_TRIES):
        begins = _BEGINS.search(text, at)
        if begins is None:
            return
        try:
            value, at = _STRINGS.raw_decode(text, begins.start())
        except (ValueError, RecursionError):
            at = begins.end()
        else:
            yield value


def _steps(value: Any, depth: int = 0) -> list[Any] | None:
    """The list of steps in a value, at any depth."""
    if isinstance(value, list):
        return value
    if not isinstance(value, dict) or depth > _DEEPEST:
        return None
    around = (value[name] for name in _AROUND if name in value)
    return next((found for one in around if (found := _steps(one, depth + 1)) is not None), None)


def _program(steps: list[Any]) -> Program | None:
    if not steps or not all(isinstance(one, dict) for one in steps):
        return None
    try:
        return from_data([_step(one) for one in steps])
    except ProgramSyntaxError:
        return None


def _step(written: dict[str, Any]) -> dict[str, Any]:
    """The members under the notation's own names; steps are counted from 1 in `from`, else from 0."""
    named = {
        name: next((written[other] for other in others if other in written), None)
        for name, others in _NAMES.items()
    }
    inputs = named["inputs"]
    function = function_named(known_name(str(named["function"])) or "")
    if inputs is None and function is not None:
        named["inputs"] = [written[one.name] for one in function.parameters if one.name in written]
    elif isinstance(inputs, dict):
        named["inputs"] = list(inputs.values())
    elif inputs is not None and not isinstance(inputs, list):
        named["inputs"] = [inputs]
    sources = named.pop("from")
    if named["dependencies"] is None and isinstance(sources, list):
        named["dependencies"] = [one - 1 if type(one) is int else one for one in sources]
    return named
