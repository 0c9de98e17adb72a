"""Endings of yes and no about two things: whether one is related to the other, or has more of something."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nlq_gateway.reasoning import weights as w
from nlq_gateway.reasoning.field import Field
from nlq_gateway.reasoning.sets.compared import compared, measures
from nlq_gateway.reasoning.sketch import Sketch, joined


def verify_pair(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """Whether the second, a named thing, is one of the first, or whether the first has more than it."""
    if field.reading.is_verification and second.is_single:
        yield from _is_one_of(first, second)
        yield from _has_more(field, first, second)


def _is_one_of(first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """Whether what the first leads to has the second among it: "did X direct Y"."""
    if first.hops and first.names_entity and (not first.possibly or first.possibly & second.home):
        both = joined(first, second, "And")
        yield replace(both.then("Exists", ()), cost=both.cost + w.STEP - 2 * w.FORM)


def _has_more(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """Whether the first has more or less of an attribute than the second: "is X longer than Y"."""
    if not first.is_single or first.origin is None or second.origin is None or first.origin > second.origin:
        return
    for attribute, cue in measures(field, first, second, range(first.origin, second.origin)):
        found = compared(field, first, second, attribute, cue)
        yield replace(found.then("Exists", ()), cost=found.cost - 2 * w.FORM)
