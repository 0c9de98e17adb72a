"""Two programs made one: members of both, of either, or of the first alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nlq_gateway.reasoning import weights as w
from nlq_gateway.reasoning.field import Field
from nlq_gateway.reasoning.sets.alternatives import either_condition
from nlq_gateway.reasoning.sets.compared import beyond
from nlq_gateway.reasoning.sets.conditions import except_
from nlq_gateway.reasoning.sets.others import without_itself
from nlq_gateway.reasoning.sets.reachable import is_narrow
from nlq_gateway.reasoning.sketch import Sketch, joined


def combine(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """And, Or, or Except, of two programs about different words that may share members."""
    yield from except_(field, first, second)
    yield from except_(field, second, first)
    yield from either_condition(field, first, second)
    yield from beyond(field, first, second)
    yield from beyond(field, second, first)
    if not apart(field, first, second):
        return
    first, second = without_itself(first), without_itself(second)
    if first.possibly and second.possibly and not first.possibly & second.possibly:
        return
    if not (first.is_narrowed or second.is_narrowed) and _arrive_alike(first, second):
        return
    either = "or" in field.reading.lowers or "oder" in field.reading.lowers
    for function in ("And", "Or") if either else ("And",):
        if function == "And" and (first.only_names or second.only_names):
            continue
        if function == "Or" and not (is_narrow(first) and is_narrow(second)):
            continue
        both = joined(first, second, function)
        is_and = function == "And"
        surely = first.surely | second.surely if is_and else first.surely & second.surely
        possibly = _overlap(first.possibly, second.possibly) if is_and else first.possibly | second.possibly
        mostly = _overlap(first.mostly, second.mostly) if is_and else first.mostly | second.mostly
        cost = both.cost + w.STEP - (0.0 if is_and else w.EITHER)
        if not (first.names_entity and second.names_entity):
            cost += w.LOOSE
        yield replace(both, surely=surely, possibly=possibly, mostly=mostly, cost=cost)


def _arrive_alike(first: Sketch, second: Sketch) -> bool:
    """Whether one relation led to both sets: what is shared is shared a step before."""
    one, other = first.steps[-1], second.steps[-1]
    return one.function == "Relate" and (one.function, one.inputs) == (other.function, other.inputs)


def apart(field: Field, first: Sketch, second: Sketch) -> bool:
    """Whether two programs start from named entities that are mentioned in different words."""
    if not first.selects or not second.selects or first.used & second.used:
        return False
    return not field.words(first) & field.words(second)


def _overlap(first: frozenset[str], second: frozenset[str]) -> frozenset[str]:
    return first & second if first and second else first or second
