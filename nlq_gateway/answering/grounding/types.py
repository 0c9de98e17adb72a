"""The types of values, as an index knows them."""

from __future__ import annotations

from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.repair import TypesOf
from nlq_gateway.index import Index


def types_in(index: Index) -> TypesOf:
    """The value types of what bears a name in the index, none where nothing does."""

    def types(kind: Kind, name: str) -> tuple[ValueType, ...]:
        items = index.named(kind, name)
        return tuple(dict.fromkeys(one for item in items for one in item.value_types))

    return types
