"""Checks a program against the function table, one rule per code.

`check` never raises: it returns the issues of any program. Names are not looked up (that is grounding, which
needs an endpoint).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from compilers.errors import InvalidProgram
from compilers.issues import Issue
from compilers.kopl.check_tables import RULES as TABLE_RULES
from compilers.kopl.functions import (
    ALIASES,
    FUNCTIONS,
    SET_TYPES,
    Function,
    Kind,
    Parameter,
    Type,
    ValueType,
    function_named,
)
from compilers.kopl.program import Program, Step
from compilers.kopl.rules import Breach, ProgramLimits, Rule, counted, feeder, known_steps, shortened, shown
from compilers.kopl.values import ValueSyntaxError, parse_value

_EXAMPLES = {ValueType.QUANTITY: "180 centimetre", ValueType.YEAR: "1960", ValueType.DATE: "1960-02-01"}
_UNIONS = ("Or", "OrTable")


DEFAULT_LIMITS = ProgramLimits()


def check(
    program: Program, *, limits: ProgramLimits = DEFAULT_LIMITS, strict: bool = False
) -> tuple[Issue, ...]:
    """Return every issue of the program, ordered by step; empty for a valid program.

    A program above `limits.steps` has that one issue and is not checked further. `strict` refuses the
    functions beyond KQA Pro's.
    """
    rules = _SIZE_RULES if len(program) > limits.steps else (*_RULES, *(_STRICT_RULES if strict else ()))
    issues = (
        Issue(rule.severity, rule.code, breach.step, breach.argument, breach.message, breach.hint)
        for rule in rules
        for breach in rule.find(program, limits)
    )
    return tuple(sorted(issues, key=lambda issue: issue.step))


def require_valid(program: Program, *, strict: bool = False) -> None:
    """Raise InvalidProgram with all issues when at least one of them is an error."""
    issues = check(program, strict=strict)
    if any(issue.severity == "error" for issue in issues):
        raise InvalidProgram(issues)


def _arguments(program: Program) -> Iterator[tuple[int, int, Parameter, str]]:
    """Step, argument, parameter and text of every argument that has a parameter and is not blank."""
    for index, step, function in known_steps(program):
        for position, (parameter, text) in enumerate(zip(function.parameters, step.inputs, strict=False)):
            if text.strip():
                yield index, position, parameter, text


def _empty_program(program: Program, _: ProgramLimits) -> Iterator[Breach]:
    if not program.steps:
        yield Breach(0, "the program has no steps", "begin with Find or FindAll")


def _too_many_steps(program: Program, limits: ProgramLimits) -> Iterator[Breach]:
    if len(program) > limits.steps:
        message = f"{len(program)} steps are more than the allowed {limits.steps}"
        yield Breach(limits.steps, message, "ask in parts")


def _too_many_unions(program: Program, limits: ProgramLimits) -> Iterator[Breach]:
    unions = [index for index, step in enumerate(program.steps) if step.function in _UNIONS]
    if len(unions) > limits.unions:
        message = f"{len(unions)} Or and OrTable steps are more than the allowed {limits.unions}"
        yield Breach(unions[limits.unions], message, "ask in parts")


def _unknown_function(program: Program, _: ProgramLimits) -> Iterator[Breach]:
    for index, step in enumerate(program.steps):
        if function_named(step.function) is None:
            yield Breach(index, f"there is no function {shown(step.function)}", _nearest(step.function))


def _nearest(name: str) -> str:
    names = {known.lower(): known for known in (*FUNCTIONS, *ALIASES)}
    near = difflib.get_close_matches(shortened(name).lower(), names, n=1)
    return f"did you mean {names[near[0]]}?" if near else f"the functions are {', '.join(FUNCTIONS)}"


def _wrong_argument_count(program: Program, _: ProgramLimits) -> Iterator[Breach]:
    for index, step, function in known_steps(program):
        if len(step.inputs) != len(function.parameters):
            wanted = ", ".join(parameter.name for parameter in function.parameters)
            hint = f"write {function.name}({wanted})"
            if len(step.inputs) > len(function.parameters) > 0:
                hint += f"; {_surplus_hint(index, step, function)}"
            count = counted(len(function.parameters), "argument")
            yield Breach(index, f"{function.name} takes {count}, {len(step.inputs)} given", hint)


def _surplus_hint(index: int, step: Step, function: Function) -> str:
    if step.inputs[-1] == "!=" and step.dependencies and function.output in SET_TYPES:
        return f"for all others, add Except() <- {step.dependencies[0] + 1}, {index + 1}"
    return 'quote text that contains a comma: "Washington, D.C."'


def _wrong_input_count(program: Program, _: ProgramLimits) -> Iterator[Breach]:
    for index, step, function in known_steps(program):
        if not function.takes(len(step.dependencies)):
            count = (
                "one or more steps" if function.variadic else counted(len(function.inputs), "earlier step")
            )
            message = f"{function.name} is fed by {count}, {len(step.dependencies)} given"
            wanted = " and ".join(function.inputs) or "nothing: it begins a branch"
            yield Breach(index, message, f"its input is {wanted}")


def _bad_dependency(program: Program, _: ProgramLimits) -> Iterator[Breach]:
    for index, step in enumerate(program.steps):
        for dependency in step.dependencies:
            if not 0 <= dependency < index:
                message = f"dependency {dependency} is no earlier step"
                yield Breach(
                    index,
                    message,
                    f"dependencies count steps from 0: 0 to {index - 1} here"
                    if index
                    else "the first step has no dependencies",
                )


def _wrong_input_type(program: Program, _: ProgramLimits) -> Iterator[Breach]:
    for index, step, function in known_steps(program):
        most = None if function.variadic else len(function.inputs)
        for position, dependency in enumerate(step.dependencies[:most]):
            given = feeder(program, index, dependency)
            if given is not None and not function.accepts(position, given.output):
                wanted = function.wanted(position)
                message = f"{function.name} wants {wanted}, {given.name} gives {given.output}"
                yield Breach(index, message, _type_hint(wanted, given))


def _type_hint(wanted: Type, given: Function) -> str:
    if wanted == Type.FACTS and given.output == Type.ENTITIES:
        return (
            "a qualifier belongs to a fact: put QFilter right after the Filter or Relate that finds the fact"
        )
    makers = ", ".join(function.name for function in FUNCTIONS.values() if function.output == wanted)
    return f"{wanted} come from {makers}" if makers else f"give it {wanted}"


def _bad_choice(program: Program, _: ProgramLimits) -> Iterator[Breach]:
    for index, position, parameter, text in _arguments(program):
        if parameter.choices and text not in parameter.choices:
            message = f"{shown(text)} is not a known {parameter.name}"
            yield Breach(index, message, f"choose one of {' '.join(parameter.choices)}", position)


def _bad_value(program: Program, _: ProgramLimits) -> Iterator[Breach]:
    for index, position, parameter, text in _arguments(program):
        if parameter.value_type is None:
            continue
        try:
            parse_value(text, parameter.value_type)
        except ValueSyntaxError:
            message = f"{shown(text)} is not a {parameter.value_type}"
            yield Breach(index, message, f"write it as {_EXAMPLES[parameter.value_type]}", position)


def _empty_argument(program: Program, _: ProgramLimits) -> Iterator[Breach]:
    for index, step, function in known_steps(program):
        for position, (parameter, text) in enumerate(zip(function.parameters, step.inputs, strict=False)):
            if not text.strip():
                hint = f"name the {parameter.name}" if parameter.kind != Kind.VALUE else "give a value"
                yield Breach(index, f"the {parameter.name} is empty", hint, position)


def _dangling_step(program: Program, _: ProgramLimits) -> Iterator[Breach]:
    used = {dependency for step in program.steps for dependency in step.dependencies}
    for index in range(len(program) - 1):
        if index not in used:
            yield Breach(
                index, "the step feeds no other and is not the last", "join it by And or Or, or leave it out"
            )


def _ends_in_set(program: Program, _: ProgramLimits) -> Iterator[Breach]:
    last = function_named(program.steps[-1].function) if program.steps else None
    if last is not None and last.output in SET_TYPES:
        yield Breach(len(program) - 1, "the program ends in a set of entities", "add What() for their names")


def _extension(program: Program, _: ProgramLimits) -> Iterator[Breach]:
    for index, step, function in known_steps(program):
        if function.extension:
            message = f"{function.name} is not among KQA Pro's functions"
            yield Breach(index, message, "do without it, or do not ask for strict KoPL")
            continue
        fed = (feeder(program, index, dependency) for dependency in step.dependencies)
        if any(one is not None and one.output == Type.NUMBER for one in fed):
            message = f"{function.name} of a number is not among KQA Pro's functions"
            yield Breach(index, message, "ask for the number, or do not ask for strict KoPL")


_SIZE_RULES = (
    Rule("too-many-steps", "error", "The program has more steps than the limit.", _too_many_steps),
)
_RULES = (
    *_SIZE_RULES,
    Rule("empty-program", "error", "The program has no steps.", _empty_program),
    Rule(
        "too-many-unions",
        "error",
        "The program has more Or and OrTable steps than the limit.",
        _too_many_unions,
    ),
    Rule("unknown-function", "error", "A step names a function that is not in the table.", _unknown_function),
    Rule("wrong-argument-count", "error", "A call has too few or too many arguments.", _wrong_argument_count),
    Rule("wrong-input-count", "error", "A step is fed by too few or too many steps.", _wrong_input_count),
    Rule(
        "bad-dependency",
        "error",
        "A step is fed by itself, a later step or none that exists.",
        _bad_dependency,
    ),
    Rule("wrong-input-type", "error", "A step is fed by something of another type.", _wrong_input_type),
    Rule("bad-choice", "error", "A direction or an operator is none of the known ones.", _bad_choice),
    Rule("bad-value", "error", "A value cannot be read as the type its function wants.", _bad_value),
    *TABLE_RULES,
    Rule("empty-argument", "error", "An argument is empty or blank.", _empty_argument),
    Rule("dangling-step", "error", "A step before the last feeds no other.", _dangling_step),
    Rule("ends-in-set", "warning", "The last step gives a set, not an answer.", _ends_in_set),
)

_STRICT_RULES = (
    Rule("extension", "error", "Strict KoPL was asked for, and a function is an extension.", _extension),
)

CODES: dict[str, str] = {rule.code: rule.meaning for rule in (*_RULES, *_STRICT_RULES)}
