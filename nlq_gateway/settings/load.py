"""From a configuration file to `Settings`, or to all its faults."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.settings.configuration import Settings
from nlq_gateway.settings.document import Document, read
from nlq_gateway.settings.explain import located, refusals, summed_up
from nlq_gateway.settings.references import SET, filled, has_reference
from nlq_gateway.settings.section import Path as Key
from nlq_gateway.settings.values import Expanded

_SHORT = 2


@dataclass(frozen=True, slots=True)
class LoadResult:
    """The result of reading a file: the settings, or its faults in the order of the file."""

    document: Document | None
    settings: Settings | None
    faults: tuple[ConfigurationError, ...]


def load(path: str | Path, environment: Mapping[str, str] | None = None) -> Settings:
    """The settings that a file states; files named in it are taken from its folder.

    Args:
        path: the YAML file.
        environment: the variables for `${NAME}`, `os.environ` by default.

    Raises:
        ConfigurationError: with file, line, key and what would be right.
    """
    reading = examine(path, environment)
    if reading.settings is None:
        raise summed_up(reading.faults)
    return reading.settings


def examine(path: str | Path, environment: Mapping[str, str] | None = None) -> LoadResult:
    """The settings, or all that is wrong with them; takes what `load` takes, and raises nothing."""
    try:
        document = read(Path(path))
    except ConfigurationError as error:
        return LoadResult(None, None, (error,))
    references = _References(document, os.environ if environment is None else environment)
    data = references.fill(document.data, ())
    try:
        settings = Settings.model_validate(data, context={"folder": document.folder})
        faults: tuple[ConfigurationError, ...] = ()
    except ValidationError as error:
        settings, faults = None, tuple(references.readable(error))
    found = sorted((*references.faults, *faults), key=lambda fault: fault.line or 0)
    return LoadResult(document, None if found else settings, tuple(found))


class _References:
    """The references of a document while they are filled in, and what went wrong with them."""

    def __init__(self, document: Document, environment: Mapping[str, str]) -> None:
        self._document = document
        self._environment = environment
        self._written: dict[str, str] = {}
        self._unknown: set[Key] = set()
        self.faults: list[ConfigurationError] = []

    def fill(self, value: Any, path: Key) -> Any:
        """Replace every reference in the data by its value; by nothing if it has none."""
        if isinstance(value, dict):
            return {name: self.fill(inner, (*path, name)) for name, inner in value.items()}
        if isinstance(value, list):
            return [self.fill(inner, (*path, position)) for position, inner in enumerate(value)]
        if not isinstance(value, str) or not has_reference(value):
            return value
        try:
            whole, written = filled(value, self._environment, self._document.folder)
        except ValueError as error:
            self._unknown.add(path)
            self.faults.append(self._located(str(error), path, SET))
            return Expanded()
        self._written.update(written)
        return whole

    def readable(self, error: ValidationError) -> Iterator[ConfigurationError]:
        """Yield the other faults, with references instead of their values, which may be secret."""
        for path, what, hint in refusals(error, Settings):
            if not any(path[: len(unknown)] == unknown for unknown in self._unknown):
                yield self._located(self._masked(what), path, self._masked(hint))

    def _masked(self, text: str) -> str:
        for value in sorted(self._written, key=len, reverse=True):
            reference = self._written[value]
            text = text.replace(repr(value), f"'{reference}'")
            # Shorter ones are in many words by chance, and are no secrets.
            if len(value) > _SHORT:
                text = text.replace(repr(value)[1:-1], reference).replace(value, reference)
        return text

    def _located(self, what: str, path: Key, hint: str) -> ConfigurationError:
        document = self._document
        return located(what, path, file=str(document.file), lines=document.lines, hint=hint)
