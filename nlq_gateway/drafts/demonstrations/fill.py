"""The names and values of a question, matched to those of a demonstration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, permutations, product

from compilers.kopl.functions import ValueType
from compilers.kopl.values import NO_UNIT, Quantity, Value, Year, type_of
from nlq_gateway.core.types import Hit
from nlq_gateway.drafts.demonstrations.lesson import Hole, Lesson, Place
from nlq_gateway.drafts.demonstrations.readings import MentionReading, ResolvedMention

BEARERS = 4
OTHER_CLASS = 0.8  # the price of a name of another class than the one it replaces, in words of the question
OTHER_BRANCH = 1.6
CROSSED = 0.3
_MOST_NAMES = 4


@dataclass(frozen=True, slots=True)
class Filling:
    """The fillers of a lesson's holes, by argument; `price` is for imperfect fits."""

    named: Mapping[Place, ResolvedMention]
    values: Mapping[Place, Value]
    price: float = 0.0

    def texts(self) -> Iterator[tuple[Place, str]]:
        """The arguments as texts."""
        for place, one in self.named.items():
            value = self.values.get(place)
            yield place, one.text if value is None else str(value)

    def bearers(self) -> Iterator[dict[Place, Hit]]:
        """The combinations of entities that may be meant, the likeliest first."""
        places: dict[tuple[int, int], list[Place]] = {}
        for place, one in self.named.items():
            if one.value is None:
                places.setdefault((one.start, one.end), []).append(place)
        hits = [self.named[group[0]].hits for group in places.values()]
        for chosen in islice(product(*hits), BEARERS):
            pairs = zip(places.values(), chosen, strict=True)
            yield {place: hit for group, hit in pairs for place in group}


def fillings(lesson: Lesson, reading: MentionReading) -> Iterator[Filling]:
    """The best way to fill all holes with all names of the question; none if their numbers differ."""
    values = _values([hole for hole in lesson.holes if hole.value is not None], reading.values)
    holes = [hole for hole in lesson.holes if hole.value is None]
    if values is None or len(holes) != len(reading.entities) or len(holes) > _MOST_NAMES:
        return
    price, order = _cheapest(holes, reading.entities)
    named = {
        place: reading.entities[at] for hole, at in zip(holes, order, strict=True) for place in hole.places
    }
    chosen = {place: one for hole, (one, _) in values for place in hole.places}
    worth = {place: value for hole, (_, value) in values for place in hole.places}
    yield Filling({**named, **chosen}, worth, price)


def _cheapest(holes: Sequence[Hole], names: Sequence[ResolvedMention]) -> tuple[float, tuple[int, ...]]:
    orders = permutations(range(len(names)))
    priced = (
        (
            sum(_misfit(hole, names[at]) for hole, at in zip(holes, order, strict=True)) + _crossings(order),
            order,
        )
        for order in orders
    )
    return min(priced)


def _misfit(hole: Hole, one: ResolvedMention) -> float:
    if hole.name == one.name:
        return 0.0
    return OTHER_CLASS if hole.broad == one.broad or hole.concepts & one.concepts else OTHER_BRANCH


def _crossings(order: Sequence[int]) -> float:
    return CROSSED * sum(one > other for one, other in pairwise(order))


def _values(
    holes: Sequence[Hole], named: Sequence[ResolvedMention]
) -> list[tuple[Hole, tuple[ResolvedMention, Value]]] | None:
    """Each hole with a value of its type, in order; None if they do not match."""
    if len(holes) != len(named):
        return None
    found: list[tuple[Hole, tuple[ResolvedMention, Value]]] = []
    left = list(named)
    for hole in holes:
        match = next(((one, value) for one in left if (value := _as(one, hole)) is not None), None)
        if match is None:
            return None
        left.remove(match[0])
        found.append((hole, match))
    return found


def _as(one: ResolvedMention, hole: Hole) -> Value | None:
    """The value in the hole's type, a bare number in its unit; None for another type."""
    value, wanted = one.value, hole.value
    assert value is not None
    assert wanted is not None
    if one.is_range:
        return None
    if type_of(wanted) == ValueType.QUANTITY and isinstance(value, Year):
        value = Quantity(float(value.year))
    if isinstance(wanted, Quantity) and isinstance(value, Quantity) and value.unit == NO_UNIT:
        return Quantity(value.number, wanted.unit)
    return value if type_of(value) == type_of(wanted) else None
