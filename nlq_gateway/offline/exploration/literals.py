"""Values that a store gave, as the arguments of conditions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from compilers.answers import AnswerValue
from compilers.kopl.functions import ValueType
from compilers.kopl.shapes import order_key
from compilers.kopl.values import (
    Date,
    Quantity,
    String,
    Value,
    ValueSyntaxError,
    Year,
    compare,
    parse_value,
    type_of,
)
from compilers.layouts.vocabulary import XSD

ORDERED = (ValueType.QUANTITY, ValueType.DATE, ValueType.YEAR)
LONGEST = 80
_TIMES = {XSD + "date": ValueType.DATE, XSD + "gYear": ValueType.YEAR}
_COMPARISONS = (">", "<", "=")
_SUFFIX = {
    ValueType.STRING: "Str",
    ValueType.QUANTITY: "Num",
    ValueType.YEAR: "Year",
    ValueType.DATE: "Date",
}

Pairs = Sequence[tuple[AnswerValue, AnswerValue]]


class WrittenValue(NamedTuple):
    """A value with the text that states it."""

    text: str
    value: Value

    @property
    def type(self) -> ValueType:
        """The value's type."""
        return type_of(self.value)

    def call(self, prefix: str, comparison: str) -> tuple[str, tuple[str, ...]]:
        """The function that begins so for values of this type, and its last arguments."""
        suffix = _SUFFIX[self.type]
        return prefix + suffix, (self.text,) if suffix == "Str" else (self.text, comparison)

    @property
    def comparisons(self) -> tuple[str, ...]:
        """The operators of this type of value."""
        return ("=",) if isinstance(self.value, String) else _COMPARISONS


def literal_of(cell: AnswerValue) -> WrittenValue | None:
    """A cell as a value; None for an entity, and for a text that is no name of anything."""
    text = str(cell)
    if cell.type == "iri" or not text.strip() or len(text) > LONGEST or "\n" in text:
        return None
    value_type = ValueType.QUANTITY if cell.type == "number" else _TIMES.get(cell.datatype or "")
    try:
        return WrittenValue(text, parse_value(text, value_type or ValueType.STRING))
    except ValueSyntaxError:
        return None


def literals_of(pairs: Pairs) -> dict[str, tuple[WrittenValue, ...]]:
    """The values of each member, by its IRI."""
    found: dict[str, list[WrittenValue]] = defaultdict(list)
    for member, cell in pairs:
        if (literal := literal_of(cell)) is not None:
            found[member.value].append(literal)
    return {member: tuple(dict.fromkeys(held)) for member, held in found.items()}


def condition(rng: Random, held: Iterable[Sequence[WrittenValue]]) -> tuple[WrittenValue, str] | None:
    """Choose a comparison that some members pass and some do not; None if there is none."""
    members = list(held)
    known = sorted({literal for values in members for literal in values}, key=lambda one: one.text)
    for literal in rng.sample(known, min(len(known), 6)):
        for comparison in rng.sample(literal.comparisons, len(literal.comparisons)):
            passing = sum(_passes(values, comparison, literal) for values in members)
            if 0 < passing < len(members):
                return literal, comparison
    return None


def _passes(values: Iterable[WrittenValue], comparison: str, target: WrittenValue) -> bool:
    return any(compare(one.value, comparison, target.value) for one in values)


def differing(held: Iterable[Sequence[WrittenValue]]) -> int:
    """The number of different places when members are ordered by their values."""
    firsts = (values[0].value for values in held)
    return len({order_key(value) for value in firsts if isinstance(value, Quantity | Year | Date)})
