"""Checks a program against the function table, one rule per code.

`check` never raises: whatever the program, it returns what is wrong with it. Names are not looked up
(that is grounding, which needs an endpoint).
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from compilers.errors import InvalidProgram
from compilers.issues import Issue, Severity
from compilers.kopl.functions import (
    ALIASES,
    FUNCTIONS,
    Function,
    Kind,
    Parameter,
    Type,
    ValueType,
    function_named,
)
from compilers.kopl.program import Program, Step
from compilers.kopl.values import ValueSyntaxError, parse_value

_SETS = (Type.ENTITIES, Type.FACTS)
_EXAMPLES = {ValueType.QUANTITY: "180 centimetre", ValueType.YEAR: "1960", ValueType.DATE: "1960-02-01"}
_LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a program may be: `steps` in all, `unions` (Or) among them."""

    steps: int = 40
    unions: int = 8


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class _Breach:
    step: int
    message: str
    hint: str
    argument: int | None = None


@dataclass(frozen=True, slots=True)
class _Rule:
    """`find` yields the breaches of one code; `meaning` documents the code."""

    code: str
    severity: Severity
    meaning: str
    find: Callable[[Program, Limits], Iterator[_Breach]]


def check(program: Program, *, limits: Limits = DEFAULT_LIMITS) -> tuple[Issue, ...]:
    """Every issue of the program, ordered by step; empty when there is nothing to say.

    A program above `limits.steps` has that one issue and is not looked at further.
    """
    rules = _SIZE_RULES if len(program) > limits.steps else _RULES
    issues = (
        Issue(rule.severity, rule.code, breach.step, breach.argument, breach.message, breach.hint)
        for rule in rules
        for breach in rule.find(program, limits)
    )
    return tuple(sorted(issues, key=lambda issue: issue.step))


def require_valid(program: Program, *, limits: Limits = DEFAULT_LIMITS) -> None:
    """Raise InvalidProgram with all issues when at least one of them is an error."""
    issues = check(program, limits=limits)
    if any(issue.severity == "error" for issue in issues):
        raise InvalidProgram(issues)


def _known(program: Program) -> Iterator[tuple[int, Step, Function]]:
    for index, step in enumerate(program.steps):
        function = function_named(step.function)
        if function is not None:
            yield index, step, function


def _arguments(program: Program) -> Iterator[tuple[int, int, Parameter, str]]:
    """Step, argument, parameter and text of every argument that has a parameter and is not blank."""
    for index, step, function in _known(program):
        for position, (parameter, text) in enumerate(zip(function.parameters, step.inputs, strict=False)):
            if text.strip():
                yield index, position, parameter, text


def _shown(text: str) -> str:
    return repr(text if len(text) <= _LONGEST_NAME else text[:_LONGEST_NAME] + "…")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _empty_program(program: Program, _: Limits) -> Iterator[_Breach]:
    if not program.steps:
        yield _Breach(0, "the program has no steps", "begin with Find or FindAll")


def _too_many_steps(program: Program, limits: Limits) -> Iterator[_Breach]:
    if len(program) > limits.steps:
        message = f"{len(program)} steps are more than the allowed {limits.steps}"
        yield _Breach(limits.steps, message, "ask in parts")


def _too_many_unions(program: Program, limits: Limits) -> Iterator[_Breach]:
    unions = [index for index, step in enumerate(program.steps) if step.function == "Or"]
    if len(unions) > limits.unions:
        message = f"{len(unions)} Or steps are more than the allowed {limits.unions}"
        yield _Breach(unions[limits.unions], message, "ask in parts")


def _unknown_function(program: Program, _: Limits) -> Iterator[_Breach]:
    for index, step in enumerate(program.steps):
        if function_named(step.function) is None:
            yield _Breach(index, f"there is no function {_shown(step.function)}", _nearest(step.function))


def _nearest(name: str) -> str:
    names = {known.lower(): known for known in (*FUNCTIONS, *ALIASES)}
    near = difflib.get_close_matches(name[:_LONGEST_NAME].lower(), names, n=1)
    return f"did you mean {names[near[0]]}?" if near else f"the functions are {', '.join(FUNCTIONS)}"


def _wrong_argument_count(program: Program, _: Limits) -> Iterator[_Breach]:
    for index, step, function in _known(program):
        if len(step.inputs) != len(function.parameters):
            wanted = ", ".join(parameter.name for parameter in function.parameters)
            hint = f"write {function.name}({wanted})"
            if len(step.inputs) > len(function.parameters) > 0:
                hint += '; quote text that contains a comma: "Washington, D.C."'
            count = _counted(len(function.parameters), "argument")
            yield _Breach(index, f"{function.name} takes {count}, {len(step.inputs)} given", hint)


def _wrong_input_count(program: Program, _: Limits) -> Iterator[_Breach]:
    for index, step, function in _known(program):
        if len(step.dependencies) != len(function.inputs):
            count = _counted(len(function.inputs), "earlier step")
            message = f"{function.name} is fed by {count}, {len(step.dependencies)} given"
            wanted = " and ".join(function.inputs) or "nothing: it begins a branch"
            yield _Breach(index, message, f"its input is {wanted}")


