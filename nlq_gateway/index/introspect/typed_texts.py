"""Attributes and qualifiers whose numbers or dates the graph states as texts, recognised by their texts.

A code stays a text: one with a leading zero, or whole numbers that all have the same length of four digits or
more, as postal codes and telephone numbers have. What is called a year is none, nor what has numbers, too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

from compilers.kopl.functions import Kind, ValueType
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.introspect.texts import ValueTexts
from nlq_gateway.index.introspect.units import with_unit

# Fewer distinct texts are no evidence; among more, a few may be words such as "unknown".
_LEAST_TEXTS, _LEAST_SHARE = 3, 0.9
_SHORTEST_CODE = 4
_ALLOWED = frozenset((ValueType.STRING, ValueType.QUANTITY))
# A double holds 15 digits.
_YEAR = re.compile(r"(\b|_)year\b|jahr\b|\baño\b|\bannée\b", re.IGNORECASE)
_YEARS = re.compile("[12][0-9]{3}")
_NUMBER = re.compile("-?(0|[1-9][0-9]{0,14})([.][0-9]{1,15})?")
_DAY = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_DATE = re.compile(_DAY + "([ T][0-9]{2}(:[0-9]{2}){2}([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})?)?")
_CODE = re.compile("[+-]?0[0-9].*|[+].*")


def with_typed_texts(schema: Sequence[SchemaItem], texts: ValueTexts) -> tuple[SchemaItem, ...]:
    """The items, those with texts that are numbers or dates given both types, and numbers their unit."""
    held: defaultdict[int, list[str]] = defaultdict(list)
    for at, text in texts.values:
        held[at].append(text)
    return tuple(_typed(item, held[at]) for at, item in enumerate(schema))


def _typed(item: SchemaItem, texts: Collection[str]) -> SchemaItem:
    if _ALLOWED.issuperset(item.value_types) and is_number(item, texts):
        return _numeric(item)
    if item.value_types == (ValueType.STRING,) and are_dates(texts):
        return replace(item, value_types=(ValueType.DATE, ValueType.STRING), typed_texts=True)
    return item


def are_dates(texts: Collection[str]) -> bool:
    """True if all of these distinct texts are days (ISO 8601), with a time of day behind them or none."""
    return len(texts) >= _LEAST_TEXTS and all(map(_DATE.fullmatch, texts))


def is_number(item: SchemaItem, texts: Collection[str]) -> bool:
    """True if the texts of an item are numbers, or years where it is called a year or has numbers, too."""
    is_year = _YEAR.search(item.label) is not None or ValueType.QUANTITY in item.value_types
    return (bool(texts) and is_year and all(map(_YEARS.fullmatch, texts))) or are_numbers(texts)


def are_numbers(texts: Collection[str]) -> bool:
    """True if nearly all of these distinct texts are plain numbers, and none is a code."""
    numbers = [text for text in texts if _NUMBER.fullmatch(text)]
    if len(numbers) < max(_LEAST_TEXTS, _LEAST_SHARE * len(texts)) or any(map(_CODE.fullmatch, texts)):
        return False
    lengths = {len(text) for text in numbers}
    return len(lengths) > 1 or min(lengths) < _SHORTEST_CODE or not all(map(str.isdigit, numbers))


def _numeric(item: SchemaItem) -> SchemaItem:
    numeric = replace(item, value_types=(ValueType.QUANTITY, ValueType.STRING), typed_texts=True)
    return with_unit(numeric) if item.kind == Kind.ATTRIBUTE and not item.units else numeric
