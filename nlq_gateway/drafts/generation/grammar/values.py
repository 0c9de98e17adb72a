"""The values that may be written: those of the question, or any value of a type it has none of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from compilers.kopl.functions import ValueType
from compilers.kopl.units import conversion_factor
from compilers.kopl.values import (
    NO_UNIT,
    Date,
    Quantity,
    Year,
    format_number,
    value_or_none,
    whole_number,
)
from nlq_gateway.drafts.generation.grammar.expressions import (
    Expression,
    Repeat,
    Rules,
    characters,
    choice,
    optional,
    sequence,
)
from nlq_gateway.drafts.generation.grammar.writing import NotationRules
from nlq_gateway.drafts.generation.known import AllowedNames

_DIGIT = characters("09")
# Twelve digits and six decimals: the precision of calculations (compilers.kopl.values.rounded), a millionth.
_DECIMALS = optional(sequence(".", Repeat(_DIGIT, 1, 6)))
_NUMBER = sequence(optional(sequence("-")), Repeat(_DIGIT, 1, 12), _DECIMALS)
_UNIT = Repeat(characters("az", "AZ", " "), 1, 40)
_YEAR = sequence(characters("19"), Repeat(_DIGIT, 0, 3))
_DAYS = (
    (("01", "03", "05", "07", "08", "10", "12"), ("29", "30", "31")),
    (("04", "06", "09", "11"), ("29", "30")),
    (("02",), ()),
)
_FIRST_DAYS = choice(
    (sequence("0", characters("19")), sequence("1", _DIGIT), sequence("2", characters("08")))
)
_FOUR_DIGITS = sequence(
    choice((sequence("0", characters("19")), sequence(characters("12"), _DIGIT))), _DIGIT, _DIGIT
)
_DATE = sequence(
    _FOUR_DIGITS,
    "-",
    choice(sequence(choice(months), "-", choice((_FIRST_DAYS, *more))) for months, more in _DAYS),
)
# Places and counts may be words ("second", "both"): the question's numbers do not cover them.
_WHOLE = sequence(characters("19"), optional(_DIGIT))


@dataclass(frozen=True, slots=True)
class ValueRules:
    """The values of one question in one notation, as rules.

    With `any_unit` quantities may have a unit of any name.
    """

    rules: Rules
    writing: NotationRules
    names: AllowedNames
    any_unit: bool = False

    def of(self, value_type: ValueType, units: tuple[str, ...] = ()) -> Expression:
        """A value of this type as an argument; quantities in one of the units, if any are known."""
        if value_type == ValueType.QUANTITY:
            return self._quantity(units)
        given, free = {
            ValueType.STRING: ([text for text in self.names.strings if text.strip()], self.writing.text),
            ValueType.YEAR: (_read_as(Year, value_type, self.names.years), self.writing.filled(_YEAR)),
            ValueType.DATE: (_read_as(Date, value_type, self.names.dates), self.writing.filled(_DATE)),
        }[value_type]
        return self.rules.rule(f"{value_type}-value", lambda: self._one_of(given) if given else free)

    def stated(self, unit: str) -> Expression:
        """Any number in a unit, or without: "per cent" implies an unstated hundred."""
        behind = "" if unit == NO_UNIT else f" {unit}"
        return self.writing.filled(self.rules.rule("number", lambda: _NUMBER), behind)

    def whole(self) -> Expression:
        """A whole number from 1 on as an argument: a count or a place."""
        found = (whole_number(text) for text in self.names.quantities)
        large = [str(number) for number in found if number is not None and number > 99]
        return self.rules.rule(
            "whole", lambda: choice((self.writing.filled(_WHOLE), *map(self.writing.argument, large)))
        )

    def rows(self) -> Expression:
        """A number of rows: a whole number from 1 on, or a share of all in per cent."""
        return self.rules.rule("so-many", lambda: choice((self.whole(), self.writing.filled(_WHOLE, " %"))))

    def _one_of(self, texts: Iterable[str]) -> Expression:
        return choice(map(self.writing.argument, texts))

    def _quantity(self, units: tuple[str, ...]) -> Expression:
        def make() -> Expression:
            given = list(_fitting(self.names.quantities, units))
            return self._one_of(given) if given else self._free_quantity(units)

        return self.rules.numbered("quantity-value", units, make)

    def _free_quantity(self, units: tuple[str, ...]) -> Expression:
        number = self.rules.rule("number", lambda: _NUMBER)
        behind = ["" if unit == NO_UNIT else f" {unit}" for unit in units]
        stated = [self.writing.filled(number, unit) for unit in behind or [""]]
        named = [self.writing.filled(sequence(number, " ", _UNIT))] if self.any_unit else []
        return choice((*stated, *named))


def _read_as(kind: type, value_type: ValueType, texts: Iterable[str]) -> list[str]:
    """The texts that are values of this kind."""
    return [text for text in texts if isinstance(value_or_none(text, value_type), kind)]


def _fitting(quantities: Iterable[str], units: tuple[str, ...]) -> Iterator[str]:
    """The quantities that compare with values in these units.

    One in a unit that converts stays as it is stated. Of any other only the number is certain, which is then
    stated in each of the units, as people omit units or use other names for them.
    """
    for text in quantities:
        quantity = value_or_none(text, ValueType.QUANTITY)
        if not isinstance(quantity, Quantity):
            continue
        if not units or _converts(quantity.unit, units):
            yield text
        else:
            number = format_number(quantity.number)
            yield from (number if unit == NO_UNIT else f"{number} {unit}" for unit in units)


def _converts(unit: str, units: tuple[str, ...]) -> bool:
    return unit in units or (
        unit != NO_UNIT and any(conversion_factor(unit, other) is not None for other in units)
    )
