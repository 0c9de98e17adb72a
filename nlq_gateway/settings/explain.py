"""From pydantic's findings to ConfigurationErrors: file, line, key, and the fix."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.settings.section import Fault, Path

Lines = Mapping[Path, int]
Finding = tuple[Path, str, str]

# By the beginning of pydantic's code: the expected type in terms of YAML instead of Python.
_EXPECTED = {
    "int": "a whole number is expected",
    "float": "a number is expected",
    "finite": "a number is expected",
    "bool": "true or false is expected",
    "string": "text is expected; put it in quotes where YAML takes it for something else",
    "tuple": "a list is expected, such as [first, second]",
    "model": "a mapping of keys is expected",
}


def refusal(found: ValidationError, model: type[BaseModel], unnamed: str = "") -> ConfigurationError:
    """An error with all faults of values outside a file; those below the key `unnamed` go without it."""
    faults = [
        located(what, () if path[:1] == (unnamed,) else path, file="", lines={}, hint=hint)
        for path, what, hint in refusals(found, model)
    ]
    message = "; ".join(fault.message for fault in faults)
    return ConfigurationError(message, key=faults[0].key, hint=faults[0].hint)


def summed_up(faults: Sequence[ConfigurationError]) -> ConfigurationError:
    """The first; its message counts the others."""
    first = faults[0]
    if len(faults) == 1:
        return first
    message = f"{first.message} (and {len(faults) - 1} more; `nlq config check` lists them)"
    return ConfigurationError(message, file=first.file, line=first.line, key=first.key, hint=first.hint)


def refusals(found: ValidationError, model: type[BaseModel]) -> list[Finding]:
    """The path, the fault and the fix of each finding."""
    errors = found.errors(include_url=False)
    paths = [error["loc"] for error in errors]
    # A list or mapping is also reported where only something inside it is wrong.
    innermost = [
        e for e in errors if not any(len(p) > len(e["loc"]) and p[: len(e["loc"])] == e["loc"] for p in paths)
    ]
    return [(_path(error), *explained(error, model)) for error in innermost]


def located(what: str, path: Path, *, file: str, lines: Lines, hint: str = "") -> ConfigurationError:
    """An error whose message says where: `nlq.yaml, line 3, endpoints[0].url: what`."""
    line, key = line_of(path, lines), shown(path)
    place = ", ".join(filter(None, (file, f"line {line}" if line else "", key)))
    message = f"{place}: {what}" if place else what
    return ConfigurationError(message, file=file, line=line, key=key, hint=hint)


def line_of(path: Path, lines: Lines) -> int | None:
    """The line of a key, or of the nearest mapping around it that is in the file."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path)


def shown(path: Path) -> str:
    """Return a path in the notation `endpoints[0].limits.max_rows`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def explained(error: ErrorDetails, model: type[BaseModel]) -> tuple[str, str]:
    """Return the fault and its fix."""
    kind, path = error["type"], error["loc"]
    keys = list(_section(model, path[:-1]).model_fields)
    if kind == "extra_forbidden":
        return "unknown key", _nearest(str(path[-1]), keys)
    if kind == "missing":
        return "this key is missing", _description(model, path)
    if kind == "literal_error":
        choices = [choice.strip("'") for choice in error["ctx"]["expected"].replace(" or ", ", ").split(", ")]
        return f"{error['input']!r} is not a value of it", _nearest(str(error["input"]), choices)
    if kind == "value_error":
        return str(error["ctx"]["error"]), ""
    said = error["msg"][:1].lower() + error["msg"][1:]
    return _EXPECTED.get(kind.partition("_")[0], said), _description(model, path)


def _path(error: ErrorDetails) -> Path:
    """The path of a finding; a validator may name a place below its own."""
    fault = error["ctx"]["error"] if error["type"] == "value_error" else None
    return (*error["loc"], *(fault.path if isinstance(fault, Fault) else ()))


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"


def _description(model: type[BaseModel], path: Path) -> str:
    names = [part for part in path if isinstance(part, str)]
    if not names:
        return ""
    field = _section(model, tuple(names[:-1])).model_fields.get(names[-1])
    return f"{names[-1]}: {field.description}" if field and field.description else ""


def _section(model: type[BaseModel], path: Path) -> type[BaseModel]:
    """The model of the mapping at `path`; positions in lists do not matter."""
    for part in path:
        field = model.model_fields.get(part) if isinstance(part, str) else None
        inner = _model_in(field.annotation) if field else None
        model = inner or model
    return model


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_in, get_args(annotation))), None)
