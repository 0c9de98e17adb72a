"""Numbers of programs in the units and scales of the attributes that they are compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from compilers.kopl.functions import Kind, Parameter, ValueType
from compilers.kopl.program import Program, Step
from compilers.kopl.tables import columns_of
from compilers.kopl.units import convertible
from compilers.kopl.values import Quantity, value_or_none
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.introspect.units import unit_named

Place = tuple[int, int]

# Numbers in the unit of their first input: a sum of lengths is a length.
_OF_ONE_UNIT = frozenset({"Sum", "Average", "Minimum", "Maximum", "Round", "Calculate"})
_OTHER_UNITS = frozenset({"*", "/"})
# The argument that names what a step asks for.
ASKING = {"QueryAttr": 0, "QueryAttrUnderCondition": 0, "QueryRelationQualifier": 1, "QueryAttrQualifier": 2}
# The difference of two dates.
_DAYS = SchemaItem(Kind.ATTRIBUTE, "", "days", value_types=(ValueType.QUANTITY,), units=("day",))


def in_own_units(steps: Sequence[Step], items: Mapping[Place, SchemaItem]) -> Iterator[Step]:
    """The steps of a program with the unit of an item for each bare number that is compared with it.

    "Power over 100" means kilowatts where the graph states powers in kilowatts, and "over 20 million" is 20
    where it counts in millions.
    """
    for at, step in enumerate(steps):
        for argument, parameter in enumerate(step.signature.parameters):
            if parameter.kind != Kind.VALUE:
                continue
            item = _measuring(steps, at, argument, items)
            if item is not None and _is_number(parameter, item):
                step = step.with_input(argument, _measured(step.inputs[argument], item))
        yield step


def _is_number(parameter: Parameter, item: SchemaItem) -> bool:
    wanted = (parameter.value_type,) if parameter.value_type else item.value_types
    return wanted == (ValueType.QUANTITY,)


def _measuring(
    steps: Sequence[Step], at: int, argument: int, items: Mapping[Place, SchemaItem]
) -> SchemaItem | None:
    """The item that a value belongs to: named before it, or what is asked for in the steps before."""
    if steps[at].function == "FilterTable" and steps[at].dependencies:
        columns = enumerate(columns_of(Program(tuple(steps)), at), 1)
        asked = next((one.step for number, one in columns if str(number) == steps[at].inputs[0]), None)
    elif steps[at].function == "FilterAggregate":
        asked = next(iter(steps[at].dependencies[1:]), None)
    elif argument:
        return items.get((at, argument - 1))
    else:
        asked = _compared_with(steps, at) if steps[at].function == "Number" else _first_input(steps, at)
    while asked is not None and _keeps_unit(steps[asked]):
        if steps[asked].inputs == ("-",) and _are_days(steps, steps[asked].dependencies, items):
            return _DAYS
        asked = _first_input(steps, asked)
    return None if asked is None else _asked_for(steps, asked, items)


def _asked_for(steps: Sequence[Step], at: int, items: Mapping[Place, SchemaItem]) -> SchemaItem | None:
    return items.get((at, ASKING.get(steps[at].function, -1)))


def _are_days(steps: Sequence[Step], asked: Sequence[int], items: Mapping[Place, SchemaItem]) -> bool:
    found = [_asked_for(steps, one, items) for one in asked]
    return all(item is not None and item.value_types == (ValueType.DATE,) for item in found)


def _keeps_unit(step: Step) -> bool:
    return step.function in _OF_ONE_UNIT and not _OTHER_UNITS & set(step.inputs)


def _compared_with(steps: Sequence[Step], at: int) -> int | None:
    """The other input of the step that compares or adds a stated number."""
    users = (step for step in steps if at in step.dependencies and not _OTHER_UNITS & set(step.inputs))
    return next((one for step in users for one in step.dependencies if one != at), None)


def _first_input(steps: Sequence[Step], at: int) -> int | None:
    return next(iter(steps[at].dependencies), None)


def _measured(text: str, item: SchemaItem) -> str:
    found = value_or_none(text, ValueType.QUANTITY)
    if not isinstance(found, Quantity):
        return text
    measured = item.measured(_spelled_out(found, item.units))
    return text if measured == found else str(measured)


def _spelled_out(quantity: Quantity, units: tuple[str, ...]) -> Quantity:
    """The quantity with its unit's name for a symbol (`MW`), where only that converts to one of the units."""
    named = unit_named(quantity.unit)
    is_other = not convertible(quantity.unit, units) and bool(convertible(named, units))
    return replace(quantity, unit=named) if is_other else quantity
