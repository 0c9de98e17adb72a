"""Values as the graph states them: quantities in its units, texts in its letters."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from compilers.kopl.check import check
from compilers.kopl.functions import Kind, Parameter, ValueType
from compilers.kopl.program import Program
from compilers.kopl.repair import Repair, Repaired
from compilers.kopl.repair.base import arguments, with_input
from compilers.kopl.tables import columns_of
from nlq_gateway.answering.grounding.grounder import Place
from nlq_gateway.answering.grounding.items import Choices, items_at
from nlq_gateway.answering.grounding.quantities import Normalised, in_units_of_graph
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index import Index
from nlq_gateway.index.units import ASKING

# Functions that give values or a number in the unit of their first input.
_KEEPING = frozenset(("Sum", "Average", "Minimum", "Maximum", "Round"))
_OF_ONE_UNIT = (("+",), ("-",))


def with_values_of_graph(program: Program, choices: Choices, index: Index) -> Repaired:
    """The program with its quantities and texts as the attributes and qualifiers before them have theirs."""
    repairs: list[Repair] = []
    for at in range(len(program)):
        for argument, parameter, text in arguments(program.steps[at]):
            place = _named_by(program, (at, argument)) if parameter.kind == Kind.VALUE else None
            items = items_at(index, program, choices, place) if place is not None else ()
            found = _normalised(index, parameter, text, items) if items else None
            if found is not None:
                program = with_input(program, at, argument, found.text)
                repairs.append(Repair(at, argument, text, found.text, found.why))
    return Repaired(program, tuple(repairs))


def _named_by(program: Program, place: Place) -> Place | None:
    """The place that names the attribute or qualifier of a value: before it, or in its comparison."""
    at, argument = place
    step = program.steps[at]
    if step.function in _MEASURED:
        # The inputs of steps are known only in a sound program.
        sound = not any(issue.severity == "error" for issue in check(program))
        return _measured_by(program, _MEASURED[step.function](program, at)) if sound else None
    if argument > 0:
        return at, argument - 1
    for source in step.dependencies[:1]:
        named = ASKING.get(program.steps[source].function)
        return (source, named) if named is not None else None
    return None


def _beside(program: Program, number: int) -> int | None:
    """The other side of the first sum, difference or comparison that a stated number goes into."""
    for step in program.steps:
        if number in step.dependencies and (step.function == "FilterCompare" or step.inputs in _OF_ONE_UNIT):
            return next((source for source in step.dependencies if source != number), None)
    return None


_MEASURED: Mapping[str, Callable[[Program, int], int | None]] = {
    "Number": _beside,
    "FilterAggregate": lambda program, at: program.steps[at].dependencies[1],
    "FilterTable": lambda program, at: columns_of(program, at)[int(program.steps[at].inputs[0]) - 1].step,
}


def _measured_by(program: Program, step: int | None) -> Place | None:
    """The place that names the attribute or qualifier whose unit a step's values or number have."""
    if step is None:
        return None
    if program.steps[step].function in _KEEPING:
        return _measured_by(program, program.steps[step].dependencies[0])
    named = ASKING.get(program.steps[step].function)
    return None if named is None else (step, named)


def _normalised(
    index: Index, parameter: Parameter, text: str, items: tuple[SchemaItem, ...]
) -> Normalised | None:
    types = {one for item in items for one in item.value_types}
    wanted = parameter.value_type or (next(iter(types)) if len(types) == 1 else None)
    if wanted == ValueType.QUANTITY:
        return in_units_of_graph(text, tuple(dict.fromkeys(unit for item in items for unit in item.units)))
    return _text(index, text, items) if wanted == ValueType.STRING else None


def _text(index: Index, text: str, items: tuple[SchemaItem, ...]) -> Normalised | None:
    """The graph's own string that differs by case or marks alone, where it has not this very one."""
    held = index.texts.spelling_of(text, {item.iri for item in items})
    return None if held == text else Normalised(held, f"the graph has it written {held!r}")
