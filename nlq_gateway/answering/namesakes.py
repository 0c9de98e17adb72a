"""A draft for each of several things with one name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import Draft

MOST = 6


def by_bearer(draft: Draft) -> tuple[Draft, ...]:
    """The draft with one bearer of each entity's name, in the order of its choices; at most `MOST`.

    A name in a program stands for all that bear it, one in a question mostly for one of them.
    """
    places = tuple(_entities(draft))
    combined = product(*(draft.choices[place] for place in places))
    meant = (dict(zip(places, ((iri,) for iri in iris), strict=True)) for iris in combined)
    return tuple(replace(draft, choices={**draft.choices, **one}) for one in islice(meant, MOST))


def _entities(draft: Draft) -> Iterator[tuple[int, int]]:
    for step, argument in draft.choices:
        if draft.program.steps[step].signature.parameters[argument].kind == Kind.ENTITY:
            yield step, argument
