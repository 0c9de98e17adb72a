"""One bearer of a name, or all: KoPL's Find takes all, and later steps may select among them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from compilers.kopl.program import Program
from nlq_gateway.core.types import Draft

_RIVALS = 2
_NARROWING = ("Filter", "QFilter", "And", "Except")


def apart(draft: Draft) -> Iterator[Draft]:
    """The draft for each of the likeliest bearers of an unfiltered name; else the draft itself."""
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
