"""The reference page of the functions, written from their table.

`docs/functions.md` holds it; `pytest tests/kopl/test_reference.py --update-goldens` writes it anew.
"""

from __future__ import annotations

from compilers.kopl.check import CODES
from compilers.kopl.functions import ALIASES, FUNCTIONS, Function, Parameter

_HEAD = """\
# The functions of KoPL

Written from `compilers/kopl/functions.py`. Inputs come from earlier steps, arguments are texts; facts serve
wherever entities are asked for. Extensions are explained in [extensions.md](extensions.md).

| function | inputs | arguments | output | meaning | extension |
|---|---|---|---|---|---|
"""
_CODES_HEAD = """
## What the checker says

| code | meaning |
|---|---|
"""


def reference() -> str:
    """The page: a row for each function and for each code of the checker, as Markdown."""
    functions = "".join(map(_row, FUNCTIONS.values()))
    aliases = "".join(f"\n`{alias}` is another name of `{name}`.\n" for alias, name in ALIASES.items())
    codes = "".join(f"| `{code}` | {meaning} |\n" for code, meaning in CODES.items())
    return f"{_HEAD}{functions}{aliases}{_CODES_HEAD}{codes}"


def _row(function: Function) -> str:
    inputs = "; ".join(function.inputs) + (" (one or more)" if function.variadic else "")
    cells = (
        f"`{function.name}`",
        inputs,
        ", ".join(map(_argument, function.parameters)),
        function.output,
        function.meaning,
        "yes" if function.extension else "",
    )
    return "| " + " | ".join(cells) + " |\n"


def _argument(parameter: Parameter) -> str:
    words = f": {' '.join(f'`{word}`' for word in parameter.choices)}" if parameter.choices else ""
    name = parameter.name if parameter.value_type is None else f"{parameter.name} ({parameter.value_type})"
    return f"{name}{words}"
