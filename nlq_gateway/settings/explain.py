"""From pydantic's findings to one ConfigurationError: file, line, key, and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from nlq_gateway.errors import ConfigurationError

Path = tuple[str | int, ...]
Lines = Mapping[Path, int]


def refusal(
    found: ValidationError, model: type[BaseModel], *, file: str = "", lines: Lines | None = None
) -> ConfigurationError:
    """The first finding in the order of the file; the message counts the others."""
    places = lines or {}
    errors = sorted(_innermost(found), key=lambda error: line_of(error["loc"], places) or 0)
    first = errors[0]
    what, hint = explained(first, model)
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return located(what + more, first["loc"], file=file, lines=places, hint=hint)


def _innermost(found: ValidationError) -> list[ErrorDetails]:
    """The findings without those about a list or mapping that only follow from one inside it."""
    errors = found.errors(include_url=False)
    paths = [error["loc"] for error in errors]
    return [
        e for e in errors if not any(len(p) > len(e["loc"]) and p[: len(e["loc"])] == e["loc"] for p in paths)
    ]


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
    """A path as people write it: `endpoints[0].limits.max_rows`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def explained(error: ErrorDetails, model: type[BaseModel]) -> tuple[str, str]:
    """What is wrong, and what would be right."""
    kind, path = error["type"], error["loc"]
    keys = list(_section(model, path[:-1]).model_fields)
    if kind == "extra_forbidden":
        return "unknown key", _nearest(str(path[-1]), keys)
    if kind == "missing":
        return "this key is missing", ""
    if kind == "literal_error":
        choices = [choice.strip("'") for choice in error["ctx"]["expected"].replace(" or ", ", ").split(", ")]
        return f"{error['input']!r} is not a value of it", _nearest(str(error["input"]), choices)
    if kind == "value_error":
        return str(error["ctx"]["error"]), ""
    return error["msg"][:1].lower() + error["msg"][1:], _description(model, path)


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
