"""The functions' definitions in a prompt: a line for each, written from the function table.

SymKGQA (section 3.2) gives a function's name, meaning, inputs from steps and from the question, and output;
CodeAlignKGQA (section 3.2) the same as Python definitions, whose types restrict the inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from compilers.kopl.functions import ARITHMETIC, COMPARISONS, FUNCTIONS, Function, Parameter, Type

# Table functions that repeat those for sets are left out: they cost more than they help.
LEFT_OUT = frozenset(("CountTable", "AndTable", "OrTable", "ExceptTable"))

_CLASSES = {Type.OPERAND: "Operand", Type.COLUMN: "Column"}
_ALIASES: dict[tuple[str, ...], str] = {COMPARISONS: "Comparison", ARITHMETIC: "Arithmetic"}
_POSITIONS = ("first", "second")


def functions(*, extension: bool) -> tuple[Function, ...]:
    """KQA Pro's functions, or the extensions that a prompt shows."""
    return tuple(
        function
        for function in FUNCTIONS.values()
        if function.extension == extension and function.name not in LEFT_OUT
    )


def step_definition(function: Function) -> str:
    """`Relate(relation, forward|backward), entities -> facts: what the entities lead to …`."""
    texts = ", ".join("|".join(one.choices) or _word(one) for one in function.parameters)
    inputs = ", ".join(function.inputs) + (" (one or more)" if function.variadic else "")
    given = f", {inputs}" if inputs else ""
    return f"{function.name}({texts}){given} -> {function.output}: {function.meaning}"


def code_definition(function: Function) -> str:
    """`def RELATE(relation: str, direction: Literal[…], expression: Entities) -> Facts: "what …"`."""
    texts = (f"{_word(one)}: {_annotation(one)}" for one in function.parameters)
    inputs = ", ".join((*texts, *_expressions(function)))
    return f'def {function.name.upper()}({inputs}) -> {_class(function.output)}: "{function.meaning}"'


DEFINITIONS: dict[str, Callable[[Function], str]] = {"steps": step_definition, "code": code_definition}


def _word(parameter: Parameter) -> str:
    """The name of an argument: its type if that is fixed, else its parameter's name."""
    return parameter.value_type or parameter.name


def _annotation(parameter: Parameter) -> str:
    if not parameter.choices:
        return "str"
    written = ", ".join(map(repr, parameter.choices))
    return _ALIASES.get(parameter.choices, f"Literal[{written}]")


def _expressions(function: Function) -> Iterable[str]:
    if function.variadic:
        return (f"*expressions: {_class(function.inputs[0])}",)
    names = _POSITIONS if len(function.inputs) > 1 else ("expression",)
    inputs = [f"{name}: {_class(wanted)}" for name, wanted in zip(names, function.inputs, strict=False)]
    return inputs or ("expression: Start",)


def _class(type_: Type) -> str:
    return _CLASSES.get(type_, type_.value.capitalize())
