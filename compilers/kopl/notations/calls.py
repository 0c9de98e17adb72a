"""The grammar of one call, and the inference of its inputs, shared by the notations.

    call     = name "(" [argument {"," argument}] ")"
    argument = quoted | bare
    quoted   = a JSON string
    bare     = text without line breaks, commas and unbalanced brackets, trimmed, not empty

Bare text keeps quotation marks and backslashes as they are, unless it begins with a quotation mark.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from compilers.errors import ProgramSyntaxError, UnsupportedProgram
from compilers.kopl.functions import function_named
from compilers.kopl.program import Program, Step
from compilers.kopl.values import format_number

NAME = re.compile(r"[^\W\d]\w*")
_BLANKS = re.compile(r"\s*")
_SOURCES = re.compile(r"none\b|-?[0-9]{1,18}(?:\s*,\s*-?[0-9]{1,18})*")
_BARE_STOP = re.compile(r"[(),\n\r]")
_NEEDS_QUOTES = re.compile(r'[,()"\\]|->|<-')
_STRINGS = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class ParsedCall:
    """A step as it was read; `dependencies` is None where the text leaves them to inference."""

    function: str
    inputs: tuple[str, ...]
    dependencies: tuple[int, ...] | None = None


def assemble(calls: Sequence[ParsedCall]) -> Program:
    """The program of these calls, with omitted dependencies inferred."""
    guesses = inferred_dependencies((call.function, call.dependencies) for call in calls)
    return Program(
        tuple(
            Step(call.function, call.inputs, guess if call.dependencies is None else call.dependencies)
            for call, guess in zip(calls, guesses, strict=True)
        )
    )


def inferred_dependencies(calls: Iterable[tuple[str, tuple[int, ...] | None]]) -> Iterator[tuple[int, ...]]:
    """Yield the inferred inputs of each call: the latest calls that feed no other.

    A function of two inputs joins the last two branches, in their order, and a variadic one joins all;
    an unknown function counts as one of one input. Where too few branches are open, fewer are given.
    `calls` are pairs of a function's name and its dependencies where they are known.
    """
    open_ends: dict[int, None] = {}
    for index, (function, given) in enumerate(calls):
        guess = tuple(islice(reversed(open_ends), _arity(function)))[::-1]
        yield guess
        for dependency in guess if given is None else given:
            open_ends.pop(dependency, None)
        open_ends[index] = None


def _arity(function: str) -> int | None:
    """The number of steps that feed a call of the function; None for any number."""
    known = function_named(function)
    if known is None:
        return 1
    return None if known.variadic else len(known.inputs)


def require_text(text: object, position: int | None = None) -> str:
    """`text` if it is a string that UTF-8 can encode; raises ProgramSyntaxError, at `position` if given."""
    if not isinstance(text, str):
        raise ProgramSyntaxError(
            f"text expected, {type(text).__name__} given", hint="give the program as text"
        )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ProgramSyntaxError(
            "half of a surrogate pair is not a character",
            position=error.start if position is None else position,
            hint="send valid Unicode",
        ) from None
    return text


def skip_blanks(text: str, position: int) -> int:
    """The position of the next character that is not white space."""
    found = _BLANKS.match(text, position)
    return found.end() if found else position


def number_text(value: object) -> str | None:
    """A number as an argument, `5.0` as `5`; None for other values, infinity, and hundreds of digits."""
    if isinstance(value, int) and not isinstance(value, bool):
        # Python refuses to print integers of thousands of digits; none of them is a sensible argument.
        return str(value) if abs(value) < 10**300 else None
    return format_number(value) if isinstance(value, float) and math.isfinite(value) else None


def read_sources(text: str, position: int) -> tuple[tuple[int, ...], int]:
    """The indices (from 0) of the steps that `2, 3` or `none` names, and the position after it.

    Raises ProgramSyntaxError.
    """
    sources = _SOURCES.match(text, position)
    if sources is None:
        raise ProgramSyntaxError(
            "the numbers of the steps that feed this one expected",
            position=position,
            hint="count the steps from 1, and write 2, 3 or none",
        )
    listed = () if sources.group() == "none" else sources.group().split(",")
    return tuple(int(number) - 1 for number in listed), sources.end()


def write_sources(dependencies: tuple[int, ...]) -> str:
    """The steps that feed a call, counted from 1, or `none`."""
    return ", ".join(str(index + 1) for index in dependencies) or "none"


def write_name(step: Step, index: int) -> str:
    """The name of a step's function; raises UnsupportedProgram where it is no name."""
    if not NAME.fullmatch(step.function):
        raise UnsupportedProgram(
            "only names of letters, digits and underscores can be written as calls",
            step=index,
            hint="write the program as JSON",
        )
    return step.function


