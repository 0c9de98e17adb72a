"""The configuration in effect, as a file could state it: with every default, and references as they were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from nlq_gateway.core.errors import UnknownDataset
from nlq_gateway.settings.load import LoadResult
from nlq_gateway.settings.references import anchored, has_reference

Json = dict[str, Any]
_DEFAULT = "  # default"


def effective(reading: LoadResult, endpoint: str | None = None) -> tuple[Json, Json]:
    """Return the effective settings, and the part of them that the file states.

    A value that refers to the environment or to a file is shown as the reference, so that it contains no
    secret. Keys without a value are left out.

    Args:
        reading: a file without faults.
        endpoint: an id or alias; restricts the result to this endpoint.

    Raises:
        UnknownDataset: there is no such endpoint.
    """
    document, settings = reading.document, reading.settings
    assert document is not None
    assert settings is not None
    whole = _merged(settings.model_dump(mode="json"), document.data, document.folder)
    written = dict(document.data)
    if endpoint is not None:
        position = next((i for i, e in enumerate(settings.endpoints) if endpoint in (e.id, *e.aliases)), None)
        if position is None:
            known = ", ".join(e.id for e in settings.endpoints)
            message = f"{document.file} has no endpoint {endpoint!r}"
            raise UnknownDataset(message, hint=f"it has {known}")
        whole["endpoints"] = [whole["endpoints"][position]]
        written["endpoints"] = [written["endpoints"][position]]
    return whole, written


def as_yaml(whole: Json, written: Json) -> str:
    """The configuration as YAML; values that are not in the file are marked as defaults."""
    return "".join(f"{line}\n" for line in _mapping(whole, written, ""))


def _merged(value: Any, written: Any, folder: Path) -> Any:
    """The value, or the reference that the file has for it."""
    if isinstance(value, dict):
        given = written if isinstance(written, Mapping) else {}
        return {
            key: _merged(inner, given.get(key), folder) for key, inner in value.items() if inner is not None
        }
    if isinstance(value, list) and any(isinstance(inner, dict) for inner in value):
        return [_merged(inner, own, folder) for inner, own in zip(value, written, strict=True)]
    texts = written if isinstance(written, list) else [written]
    if not any(isinstance(text, str) and has_reference(text) for text in texts):
        return value
    shown = [anchored(text, folder) if isinstance(text, str) else text for text in texts]
    return shown if isinstance(written, list) else shown[0]


def _mapping(whole: Json, written: Any, indent: str) -> Iterator[str]:
    given = written if isinstance(written, Mapping) else {}
    for key, value in whole.items():
        own = given.get(key)
        if isinstance(value, dict) and value:
            yield f"{indent}{key}:"
            yield from _mapping(value, own, f"{indent}  ")
        elif isinstance(value, list) and any(isinstance(inner, dict) for inner in value):
            yield f"{indent}{key}:"
            for inner, item in zip(value, own or [], strict=True):
                first, *others = _mapping(inner, item, f"{indent}  ")
                yield f"{indent}- {first.lstrip()}"
                yield from others
        else:
            yield f"{indent}{key}: {_scalar(value)}{'' if key in given else _DEFAULT}"


def _scalar(value: Any) -> str:
    """A value on one line."""
    text = yaml.safe_dump(value, default_flow_style=True, width=float("inf"), allow_unicode=True)
    return text.removesuffix("...\n").strip()
