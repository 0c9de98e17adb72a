"""Shares of a set: SPARQL cannot cut at a place that it counts, so the set is counted first.

The program then takes the number that makes the share. Pure: other modules run the queries.
"""

from __future__ import annotations

from dataclasses import replace

from compilers.grounded import GroundedProgram
from compilers.kopl.program import Program, Step
from compilers.kopl.values import percent_in

# 100 % of a set are the members that take part.
_WHOLE = "100"


def uncounted_share(grounded: GroundedProgram) -> int | None:
    """The first step that takes a share of an uncounted set or table; None if there is none."""
    steps = enumerate(grounded.program.steps)
    return next((index for index, step in steps if share_of(step) is not None), None)


def share_of(step: Step) -> int | None:
    """The per cent that a step takes or skips of its input; None for a step without a share."""
    if step.function == "SelectShare" and step.inputs[-1] != _WHOLE:
        return int(step.inputs[-1])
    return percent_in(step.inputs[0]) if step.function in ("LimitTable", "SkipTable") else None


def counting(grounded: GroundedProgram, step: int) -> GroundedProgram:
    """The program that counts the members or rows that a step takes a share of."""
    if grounded.program.steps[step].function != "SelectShare":
        (source,) = grounded.program.steps[step].dependencies
        return _ending(grounded.prefix(source), "CountTable")
    whole = grounded.prefix(step)
    share = whole.program.steps[-1]
    last = replace(share, inputs=(*share.inputs[:-1], _WHOLE))
    return _ending(replace(whole, program=Program((*whole.program.steps[:-1], last))), "Count")


def _ending(grounded: GroundedProgram, function: str) -> GroundedProgram:
    steps = grounded.program.steps
    return replace(grounded, program=Program((*steps, Step(function, (), (len(steps) - 1,)))))


def with_count(grounded: GroundedProgram, step: int, count: int) -> GroundedProgram:
    """The program that takes the share of `count` as a number, rounded up."""
    steps = list(grounded.program.steps)
    share = steps[step]
    percent = share_of(share)
    assert percent is not None, "the step takes a share"
    places = -(-count * percent // 100)
    if share.function == "SelectShare":
        inputs = (*share.inputs[:-1], str(max(places, 1)))
        steps[step] = replace(share, function="SelectTop", inputs=inputs)
    else:
        least = 0 if share.function == "SkipTable" else 1
        steps[step] = replace(share, inputs=(str(max(places, least)),))
    return replace(grounded, program=Program(tuple(steps)))
