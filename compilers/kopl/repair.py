"""What was changed in a program that somebody wrote, so that it can be run; nothing is changed in silence."""

from __future__ import annotations

from dataclasses import dataclass

from compilers.kopl.program import Program


@dataclass(frozen=True, slots=True)
class Repair:
    """One change. `step` and `argument` count from 0 in the program after it; None is the whole step.

    `before` and `after` are the texts, "" for what was not there or is left out; `why` is a sentence.
    """

    step: int
    argument: int | None
    before: str
    after: str
    why: str


@dataclass(frozen=True, slots=True)
class Repaired:
    """A program, and the changes that it went through, in order."""

    program: Program
    repairs: tuple[Repair, ...] = ()
