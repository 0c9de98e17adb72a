"""Filter, QFilter and Verify chosen by the type of their value, and by the input: facts or entities.

Functions with the same inputs are chosen by the form of their arguments and by the values of the attribute
(SymKGQA, 3.3, symbolic function names).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from compilers.kopl.functions import COMPARISONS, Kind, Parameter, Type, ValueType
from compilers.kopl.program import Program, Step
from compilers.kopl.repair.base import Change, Fix, TypesOf, arguments, given, with_call
from compilers.kopl.repair.words import choice_of
from compilers.kopl.repair.writing import written
from compilers.kopl.values import Date, parse_value

_ENDINGS = {
    "Str": ValueType.STRING,
    "Num": ValueType.QUANTITY,
    "Year": ValueType.YEAR,
    "Date": ValueType.DATE,
}
_ENDING = {value_type: ending for ending, value_type in _ENDINGS.items()}
_MEMBER = re.compile(rf"(Q?Filter|Verify)({'|'.join(_ENDINGS)})")
_COMPARISON = Parameter("operator", Kind.OPERATOR, COMPARISONS)
_PLAIN_YEAR = re.compile(r"1\d{3}|20\d{2}")
_TWO_NUMBERS = re.compile(r"\D*\d.*\s\d", re.S)
_TIMES = (ValueType.YEAR, ValueType.DATE)


@dataclass(frozen=True, slots=True)
class _FamilyStep:
    """The parts of a step of one of the families; `name` is () for Verify, `operator` None for none."""

    family: str
    value_type: ValueType
    name: tuple[str, ...]
    value: str
    operator: str | None

    def inputs(self, value_type: ValueType) -> tuple[str, ...]:
        """The arguments of the family's function for another type."""
        operator = () if value_type == ValueType.STRING else (self.operator or "=",)
        return (*self.name, self.value, *operator)


def _read(step: Step) -> _FamilyStep | None:
    member = _MEMBER.fullmatch(step.function)
    if member is None:
        return None
    names = 0 if member[1] == "Verify" else 1
    rest = step.inputs[names:]
    operators = [text for text in rest if len(rest) > 1 and choice_of(text, _COMPARISON)]
    values = [text for text in rest if text not in operators]
    if len(values) != 1 or len(operators) > 1 or not values[0].strip():
        return None
    operator = operators[0] if operators else None
    return _FamilyStep(member[1], _ENDINGS[member[2]], step.inputs[:names], values[0], operator)


def _retyped(program: Program, index: int, types: TypesOf | None) -> Change | None:
    compared = _read(program.steps[index])
    if compared is None:
        return None
    known = _known(program, index, compared, types)
    if _fits(compared, compared.value_type, known):
        return None
    wanted = next((one for one in known or _readings(compared.value) if _fits(compared, one, known)), None)
    if wanted is None:
        return None
    wanted = _time(compared.value) if wanted in _TIMES else wanted
    asked = _asked(program, index, compared)[1]
    why = f"{asked!r} has values of type {wanted}" if known else f"its value is written as a {wanted}"
    return with_call(program, index, compared.family + _ENDING[wanted], compared.inputs(wanted), why)


def _fits(compared: _FamilyStep, value_type: ValueType, known: tuple[ValueType, ...]) -> bool:
    """True if the value reads as the type, the operator suits it, and the graph has such values."""
    if written(compared.value, value_type) is None:
        return False
    if value_type == ValueType.STRING:
        said = compared.operator and choice_of(compared.operator, _COMPARISON)
        superfluous = compared.value_type == ValueType.STRING and compared.operator is not None
        if said not in (None, "=") or (superfluous and not known and _is_number(compared.value)):
            return False
        if compared.value_type != ValueType.STRING and not known and compared.value.strip()[0].isdigit():
            return False
    return not known or value_type in known or (value_type in _TIMES and not {*_TIMES}.isdisjoint(known))


def _is_number(value: str) -> bool:
    return next(_readings(value)) != ValueType.STRING