def read_call(text: str, position: int) -> tuple[ParsedCall, int]:
    """The call that begins at `position`, and the position after it; raises ProgramSyntaxError."""
    name = NAME.match(text, position)
    if name is None:
        raise ProgramSyntaxError(
            "a function's name expected",
            position=position,
            hint="write calls as Function(argument, argument)",
        )
    opening = skip_blanks(text, name.end())
    if text[opening : opening + 1] != "(":
        raise ProgramSyntaxError(
            f"an opening bracket expected after {name.group()[:40]}",
            position=opening,
            hint="functions without arguments need brackets too: FindAll()",
        )
    inputs, end = _read_arguments(text, opening)
    return ParsedCall(name.group(), inputs), end


def write_call(step: Step, index: int) -> str:
    """The call of a step, its arguments quoted where needed; raises UnsupportedProgram."""
    return f"{write_name(step, index)}({', '.join(map(quote, step.inputs))})"


def quote(argument: str) -> str:
    """The argument bare where that reads back as the same text, and else as a JSON string."""
    bare = (
        argument.isprintable() and argument == argument.strip() != "" and not _NEEDS_QUOTES.search(argument)
    )
    return argument if bare else json.dumps(argument, ensure_ascii=False)


def _read_arguments(text: str, opening: int) -> tuple[tuple[str, ...], int]:
    position = skip_blanks(text, opening + 1)
    if text[position : position + 1] == ")":
        return (), position + 1
    arguments: list[str] = []
    while True:
        argument, position = _read_argument(text, position, opening)
        arguments.append(argument)
        position = skip_blanks(text, position)
        closing, position = text[position : position + 1], position + 1
        if closing == ")":
            return tuple(arguments), position
        if closing != ",":
            raise ProgramSyntaxError(
                "a comma or a closing bracket expected",
                position=position - 1,
                hint='close the bracket, and write quotation marks inside quoted text as \\"',
            )
        position = skip_blanks(text, position)


def _read_argument(text: str, position: int, opening: int) -> tuple[str, int]:
    if text[position : position + 1] == '"':
        return _read_quoted(text, position)
    end = _bare_end(text, position, opening)
    argument = text[position:end].strip()
    if not argument:
        raise ProgramSyntaxError(
            "an argument is missing", position=position, hint='write an empty text as ""'
        )
    return argument, end


def _read_quoted(text: str, position: int) -> tuple[str, int]:
    try:
        argument, end = _STRINGS.raw_decode(text, position)
    except ValueError:
        raise ProgramSyntaxError(
            "a quoted argument is not a JSON string",
            position=position,
            hint='close it with ", write " as \\" and \\ as \\\\',
        ) from None
    return require_text(argument, position), end


def _bare_end(text: str, position: int, opening: int) -> int:
    """The position of the comma or bracket that ends bare text; brackets in pairs belong to the text."""
    depth = 0
    for stop in _BARE_STOP.finditer(text, position):
        character = stop.group()
        if character in "\n\r":
            break
        if depth == 0 and character in ",)":
            return stop.start()
        depth += {"(": 1, ")": -1}.get(character, 0)
    raise ProgramSyntaxError(
        "a bracket is not closed", position=opening, hint='add ")", or quote text that contains a bracket'
    )
