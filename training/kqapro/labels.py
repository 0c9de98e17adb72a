"""The kinds of KQA Pro's schema labels: relation, attribute or qualifier, and the type of their values."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from compilers.kopl.functions import FUNCTIONS, Kind, ValueType
from compilers.kopl.program import Program

_DATE = re.compile(r"-?\d{1,5}-\d\d?-\d\d?")
_YEAR = re.compile(r"-?\d{3,4}")
_NUMBER = re.compile(r"-?\d+(\.\d+)?( [^\W\d].*)?")
_TIME = (
    "time",
    "date",
    "inception",
    "flight",
    "point in",
    "dissolved",
    "start",
    "end",
    "period",
    "birth",
    "death",
)
_SUFFIXES = {
    ValueType.STRING: "Str",
    ValueType.QUANTITY: "Num",
    ValueType.YEAR: "Year",
    ValueType.DATE: "Date",
}


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of one graph; `types` are those of attributes' and qualifiers' values."""

    relations: frozenset[str]
    types: Mapping[str, ValueType]

    def type_of(self, label: str, value: str) -> ValueType:
        """The type of `value` under `label`; year or date by its form."""
        kind = self.types.get(label) or form(label, value)
        if kind in (ValueType.YEAR, ValueType.DATE):
            return ValueType.DATE if _DATE.fullmatch(value) else ValueType.YEAR
        return kind


def form(label: str, value: str) -> ValueType:
    """The type that a value looks like; four digits are a year where the label speaks of time."""
    if _DATE.fullmatch(value):
        return ValueType.DATE
    if _YEAR.fullmatch(value) and any(word in label.lower() for word in _TIME):
        return ValueType.YEAR
    return ValueType.QUANTITY if _NUMBER.fullmatch(value) else ValueType.STRING


def suffix(kind: ValueType) -> str:
    """The ending of the functions over values of this type, as `Num` of FilterNum."""
    return _SUFFIXES[kind]


def types_in(programs: Iterable[Program]) -> dict[str, ValueType]:
    """The types that the programs' own functions give attributes and qualifiers."""
    kinds = {ending: kind for kind, ending in _SUFFIXES.items()}
    found: dict[str, ValueType] = {}
    for program in programs:
        for step in program.steps:
            ending = next((e for e in kinds if step.function.endswith(e)), "")
            if step.function.startswith("Select"):
                found[step.inputs[0]] = ValueType.QUANTITY
            elif ending and "Filter" in step.function:
                found[step.inputs[0]] = kinds[ending]
            elif ending and step.function.startswith("Verify"):
                found[program.steps[step.dependencies[0]].inputs[0]] = kinds[ending]
    return found


def texts(program: Program, kind: Kind) -> list[str]:
    """The arguments of the program that name something of this kind."""
    return [
        text
        for step in program.steps
        for parameter, text in zip(FUNCTIONS[step.function].parameters, step.inputs, strict=True)
        if parameter.kind == kind
    ]


def types_by_form(pairs: Iterable[tuple[str, str]]) -> dict[str, ValueType]:
    """Return for each label the type of most of its values, by their form."""
    seen: dict[str, Counter[ValueType]] = defaultdict(Counter)
    for label, value in pairs:
        seen[label][form(label, value)] += 1
    return {label: counts.most_common(1)[0][0] for label, counts in seen.items()}
