"""Arguments that are superfluous, missing, or in each other's places."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from compilers.kopl.functions import COMPARISONS, Function, Kind, Parameter, ValueType, function_named
from compilers.kopl.notations.calls import quote
from compilers.kopl.program import Program
from compilers.kopl.repair.base import Change, Fix, Repair, TypesOf, with_step
from compilers.kopl.repair.words import choice_of
from compilers.kopl.repair.writing import written

_LEADING = re.compile(r"\s*(>=|<=|=>|=<|!=|==|<>|[<>=≥≤≠]|[a-z]+(?: [a-z]+)?(?: to)?)\s*(?=[-+.\d])", re.I)
_THOUSANDS = re.compile(r"(?:[+-]|US\$|[$€£¥])?\s*\d{1,3}(?:,\d{3})*")
_GROUP = re.compile(r"\d{3}(?!\d).*", re.S)
_GUESSED = "forward"
_EQUAL = "="

# The changed arguments and the reason; None for no change.
_Changed = tuple[tuple[str, ...], str] | None


def _fix(changed: Callable[[Function, tuple[str, ...]], _Changed]) -> Fix:
    """A fix of a step's arguments by its function's parameters."""

    def fix(program: Program, index: int, _: TypesOf | None) -> Change | None:
        step = program.steps[index]
        function = function_named(step.function)
        found = changed(function, step.inputs) if function is not None else None
        if found is None:
            return None
        after = with_step(program, index, replace(step, inputs=found[0]))
        return after, Repair(index, *_difference(step.inputs, found[0]), found[1])

    return fix


def _difference(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[int | None, str, str]:
    """The position and both texts of the argument that differs; None and all arguments if several do."""
    places = range(max(len(before), len(after)))
    differing = [at for at in places if before[at : at + 1] != after[at : at + 1]]
    if len(differing) != 1:
        return None, ", ".join(map(quote, before)), ", ".join(map(quote, after))
    at = differing[0]
    return at, _shown(before[at : at + 1]), _shown(after[at : at + 1])


def _shown(argument: tuple[str, ...]) -> str:
    """One argument quoted, or "" for none, so that an empty argument differs from a missing one."""
    return "".join(text or '""' for text in argument)


def _is_word(text: str, parameter: Parameter) -> bool:
    return bool(parameter.choices) and choice_of(text, parameter) is not None


def _split(function: Function, inputs: tuple[str, ...]) -> _Changed:
    """Split an operator from the value behind it in one argument."""
    parameters = function.parameters
    operator = next((at for at, one in enumerate(parameters) if one.choices == COMPARISONS), None)
    if operator is None or len(inputs) != len(parameters) - 1:
        return None
    at = operator - 1
    match = _LEADING.match(inputs[at]) if 0 <= at < len(inputs) else None
    if match is None or not _is_word(match[1], parameters[operator]):
        return None
    value = inputs[at][match.end() :]
    return (*inputs[:at], value, match[1], *inputs[operator:]), "the operator stood in the value"


def _joined(function: Function, inputs: tuple[str, ...]) -> _Changed:
    """Join a number or a name that was split at a comma."""
    parameters = function.parameters
    if len(inputs) <= len(parameters):
        return None
    for at, parameter in enumerate(parameters):
        # KQA Pro's qualifiers have values of any type.
        number = parameter.value_type in (ValueType.QUANTITY, None) and parameter.kind == Kind.VALUE
        number = number or parameter.kind == Kind.NUMBER
        if number and _THOUSANDS.fullmatch(inputs[at]) and _GROUP.fullmatch(inputs[at + 1]):
            joined = f"{inputs[at]},{inputs[at + 1]}"
            return (*inputs[:at], joined, *inputs[at + 2 :]), "the comma is part of the number"
    last = parameters[-1] if parameters else None
    parts = inputs[len(parameters) - 1 :]
    if last is None or last.choices or (last.value_type != ValueType.STRING and len(parameters) > 1):
        return None
    if any(not text.strip() or _looks_chosen(text) or text in parts[:n] for n, text in enumerate(parts)):
        return None
    at = len(parameters) - 1
    return (*inputs[:at], ", ".join(inputs[at:])), "the comma is part of the name"


_DIRECTION = Parameter("direction", Kind.DIRECTION, ("forward", "backward"))
_OPERATOR = Parameter("operator", Kind.OPERATOR, (*COMPARISONS, "largest", "smallest"))


def _looks_chosen(text: str) -> bool:
    return _is_word(text, _DIRECTION) or _is_word(text, _OPERATOR)


def _swapped(function: Function, inputs: tuple[str, ...]) -> _Changed:
    """Swap an operator or a direction with the argument in its place."""
    if len(inputs) != len(function.parameters):
        return None
    for at, parameter in enumerate(function.parameters):
        if not parameter.choices or _is_word(inputs[at], parameter) or not inputs[at].strip():
            continue
        others = [n for n, text in enumerate(inputs) if n != at and _is_word(text, parameter)]
        if len(others) == 1:
            texts = {at: inputs[others[0]], others[0]: inputs[at]}
            swapped = tuple(texts.get(n, text) for n, text in enumerate(inputs))
            return swapped, f"the {parameter.name} stood in another argument's place"
    return None


def _crossed(function: Function, inputs: tuple[str, ...]) -> _Changed:
    """Swap a name and a value, recognised by the value's type."""
    if len(inputs) != len(function.parameters) or len(inputs) < 2:
        return None
    name, value = function.parameters[:2]
    wanted = value.value_type
    if name.kind not in (Kind.ATTRIBUTE, Kind.QUALIFIER) or wanted in (None, ValueType.STRING):
        return None
    if written(inputs[1], wanted) is not None or written(inputs[0], wanted) is None:
        return None
    return (inputs[1], inputs[0], *inputs[2:]), f"the {name.name} and the value stood in each other's places"


