"""Types of values in words."""

from __future__ import annotations

from compilers.kopl.functions import ValueType
from compilers.kopl.values import NO_UNIT
from nlq_gateway.core.types import SchemaItem

_TYPES = {
    ValueType.STRING: "text",
    ValueType.QUANTITY: "number",
    ValueType.YEAR: "year",
    ValueType.DATE: "date",
}
_MOST_UNITS = 2


def type_names(item: SchemaItem) -> str:
    """`number in minute or hour`, `year or date`; "" for unknown types."""
    named = [unit for unit in item.units if unit != NO_UNIT][:_MOST_UNITS]
    measured = f" in {' or '.join(named)}" if named else ""
    if item.typed_texts:
        return f"{_TYPES[item.value_types[0]]}{measured}, stored as text"
    return " or ".join(
        _TYPES[one] + (measured if one == ValueType.QUANTITY else "") for one in item.value_types
    )
