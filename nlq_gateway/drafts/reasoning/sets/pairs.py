"""Two programs made one: members of both, of either, or of the first alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.field import Field
from nlq_gateway.drafts.reasoning.sets.compared import beyond
from nlq_gateway.drafts.reasoning.sets.conditions import except_
from nlq_gateway.drafts.reasoning.sets.others import without_itself
from nlq_gateway.drafts.reasoning.sets.reachable import is_narrow
from nlq_gateway.drafts.reasoning.sketch import Sketch, joined, worth


class Pair(NamedTuple):
    """And, or Or, of two programs: its steps are written only where it stays, one of ten."""

    first: Sketch
    second: Sketch
    function: str
    explained: Mapping[int, float]
    cost: float

    @property
    def names_entity(self) -> bool:
        """True if one of the programs starts from a named entity anywhere."""
        return self.first.names_entity or self.second.names_entity

    def value(self, weights: tuple[float, ...]) -> float:
        """The weight explained, less the cost."""
        return worth(self.explained, self.cost, weights)

    @property
    def sketch(self) -> Sketch:
        """The program."""
        first, second = self.first, self.second
        both = joined(first, second, self.function)._replace(cost=self.cost)
        if self.function == "Or":
            return both._replace(
                surely=first.surely & second.surely,
                possibly=first.possibly | second.possibly,
                mostly=first.mostly | second.mostly,
            )
        return both._replace(
            surely=first.surely | second.surely,
            possibly=_overlap(first.possibly, second.possibly),
            mostly=_overlap(first.mostly, second.mostly),
        )


def combine(field: Field, one: Sketch, others: Iterable[Sketch]) -> Iterator[Sketch | Pair]:
    """And, Or, Except, or a comparison, of a program with each of some others."""
    compares = bool(field.reading.comparatives or field.reading.time_orders)
    for other in others:
        for rule, has_reason in ((except_, bool(field.reading.denials)), (beyond, compares)):
            if has_reason:
                yield from rule(field, one, other)
                yield from rule(field, other, one)
        if field.reading.ors:
            yield from _either_condition(field, one, other)
        yield from _shared(field, one, other)


def _shared(field: Field, first: Sketch, second: Sketch) -> Iterator[Pair]:
    """And, or Or, of two programs about different words that may share members."""
    if not apart(field, first, second):
        return
    first, second = without_itself(first), without_itself(second)
    if first.possibly and second.possibly and first.possibly.isdisjoint(second.possibly):
        return
    if not (first.is_narrowed or second.is_narrowed) and _arrive_alike(first, second):
        return
    for function in ("And", "Or") if field.reading.ors else ("And",):
        if function == "And" and (first.only_names or second.only_names):
            continue
        if function == "Or" and not (is_narrow(first) and is_narrow(second)):
            continue
        # "What feeds A or B" asks for no A beside what feeds B.
        if function == "Or" and first.only_names != second.only_names:
            continue
        cost = first.cost + second.cost + w.STEP - (0.0 if function == "And" else w.EITHER)
        if not (first.names_entity and second.names_entity):
            cost += w.LOOSE
        yield Pair(first, second, function, first.explaining(second.explained), cost)


def _arrive_alike(first: Sketch, second: Sketch) -> bool:
    """True if one relation led to both sets: what is shared is shared a step before."""
    one, other = first.steps[-1], second.steps[-1]
    return one.function == "Relate" and (one.function, one.inputs) == (other.function, other.inputs)


def apart(field: Field, first: Sketch, second: Sketch) -> bool:
    """True if two programs start from named entities that are mentioned in different words."""
    if not first.used.isdisjoint(second.used) or not first.selects or not second.selects:
        return False
    return field.words(first.used).isdisjoint(field.words(second.used))


def _overlap(first: frozenset[str], second: frozenset[str]) -> frozenset[str]:
    return first & second if first and second else first or second


def _either_condition(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """Members that meet one condition or another: "under 30 or with a black card"."""
    if first.selects or second.selects or first.used & second.used:
        return
    filtered = all(len(field.spent(sketch.used)) > 0 for sketch in (first, second))
    shared = first.surely & second.surely
    if not filtered or not shared or not _stands_between(field, first, second):
        return
    both = joined(first, second, "Or")
    possibly, mostly = first.possibly | second.possibly, first.mostly | second.mostly
    yield both._replace(surely=shared, possibly=possibly, mostly=mostly, cost=both.cost + w.STEP - w.EITHER)


def _stands_between(field: Field, first: Sketch, second: Sketch) -> bool:
    """True if "or" stands between the values of two conditions."""
    ends = sorted((min(field.spent(first.used)), min(field.spent(second.used))))
    return not field.reading.ors.isdisjoint(range(*ends))
