"""Types of values in words."""

from __future__ import annotations

from collections.abc import Iterable

from compilers.kopl.functions import ValueType
from compilers.kopl.values import NO_UNIT

_TYPES = {
    ValueType.STRING: "text",
    ValueType.QUANTITY: "number",
    ValueType.YEAR: "year",
    ValueType.DATE: "date",
}
_MOST_UNITS = 2


def type_names(value_types: Iterable[ValueType], units: Iterable[str]) -> str:
    """`number in minute or hour`, `year or date`; empty where no type is known."""
    named = [unit for unit in units if unit != NO_UNIT][:_MOST_UNITS]
    measured = f" in {' or '.join(named)}" if named else ""
    return " or ".join(_TYPES[one] + (measured if one == ValueType.QUANTITY else "") for one in value_types)
