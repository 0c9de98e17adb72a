"""A configuration file as plain data, with the line of every key; references are as the file has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.settings.explain import Lines, located
from nlq_gateway.settings.references import has_reference, held
from nlq_gateway.settings.section import Path as Key

_LARGEST = 1_000_000
_MERGE = "tag:yaml.org,2002:merge"
_BOOLEAN = "tag:yaml.org,2002:bool"
_TIME = "tag:yaml.org,2002:timestamp"
_TAB = "found character '\\t' that cannot start any token"


@dataclass(frozen=True, slots=True)
class Document:
    """The content of a file."""

    file: Path
    data: dict[str, Any]
    lines: Lines

    @property
    def folder(self) -> Path:
        """The folder to which paths in the file are relative."""
        return self.file.absolute().parent


class _Loader(yaml.SafeLoader):
    """YAML in which `no` is Norwegian, and a date is text, as in YAML 1.2 (10.3.2) and so in editors."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in known if tag not in (_BOOLEAN, _TIME)]
    for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(_BOOLEAN, re.compile("^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))


def read(file: Path) -> Document:
    """The document in a YAML file.

    Raises:
        ConfigurationError: the file cannot be read, is not YAML, or has a key twice; with file and line.
    """
    text, put_back = held(_text(file))
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        lines = dict(_lines(node, (), str(file), ())) if node is not None else {}
        data = _restored(loader.construct_document(node), put_back) if node is not None else None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise _no_yaml(file, put_back(str(error.problem)), line) from None
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise _no_yaml(file, put_back(str(error)), None) from None
    if not isinstance(data, dict):
        hint = "write `endpoints:` and below it `- id: ...`"
        raise ConfigurationError(
            f"{file}, line 1: a mapping with `endpoints` expected", file=str(file), line=1, hint=hint
        )
    return Document(file, data, lines)


def _text(file: Path) -> str:
    try:
        if file.stat().st_size > _LARGEST:
            raise ConfigurationError(f"{file} is too large to be a configuration file", file=str(file))
        return file.read_text(encoding="utf-8")
    except OSError as error:
        message = f"the configuration file {file} cannot be read: {error.strerror}"
        raise ConfigurationError(message, file=str(file), hint="give its path with --config FILE") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{file} is not text in UTF-8", file=str(file)) from None


def _no_yaml(file: Path, problem: str, line: int | None) -> ConfigurationError:
    hint = "YAML is indented with spaces, not with tabs" if problem == _TAB else ""
    place = f"{file}, line {line}" if line else str(file)
    return ConfigurationError(f"{place}: this is not YAML: {problem}", file=str(file), line=line, hint=hint)


def _lines(node: yaml.Node, path: Key, file: str, around: tuple[yaml.Node, ...]) -> Iterator[tuple[Key, int]]:
    """The line of every key; those that are merged in come first, as the mapping's own take their place."""
    if any(node is outer for outer in around):
        line = node.start_mark.line + 1
        raise ConfigurationError(f"{file}, line {line}: this contains itself", file=file, line=line)
    around = (*around, node)
    if isinstance(node, yaml.SequenceNode):
        for position, item in enumerate(node.value):
            yield (*path, position), item.start_mark.line + 1
            yield from _lines(item, (*path, position), file, around)
    if isinstance(node, yaml.MappingNode):
        own = [pair for pair in node.value if pair[0].tag != _MERGE]
        for _, merged in (pair for pair in node.value if pair[0].tag == _MERGE):
            for source in reversed(merged.value) if isinstance(merged, yaml.SequenceNode) else (merged,):
                yield from _lines(source, path, file, around)
        _refuse_twice(own, path, file)
        for key, value in own:
            inner = (*path, str(key.value))
            yield inner, key.start_mark.line + 1
            yield from _lines(value, inner, file, around)


def _refuse_twice(pairs: list[tuple[yaml.Node, yaml.Node]], path: Key, file: str) -> None:
    known: set[str] = set()
    for key, _ in pairs:
        name, line = str(key.value), key.start_mark.line + 1
        if name in known:
            here = (*path, name)
            hint = "keep one of them"
            raise located(f"the key {name!r} is given twice", here, file=file, lines={here: line}, hint=hint)
        known.add(name)


def _restored(value: Any, put_back: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {_key(key, put_back): _restored(inner, put_back) for key, inner in value.items()}
    if isinstance(value, list):
        return [_restored(inner, put_back) for inner in value]
    return put_back(value) if isinstance(value, str) else value


def _key(key: object, put_back: Callable[[str], str]) -> str:
    name = put_back(str(key))
    if has_reference(name):
        raise ValueError(f"{name} is a reference, which cannot be a key; write the key itself")
    return name
