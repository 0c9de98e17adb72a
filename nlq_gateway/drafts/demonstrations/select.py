"""Selects demonstrations: all functions first, then questions unlike those already selected.

Coverage of functions is SymKGQA's choice of a pool (section 3.2); pairs of functions that feed one another
stand for structure, and the farthest-first rule (Gonzalez, 1985) for the wording.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from compilers.kopl.program import Program
from nlq_gateway.core.types import Demonstration
from nlq_gateway.index.embedding import Vectors

POOL = 100


def select(
    demonstrations: Sequence[Demonstration],
    encode: Callable[[Sequence[str]], Vectors],
    size: int = POOL,
) -> tuple[int, ...]:
    """The positions of at most `size` demonstrations, in the order of choice.

    Each next one covers the most functions, and pairs of functions where one feeds the other, that are not
    covered yet; among equals, and when all are covered, it is the one whose question is least like those
    chosen. The same demonstrations always give the same choice.
    """
    covers = [covered_by(one.program) for one in demonstrations]
    left = dict.fromkeys(range(len(demonstrations)))
    vectors = encode([one.question for one in demonstrations])
    nearest = np.full(len(demonstrations), -1.0, np.float32)
    missing = frozenset[str]().union(*covers)
    chosen: list[int] = []
    while left and len(chosen) < size:
        best = min(left, key=lambda at: (-len(covers[at] & missing), float(nearest[at]), at))
        chosen.append(best)
        del left[best]
        missing -= covers[best]
        nearest = np.maximum(nearest, vectors @ vectors[best])
    return tuple(chosen)


def covered_by(program: Program) -> frozenset[str]:
    """The functions of a program, and the pairs of which one feeds the other."""
    names = [step.function for step in program.steps]
    pairs = (f"{names[other]}>{step.function}" for step in program.steps for other in step.dependencies)
    return frozenset(names) | frozenset(pairs)