def _blank(function: Function, inputs: tuple[str, ...]) -> _Changed:
    """Drop an empty direction or operator, which then counts as missing."""
    if len(inputs) != len(function.parameters) or not inputs or inputs[-1].strip():
        return None
    return (inputs[:-1], "an empty argument has no meaning") if _assumed(function.parameters[-1]) else None


def _assumed(parameter: Parameter) -> str | None:
    if parameter.kind == Kind.DIRECTION:
        return _GUESSED
    return _EQUAL if parameter.choices == COMPARISONS else None


def _missing(function: Function, inputs: tuple[str, ...]) -> _Changed:
    """Add a missing direction (a guess) or operator (equality)."""
    if len(inputs) != len(function.parameters) - 1:
        return None
    last = function.parameters[-1]
    assumed = _assumed(last)
    if assumed is None or any(_is_word(text, last) for text in inputs):
        return None
    said = "this one is a guess" if assumed == _GUESSED else "equality is assumed"
    return (*inputs, assumed), f"the {last.name} was missing; {said}"


def _extra(function: Function, inputs: tuple[str, ...]) -> _Changed:
    """Drop arguments behind the last that a function takes, if the ones before are sound."""
    wanted = len(function.parameters)
    taken = zip(function.parameters, inputs, strict=False)
    if len(inputs) <= wanted or not all(_is_sound(*one) for one in taken):
        return None
    return inputs[:wanted], f"{function.name} takes {wanted} arguments"


def _is_sound(parameter: Parameter, text: str) -> bool:
    if parameter.choices:
        return _is_word(text, parameter)
    return bool(text.strip()) and written(text, parameter.value_type or ValueType.STRING) is not None


ARGUMENTS: tuple[Fix, ...] = tuple(map(_fix, (_split, _joined, _swapped, _crossed, _blank, _missing)))
EXTRA: tuple[Fix, ...] = (_fix(_extra),)
