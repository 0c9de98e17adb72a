"""The steps of a chain with their arguments: items of the graph, and values in the items' types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import MAXYEAR, date, timedelta

from compilers.kopl.functions import ValueType
from compilers.kopl.values import Date, Quantity, String, Value, Year
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.generation.decompose.forms import END, ITEM, LITERAL, QUALIFIER, ChainStep
from nlq_gateway.drafts.generation.decompose.reading import SubQuestionValue
from nlq_gateway.drafts.generation.decompose.templates import Template

_TYPED = {String: "Str", Quantity: "Num", Year: "Year", Date: "Date"}
_BY_TYPE = ("Filter", "QFilter", "Verify")
_TIMES = (ValueType.YEAR, ValueType.DATE)
_VALUES = (LITERAL, END)


@dataclass(frozen=True, slots=True)
class Filled:
    """A step with its arguments, and the IRIs of those that are names."""

    function: str
    inputs: tuple[str, ...]
    feeds: tuple[int, ...]
    iris: Mapping[int, tuple[str, ...]]


def filled(
    template: Template, calls: Sequence[ChainStep], values: Sequence[SubQuestionValue]
) -> list[Filled] | None:
    """The calls with their arguments; None if no value fits."""
    found = []
    for call in calls:
        one = _filled_call(template, call, values[0] if values else None)
        if one is None:
            return None
        found.append(one)
    return found


def _filled_call(template: Template, call: ChainStep, stated: SubQuestionValue | None) -> Filled | None:
    about = template.qualifier if QUALIFIER in call.arguments[:2] and LITERAL in call.arguments[2:] else None
    value = _value(stated, about or template.item, template.form.value) if stated else None
    function, arguments = call.function, call.arguments
    if (LITERAL in arguments or END in arguments) and value is None:
        return None
    value = stated.until if stated and END in arguments else value
    if template.form.value == "period":
        value = _beside(value, later=END in arguments)
    if function in _BY_TYPE and value is not None:
        function += _TYPED[type(value)]
        arguments = arguments[:-1] if isinstance(value, String) else arguments
    items = {ITEM: template.item, QUALIFIER: template.qualifier}
    texts = {name: item.label for name, item in items.items() if item} | dict.fromkeys(_VALUES, str(value))
    inputs = tuple(texts.get(argument, argument) for argument in arguments)
    iris = {at: (item.iri,) for at, one in enumerate(arguments) if (item := items.get(one)) is not None}
    return Filled(function, inputs, call.feeds, iris)


def _value(stated: SubQuestionValue, about: SchemaItem | None, wanted: str) -> Value | None:
    """The reading of a stated value that compares with the item's values."""
    types = set(about.value_types) if about else set(ValueType)
    for value in stated.values:
        match value, wanted:
            case String(), "text" if ValueType.STRING in types:
                if about is None or not stated.held or about.iri in stated.held:
                    return value
            case Quantity(), "number" if ValueType.QUANTITY in types:
                return about.measured(value) if about else value
            case Year(year), "number" if ValueType.QUANTITY in types and not types & set(_TIMES):
                number = Quantity(float(year))
                return about.measured(number) if about else number
            case ((Year() | Date()), ("time" | "period")) if types & set(_TIMES):
                return value
            case Quantity(number), "count":
                return Quantity(number)
    return None


def _beside(value: Value | None, *, later: bool) -> Value | None:
    """The year or day before or after a value: periods include their ends, comparisons do not."""
    match value:
        case Year(year):
            return Year(year + 1 if later else year - 1)
        case Date(year, month, day) if 0 < year < MAXYEAR:
            found = date(year, month, day) + timedelta(days=1 if later else -1)
            return Date(found.year, found.month, found.day)
        case _:
            return value
