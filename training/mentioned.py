"""A verdict on a relation of two things in one form: as the question mentions them, the second related.

Else either fact, `A r B` and `B r A`, has four programs. And in this one the relation's direction alone
says which of both is meant, after both names and the relation: a drafter that writes step by step need not
know it before.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from compilers.kopl.functions import TURNED
from compilers.kopl.program import Program, Step
from training.canonical import OF_FACTS


def as_mentioned(program: Program, question: str) -> Program:
    """The program in that form; as it is where it is no such verdict, or the question lacks a name of it."""
    parts = _related(program)
    if parts is None:
        return program
    bare, start, run = parts
    told = question.lower()
    first, second = (told.find(program.steps[at].inputs[0].lower()) for at in (bare, start))
    if min(first, second) < 0 or first == second:
        return program
    turns = second < first
    order = (start, bare) if turns else (bare, start)
    steps = [replace(program.steps[at], dependencies=()) for at in order]
    steps += (replace(program.steps[at], dependencies=(before,)) for before, at in enumerate(run, start=1))
    if turns:
        relation, direction = steps[2].inputs
        steps[2] = replace(steps[2], inputs=(relation, TURNED[direction]))
    steps += (Step("And", (), (0, len(steps) - 1)), Step("Exists", (), (len(steps),)))
    return Program(tuple(steps))


def _related(program: Program) -> tuple[int, int, tuple[int, ...]] | None:
    """The thing alone, the one that leads to it, and the steps from there: a relation, filters of facts."""
    steps = program.steps
    functions = [step.function for step in steps]
    if functions[-2:] != ["And", "Exists"] or functions.count("Find") != 2 or functions.count("Relate") != 1:
        return None
    if not {"Find", "Relate", "And", "Exists"}.union(OF_FACTS).issuperset(functions):
        return None
    relate = functions.index("Relate")
    (start,) = steps[relate].dependencies
    (bare,) = (at for at, function in enumerate(functions) if function == "Find" and at != start)
    run = (relate, *(at for at, function in enumerate(functions) if function in OF_FACTS))
    is_line = all(steps[at].dependencies == (before,) for before, at in pairwise(run))
    is_met = set(steps[-2].dependencies) == {bare, run[-1]} and steps[-1].dependencies == (len(steps) - 2,)
    return (bare, start, run) if is_line and is_met else None
