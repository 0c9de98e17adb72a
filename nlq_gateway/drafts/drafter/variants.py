"""Variants of drafts: other bearers of a name, and reversed relations."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace

from compilers.kopl.program import Program
from nlq_gateway.core.types import Draft

# The price of a reversal, as a log-probability: about the network's own for the other direction.
COST = 2.0
_RIVALS = 2
_NARROWING = ("Filter", "QFilter", "And", "Except")


def apart(draft: Draft) -> Iterator[Draft]:
    """Yield the draft for each of the likeliest bearers of an unfiltered name; else the draft itself.

    KoPL's Find takes all bearers, and later steps may select among them.
    """
    shared = [
        place
        for place, iris in draft.choices.items()
        if len(iris) > 1 and not _is_narrowed(draft.program, place[0])
    ]
    if not shared:
        yield draft
        return
    first = {place: draft.choices[place][:1] for place in shared}
    for rival in range(min(_RIVALS, len(draft.choices[shared[0]]))):
        own = draft.choices[shared[0]][rival : rival + 1]
        yield replace(draft, choices={**draft.choices, **first, shared[0]: own})


def _is_narrowed(program: Program, number: int) -> bool:
    """True if a later step filters the members of the step's set."""
    users = (step for step in program.steps if number in step.dependencies)
    return any(step.function.startswith(_NARROWING) for step in users)


def turned(draft: Draft, decisions: int, settled: Container[str] = ()) -> Iterator[Draft]:
    """Yield the draft with one relation reversed, for each of its relations but the `settled` ones.

    Questions do not state the direction of a relation in the graph; the store knows it.
    """
    whole = draft.parts["log_probability"] - COST
    likelihood = whole / decisions
    parts = {**draft.parts, "log_probability": whole, "likelihood": likelihood}
    for number, step in enumerate(draft.program.steps):
        other = None if _named(draft, number) in settled else step.turned
        if other is not None:
            steps = (*draft.program.steps[:number], other, *draft.program.steps[number + 1 :])
            yield replace(draft, program=Program(steps), score=likelihood, parts=parts)


def _named(draft: Draft, number: int) -> str:
    return next(iter(draft.choices.get((number, 0), ())), "")
