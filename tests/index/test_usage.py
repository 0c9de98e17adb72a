"""The summary of a predicate's values."""

from __future__ import annotations

from collections import Counter

from compilers.kopl.functions import Kind, ValueType
from nlq_gateway.index.introspect.usage import PredicateUsage


def test_types_and_units_begin_with_the_commonest() -> None:
    usage = PredicateUsage(Kind.ATTRIBUTE, Counter({"p": 9}), Counter({"p": 9}), {}, {})
    usage.value_types = {"p": Counter({ValueType.STRING: 1, ValueType.QUANTITY: 8})}
    usage.units = {"p": Counter({"1": 2, "metre": 2, "foot": 2, "yard": 3})}
    item = usage.item("p")
    assert item.units == ("yard", "foot", "metre", "1")
    assert item.value_types == (ValueType.QUANTITY, ValueType.STRING)
