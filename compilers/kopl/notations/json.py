"""The JSON notation: a list of `{"function": …, "inputs": [text…], "dependencies": [index from 0…]}`.

`{"steps": [...]}` and `{"program": ...}` around the list are read too. `inputs` left out means none,
`dependencies` left out (or null) means: inferred. Numbers among the inputs become text (`1960` and
`"1960"` are the same argument, `5.0` is `"5"`). Other members of a step are ignored.
"""

from __future__ import annotations

import json

from compilers.errors import ProgramSyntaxError
from compilers.kopl.notations.calls import ParsedCall, assemble, number_text, require_text
from compilers.kopl.program import Program, Step

_SHAPE = 'write [{"function": "Find", "inputs": ["Mike Nichols"], "dependencies": []}, ...]'


def read(text: str) -> Program:
    """Read a program from JSON text; raises ProgramSyntaxError."""
    try:
        data = json.loads(require_text(text).removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise ProgramSyntaxError(f"not JSON: {error.msg}", position=error.pos, hint=_SHAPE) from None
    except RecursionError:
        raise ProgramSyntaxError("nested too deeply", hint=_SHAPE) from None
    except ValueError:
        raise ProgramSyntaxError("a number has too many digits", hint="write long numbers as text") from None
    return from_data(data)


def write(program: Program) -> str:
    """The program as JSON on one line, every dependency stated."""
    return json.dumps([_step_data(step) for step in program.steps], ensure_ascii=False)


def from_data(data: object) -> Program:
    """Read a program from parsed JSON; raises ProgramSyntaxError, which names the step."""
    if isinstance(data, dict) and "program" in data:
        data = data["program"]
    if isinstance(data, dict) and "steps" in data:
        data = data["steps"]
    if not isinstance(data, list):
        raise ProgramSyntaxError(f"a list of steps expected, {_kind(data)} given", hint=_SHAPE)
    return assemble([_call(item, number) for number, item in enumerate(data, 1)])


def _step_data(step: Step) -> dict[str, object]:
    return {
        "function": step.function,
        "inputs": list(step.inputs),
        "dependencies": list(step.dependencies),
    }


def _call(item: object, number: int) -> ParsedCall:
    if not isinstance(item, dict):
        raise ProgramSyntaxError(f"step {number}: an object expected, {_kind(item)} given", hint=_SHAPE)
    function, inputs, dependencies = (item.get(key) for key in ("function", "inputs", "dependencies"))
    if not isinstance(function, str):
        raise ProgramSyntaxError(f"step {number}: `function` must be text", hint=_SHAPE)
    if not isinstance(inputs, (list, tuple, type(None))):
        raise ProgramSyntaxError(f"step {number}: `inputs` must be a list of texts", hint=_SHAPE)
    return ParsedCall(
        require_text(function),
        tuple(_argument(value, number) for value in inputs or ()),
        None if dependencies is None else _indices(dependencies, number),
    )


def _argument(value: object, number: int) -> str:
    if isinstance(value, str):
        return require_text(value)
    written = number_text(value)
    if written is None:
        raise ProgramSyntaxError(
            f"step {number}: an input must be text or a number, {_kind(value)} given", hint=_SHAPE
        )
    return written


def _indices(value: object, number: int) -> tuple[int, ...]:
    if not isinstance(value, (list, tuple)) or any(type(index) is not int for index in value):
        raise ProgramSyntaxError(
            f"step {number}: `dependencies` must be a list of step indices", hint="count steps from 0"
        )
    return tuple(value)


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}
    return names.get(type(value), type(value).__name__)
