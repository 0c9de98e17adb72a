"""A JSON Schema of programs, for models that follow a schema and no grammar.

It keeps to the JSON Schema of clouds' strict mode (OpenAI API reference, structured outputs): objects are
closed and have all their members, enumerations are short, and no part refers to itself. So it restricts names
and words of arguments, and leaves the inputs of steps to the checker.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from compilers.kopl.functions import FUNCTIONS, Function, Kind, Parameter
from nlq_gateway.drafts.generation.grammar.calls import LEFT_OUT
from nlq_gateway.drafts.generation.known import AllowedNames

# Names of one kind: of more, any text is allowed. Clouds take a thousand in a schema.
_MOST_NAMES = 200


def program_schema(names: AllowedNames, *, free_names: bool = False) -> str:
    """The schema of the programs over these names, as JSON; with `free_names` names are any text."""
    variants: dict[tuple[Parameter, ...], list[Function]] = {}
    for function in FUNCTIONS.values():
        if function.name not in LEFT_OUT:
            variants.setdefault(function.parameters, []).append(function)
    steps = {"type": "array", "items": {"anyOf": [_step(*one) for one in variants.items()]}}
    known = {} if free_names else _known(names)
    kinds = {f"{kind}": _text(known.get(kind, ())) for kind in Kind}
    return json.dumps({**_object({"steps": steps}), "$defs": kinds}, ensure_ascii=False)


def _known(names: AllowedNames) -> Mapping[Kind, Iterable[str]]:
    return {
        Kind.CONCEPT: names.concepts,
        Kind.RELATION: names.relations,
        Kind.ATTRIBUTE: names.attributes,
        Kind.QUALIFIER: names.qualifiers,
    }


def _text(names: Iterable[str]) -> dict[str, Any]:
    listed = sorted({name for name in names if name.strip()})
    return {"type": "string", **({"enum": listed} if 0 < len(listed) <= _MOST_NAMES else {})}


def _step(parameters: tuple[Parameter, ...], functions: Iterable[Function]) -> dict[str, Any]:
    """A call of one of these functions, its arguments by the names of their parameters."""
    named = [function.name for function in functions]
    arguments = {one.name: _argument(one) for one in parameters}
    sources = {"type": "array", "items": {"type": "integer"}}
    return _object({"function": {"type": "string", "enum": named}, **arguments, "from": sources})


def _argument(parameter: Parameter) -> dict[str, Any]:
    if parameter.choices:
        return {"type": "string", "enum": list(parameter.choices)}
    return {"$ref": f"#/$defs/{parameter.kind}"}


def _object(members: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(members),
        "required": list(members),
        "additionalProperties": False,
    }