def _bad_dependency(program: Program, _: Limits) -> Iterator[_Breach]:
    for index, step in enumerate(program.steps):
        for dependency in step.dependencies:
            if not 0 <= dependency < index:
                message = f"dependency {dependency} is no earlier step"
                yield _Breach(
                    index,
                    message,
                    f"dependencies count steps from 0: 0 to {index - 1} here"
                    if index
                    else "the first step has no dependencies",
                )


def _wrong_input_type(program: Program, _: Limits) -> Iterator[_Breach]:
    for index, step, function in _known(program):
        for position, dependency in enumerate(step.dependencies[: len(function.inputs)]):
            feeder = _feeder(program, index, dependency)
            if feeder is not None and not function.accepts(position, feeder.output):
                wanted = function.inputs[position]
                message = f"{function.name} wants {wanted}, {feeder.name} gives {feeder.output}"
                yield _Breach(index, message, _type_hint(wanted, feeder))


def _feeder(program: Program, index: int, dependency: int) -> Function | None:
    return function_named(program.steps[dependency].function) if 0 <= dependency < index else None


def _type_hint(wanted: Type, feeder: Function) -> str:
    if wanted == Type.FACTS and feeder.output == Type.ENTITIES:
        return (
            "a qualifier belongs to a fact: put QFilter right after the Filter or Relate that finds the fact"
        )
    makers = ", ".join(function.name for function in FUNCTIONS.values() if function.output == wanted)
    return f"{wanted} come from {makers}"


def _bad_choice(program: Program, _: Limits) -> Iterator[_Breach]:
    for index, position, parameter, text in _arguments(program):
        if parameter.choices and text not in parameter.choices:
            message = f"{_shown(text)} is not a known {parameter.name}"
            yield _Breach(index, message, f"choose one of {' '.join(parameter.choices)}", position)


def _bad_value(program: Program, _: Limits) -> Iterator[_Breach]:
    for index, position, parameter, text in _arguments(program):
        if parameter.value_type is None:
            continue
        try:
            parse_value(text, parameter.value_type)
        except ValueSyntaxError:
            message = f"{_shown(text)} is not a {parameter.value_type}"
            yield _Breach(index, message, f"write it as {_EXAMPLES[parameter.value_type]}", position)


def _empty_argument(program: Program, _: Limits) -> Iterator[_Breach]:
    for index, step, function in _known(program):
        for position, (parameter, text) in enumerate(zip(function.parameters, step.inputs, strict=False)):
            if not text.strip():
                hint = f"name the {parameter.name}" if parameter.kind != Kind.VALUE else "give a value"
                yield _Breach(index, f"the {parameter.name} is empty", hint, position)


def _dangling_step(program: Program, _: Limits) -> Iterator[_Breach]:
    used = {dependency for step in program.steps for dependency in step.dependencies}
    for index in range(len(program) - 1):
        if index not in used:
            yield _Breach(
                index, "the step feeds no other and is not the last", "join it by And or Or, or leave it out"
            )


def _ends_in_set(program: Program, _: Limits) -> Iterator[_Breach]:
    last = function_named(program.steps[-1].function) if program.steps else None
    if last is not None and last.output in _SETS:
        yield _Breach(len(program) - 1, "the program ends in a set of entities", "add What() for their names")


_SIZE_RULES = (
    _Rule("too-many-steps", "error", "The program has more steps than the limit.", _too_many_steps),
)
_RULES = (
    *_SIZE_RULES,
    _Rule("empty-program", "error", "The program has no steps.", _empty_program),
    _Rule("too-many-unions", "error", "The program has more Or steps than the limit.", _too_many_unions),
    _Rule(
        "unknown-function", "error", "A step names a function that is not in the table.", _unknown_function
    ),
    _Rule(
        "wrong-argument-count", "error", "A call has too few or too many arguments.", _wrong_argument_count
    ),
    _Rule("wrong-input-count", "error", "A step is fed by too few or too many steps.", _wrong_input_count),
    _Rule(
        "bad-dependency",
        "error",
        "A step is fed by itself, a later step or none that exists.",
        _bad_dependency,
    ),
    _Rule("wrong-input-type", "error", "A step is fed by something of another type.", _wrong_input_type),
    _Rule("bad-choice", "error", "A direction or an operator is none of the known ones.", _bad_choice),
    _Rule("bad-value", "error", "A value cannot be read as the type its function wants.", _bad_value),
    _Rule("empty-argument", "error", "An argument is empty or blank.", _empty_argument),
    _Rule("dangling-step", "error", "A step before the last feeds no other.", _dangling_step),
    _Rule("ends-in-set", "warning", "The last step gives a set, not an answer.", _ends_in_set),
)

CODES: dict[str, str] = {rule.code: rule.meaning for rule in _RULES}
