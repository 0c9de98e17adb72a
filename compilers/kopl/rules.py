"""A rule of the checker, and helpers that the rules share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from compilers.issues import Severity
from compilers.kopl.functions import Function, function_named
from compilers.kopl.program import Program, Step

_LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class ProgramLimits:
    """The size limits of a program: `steps` in all, and `unions` (Or and OrTable) among them."""

    steps: int = 40
    unions: int = 8


@dataclass(frozen=True, slots=True)
class Breach:
    """One breach of a rule, at a step and perhaps an argument (indices from 0)."""

    step: int
    message: str
    hint: str
    argument: int | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """`find` yields the breaches of one code; `meaning` documents the code."""

    code: str
    severity: Severity
    meaning: str
    find: Callable[[Program, ProgramLimits], Iterator[Breach]]


def known_steps(program: Program) -> Iterator[tuple[int, Step, Function]]:
    """Every step whose function is in the table, with its index and its row."""
    for index, step in enumerate(program.steps):
        function = function_named(step.function)
        if function is not None:
            yield index, step, function


def feeder(program: Program, index: int, dependency: int) -> Function | None:
    """The function of the earlier step that feeds step `index` by `dependency`; None if there is none."""
    return function_named(program.steps[dependency].function) if 0 <= dependency < index else None


def shortened(text: str) -> str:
    """The text, cut where it would fill a message."""
    return text if len(text) <= _LONGEST_NAME else text[:_LONGEST_NAME] + "…"


def shown(text: str) -> str:
    """A text as messages quote it."""
    return repr(shortened(text))


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 column`, `2 columns`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
