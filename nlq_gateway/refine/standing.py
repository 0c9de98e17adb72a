"""Whether a revised program takes the place of the first."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Standing:
    """What speaks for a program: that it checks, that it finds something, and the confidence in [0, 1]."""

    checks: bool
    finds: bool = False
    confidence: float = 0.0


def better(before: Standing, after: Standing) -> bool:
    """Whether the program after the round is accepted instead of the one before it.

    It must check. It must not find nothing where the first found something, and it must be surer: that there
    is nothing can be the right answer, so finding something counts only where both are equally sure.
    """
    if not after.checks or not before.checks:
        return after.checks
    if before.finds and not after.finds:
        return False
    return (after.confidence, after.finds) > (before.confidence, before.finds)
