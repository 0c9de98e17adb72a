"""The reference page of the functions, written from their table.

`docs/functions.md` holds it, `nlq reference functions` prints it, and `pytest tests/kopl/test_reference.py
--update-goldens` writes it anew. The codes of the checker are a table of `docs/errors.md`.
"""

from __future__ import annotations

from compilers.kopl.breaches import example
from compilers.kopl.check import CODES
from compilers.kopl.extent import COLUMNS, EXTENTS
from compilers.kopl.functions import ALIASES, FUNCTIONS, Function, Parameter

_HEAD = """\
# The functions of KoPL

Written by `nlq reference functions` from `compilers/kopl/functions.py` and `compilers/kopl/extent.py`. Inputs
come from earlier steps and stand in the order in which the meaning speaks of first and second; arguments are
texts; facts serve wherever entities are asked for. A column is a number, counted from 1. Extensions are
explained in [extensions.md](extensions.md).

| function | inputs | arguments | output | works | meaning | extension |
|---|---|---|---|---|---|---|
"""
_CODES_HEAD = """\
| code | | meaning | for example | what to do |
|---|---|---|---|---|
"""


def reference() -> str:
    """The page: a row for each function, as Markdown."""
    functions = "".join(map(_row, FUNCTIONS.values()))
    aliases = "".join(f"\n`{alias}` is another name of `{name}`.\n" for alias, name in ALIASES.items())
    return f"{_HEAD}{functions}{aliases}\nWhat the checker says of a program is in [errors.md](errors.md).\n"


def codes() -> str:
    """A table with a row for each code of the checker, with its message for a program that has it."""
    return _CODES_HEAD + "".join(map(_code_row, CODES.items()))


def _code_row(item: tuple[str, str]) -> str:
    code, meaning = item
    issue = example(code)
    return f"| `{code}` | {issue.severity} | {meaning} | {issue.message} | {issue.hint} |\n"


def _row(function: Function) -> str:
    inputs = "; ".join(function.inputs) + (" (one or more)" if function.variadic else "")
    cells = (
        f"`{function.name}`",
        inputs,
        ", ".join(map(_argument, function.parameters)),
        _output(function),
        EXTENTS[function.name],
        function.meaning,
        "yes" if function.extension else "",
    )
    return "| " + " | ".join(cells) + " |\n"


def _output(function: Function) -> str:
    columns = COLUMNS.get(function.name)
    return function.output if columns is None else f"{function.output}, columns {columns}"


def _argument(parameter: Parameter) -> str:
    words = f": {' '.join(f'`{word}`' for word in parameter.choices)}" if parameter.choices else ""
    name = parameter.name if parameter.value_type is None else f"{parameter.name} ({parameter.value_type})"
    return f"{name}{words}"
