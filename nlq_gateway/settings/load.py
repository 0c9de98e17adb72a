"""Reads a configuration file: YAML with `${NAME}` for what stands in the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from nlq_gateway.errors import ConfigurationError
from nlq_gateway.settings.explain import Lines, located, refusal
from nlq_gateway.settings.explain import Path as Key
from nlq_gateway.settings.model import Settings
from nlq_gateway.settings.values import Expanded

# Braces end a plain scalar inside `{...}`, so references are written with characters that do not,
# as long as YAML is being read.
_OPEN, _CLOSE = "\ue000", "\ue001"
_REFERENCE = re.compile(r"\$\{([^}\n]*)\}")
_HELD = re.compile(f"{_OPEN}([^{_CLOSE}]*){_CLOSE}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LARGEST = 1_000_000
_EXPORT = "`${NAME}` stands for a variable that is set before starting: export NAME=..."


def load(path: str | Path, environment: Mapping[str, str] | None = None) -> Settings:
    """The settings that a file states; files named in it are taken from its folder.

    Args:
        path: the YAML file.
        environment: where `${NAME}` is looked up, `os.environ` by default.

    Raises:
        ConfigurationError: with file, line, key and what would be right.
    """
    file = Path(path)
    text = _REFERENCE.sub(_OPEN + r"\1" + _CLOSE, _read(file))
    data, lines = _parse(text, str(file))
    filled = _fill(data, (), str(file), lines, os.environ if environment is None else environment)
    try:
        return Settings.model_validate(filled, context={"folder": file.absolute().parent})
    except ValidationError as error:
        raise refusal(error, Settings, file=str(file), lines=lines) from None


def _read(file: Path) -> str:
    try:
        if file.stat().st_size > _LARGEST:
            raise ConfigurationError(f"{file} is too large to be a configuration file", file=str(file))
        return file.read_text(encoding="utf-8")
    except OSError as error:
        message = f"the configuration file {file} cannot be read: {error.strerror}"
        raise ConfigurationError(message, file=str(file), hint="give its path with --config FILE") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{file} is not text in UTF-8", file=str(file)) from None


def _parse(text: str, file: str) -> tuple[dict[Any, Any], Lines]:
    """The document as plain data, and the line (from 1) of every key."""
    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        lines = dict(_lines(node, (), file, ())) if node is not None else {}
        data = loader.construct_document(node) if node is not None else None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        message = f"{file}, line {line}: this is not YAML: {error.problem}"
        raise ConfigurationError(message, file=file, line=line) from None
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise ConfigurationError(f"{file}: this is not YAML: {error}", file=file) from None
    if not isinstance(data, dict):
        hint = "write `endpoints:` and below it `- id: ...`"
        raise ConfigurationError(
            f"{file}, line 1: a mapping with `endpoints` expected", file=file, line=1, hint=hint
        )
    return data, lines


def _lines(node: yaml.Node, path: Key, file: str, around: tuple[yaml.Node, ...]) -> Iterator[tuple[Key, int]]:
    if any(node is outer for outer in around):
        line = node.start_mark.line + 1
        raise ConfigurationError(f"{file}, line {line}: this contains itself", file=file, line=line)
    around = (*around, node)
    if isinstance(node, yaml.SequenceNode):
        for position, item in enumerate(node.value):
            yield (*path, position), item.start_mark.line + 1
            yield from _lines(item, (*path, position), file, around)
    if isinstance(node, yaml.MappingNode):
        known: set[str] = set()
        for key, value in node.value:
            name, line = str(key.value), key.start_mark.line + 1
            if name in known:
                message = f"{file}, line {line}: the key {name!r} is given twice"
                raise ConfigurationError(message, file=file, line=line, key=name)
            known.add(name)
            yield (*path, name), line
            yield from _lines(value, (*path, name), file, around)


def _fill(value: Any, path: Key, file: str, lines: Lines, environment: Mapping[str, str]) -> Any:
    """The data with every reference replaced by what the environment holds."""
    if isinstance(value, dict):
        return {str(k): _fill(v, (*path, str(k)), file, lines, environment) for k, v in value.items()}
    if isinstance(value, list):
        return [_fill(v, (*path, i), file, lines, environment) for i, v in enumerate(value)]
    if not isinstance(value, str) or not _HELD.search(value):
        return value

    def held(found: re.Match[str]) -> str:
        try:
            return _variable(found[1], environment)
        except ValueError as error:
            raise located(str(error), path, file=file, lines=lines, hint=_EXPORT) from None

    return Expanded(_HELD.sub(held, value))


def _variable(name: str, environment: Mapping[str, str]) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of an environment variable")
    if not environment.get(name):
        raise ValueError(
            f"the environment variable {name} is {'empty' if name in environment else 'not set'}"
        )
    return environment[name]