def _readings(value: str) -> Iterator[ValueType]:
    """The types that the form of a value fits, the most specific first."""
    time = written(value, ValueType.DATE)
    if time is not None and (_PLAIN_YEAR.fullmatch(time) or _time(value) == ValueType.DATE):
        yield _time(value)
    if written(value, ValueType.QUANTITY) is not None and not _TWO_NUMBERS.match(value):
        yield ValueType.QUANTITY
    yield ValueType.STRING


def _time(value: str) -> ValueType:
    day = parse_value(written(value, ValueType.DATE) or value, ValueType.DATE)
    return ValueType.DATE if isinstance(day, Date) else ValueType.YEAR


def _asked(program: Program, index: int, compared: _FamilyStep) -> tuple[Kind, str]:
    """The kind and name of the attribute or qualifier whose values are compared; an empty name if none is."""
    if compared.name:
        return (Kind.QUALIFIER if compared.family == "QFilter" else Kind.ATTRIBUTE), compared.name[0]
    sources = [one for one in program.steps[index].dependencies[:1] if 0 <= one < index]
    asked = {
        "QueryAttr": (Kind.ATTRIBUTE, 0),
        "QueryAttrUnderCondition": (Kind.ATTRIBUTE, 0),
        "QueryAttrQualifier": (Kind.QUALIFIER, 2),
        "QueryRelationQualifier": (Kind.QUALIFIER, 1),
    }
    for source in sources:
        kind, at = asked.get(program.steps[source].function, (Kind.ATTRIBUTE, -1))
        if 0 <= at < len(program.steps[source].inputs):
            return kind, program.steps[source].inputs[at]
    return Kind.ATTRIBUTE, ""


def _known(
    program: Program, index: int, compared: _FamilyStep, types: TypesOf | None
) -> tuple[ValueType, ...]:
    kind, name = _asked(program, index, compared)
    return types(kind, name) if types is not None and name else ()


def _of_facts(program: Program, index: int, types: TypesOf | None) -> Change | None:
    """QFilter without facts becomes Filter; Filter on a name of the facts' qualifiers becomes QFilter."""
    step = program.steps[index]
    compared, fed_by = _read(step), given(program, index)
    if compared is None or not compared.name:
        return None
    attribute, qualifier = (
        bool(types(kind, compared.name[0])) if types is not None else None
        for kind in (Kind.ATTRIBUTE, Kind.QUALIFIER)
    )
    name = step.function.removeprefix("Q")
    if compared.family == "QFilter" and fed_by == Type.ENTITIES and (attribute or not qualifier):
        why = "there are no facts before it, so that it filters by an attribute"
    elif compared.family == "Filter" and fed_by == Type.FACTS and qualifier and not attribute:
        name, why = f"Q{step.function}", f"{compared.name[0]!r} is a qualifier, and no attribute"
    else:
        return None
    return with_call(program, index, name, step.inputs, why)


def _turned(program: Program, index: int, types: TypesOf | None) -> Change | None:
    """Swap a qualifier and a value if the graph has only the latter as a qualifier."""
    step = program.steps[index]
    places = {parameter.kind: at for at, parameter, _ in arguments(step)}
    if types is None or places.keys() != {Kind.ATTRIBUTE, Kind.QUALIFIER, Kind.VALUE}:
        return None
    at, other = places[Kind.QUALIFIER], places[Kind.VALUE]
    if types(Kind.QUALIFIER, step.inputs[at]) or not types(Kind.QUALIFIER, step.inputs[other]):
        return None
    texts = {at: step.inputs[other], other: step.inputs[at]}
    inputs = tuple(texts.get(n, text) for n, text in enumerate(step.inputs))
    why = f"{step.inputs[other]!r} is the qualifier, and stood in the value's place"
    return with_call(program, index, step.function, inputs, why)


FAMILY: tuple[Fix, ...] = (_of_facts, _retyped, _turned)
