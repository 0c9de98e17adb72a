"""The attributes that values in a question can belong to, and the forms in which they are written."""

from __future__ import annotations

from compilers.kopl.functions import ValueType
from compilers.kopl.units import conversion_factor
from compilers.kopl.values import NO_UNIT, Date, Quantity, String, Value, Year
from nlq_gateway.core.types import LiteralMention, SchemaItem
from nlq_gateway.drafts.reasoning.field import Clue
from nlq_gateway.drafts.reasoning.vocabulary import TIMES

SUFFIX: dict[type, str] = {String: "Str", Quantity: "Num", Year: "Year", Date: "Date"}


def fits(clue: Clue, item: SchemaItem) -> bool:
    """True if the item can hold the value: its predicate is known, or its types and units allow it."""
    if clue.predicates:
        return item.iri in clue.predicates
    match clue.literal.value:
        case String():
            return ValueType.STRING in item.value_types
        case Quantity() as quantity:
            measured = ValueType.QUANTITY in item.value_types and _same_measure(quantity.unit, item.units)
            return measured or (quantity.unit == NO_UNIT and _holds_numerals(item))
        case Year() | Date():
            number = isinstance(clue.literal.value, Year) and item.units in ((), (NO_UNIT,))
            timed = bool(TIMES & set(item.value_types)) or _holds_numerals(item)
            return timed or (number and ValueType.QUANTITY in item.value_types)
    return False


def _holds_numerals(item: SchemaItem) -> bool:
    """True if numbers are kept as texts, as some databases do."""
    only = set(item.value_types) == {ValueType.STRING} and bool(item.examples)
    return only and all(example.isascii() and example.isdigit() for example in item.examples)


def _same_measure(unit: str, units: tuple[str, ...]) -> bool:
    if unit == NO_UNIT:
        return True
    return not units or any(conversion_factor(unit, other) is not None for other in units)


def meant(value: Value, item: SchemaItem) -> Value:
    """The value as the item's type takes it: a bare number of four digits may be no year, and 1 says yes."""
    if isinstance(value, String) and item.truths and item.value_types == (ValueType.QUANTITY,):
        return Quantity(float(item.truths[value.text != item.truths[0]]))
    if isinstance(value, Year | Quantity) and _holds_numerals(item):
        return String(str(value))
    if isinstance(value, Year) and not TIMES & set(item.value_types):
        value = Quantity(float(value.year))
    return item.measured(value) if isinstance(value, Quantity) else value


def bounds(literal: LiteralMention, item: SchemaItem) -> tuple[tuple[str, str], ...]:
    """A range as two conditions, value and sign; none for a single value.

    Programs know no "at least": whole years begin after the one before. Of other values the bounds are out.
    """
    if literal.until is None:
        return ()
    first, last = meant(literal.value, item), meant(literal.until, item)
    if isinstance(first, Year) and isinstance(last, Year):
        first, last = Year(first.year - 1), Year(last.year + 1)
    return ((str(first), ">"), (str(last), "<"))


def is_dated(value: Value, item: SchemaItem) -> bool:
    """True if a year says the attribute itself: "before 1980" speaks of what is called a year."""
    return isinstance(value, Year) and "year" in item.label.lower().split()
