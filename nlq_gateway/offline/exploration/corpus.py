"""The corpus of an exploration: JSON Lines for users to read and edit, and its progress beside it.

`FILE.state` has a line for each unit in the corpus, after a first line that describes the exploration.
The corpus is the same to the byte with and without interruptions.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from nlq_gateway.core.errors import ConfigurationError

# Changes when the same seed gives another corpus.
FORMAT = 1


@dataclass(frozen=True, slots=True)
class UnitRecord:
    """A unit in the corpus: programs kept of each slot, its cost, and the corpus's size and hash with it.

    A unit that is not `whole` was cut by a budget, and is repeated when the exploration resumes.
    """

    found: tuple[int, ...]
    queries: int
    seconds: float
    size: int
    digest: str
    whole: bool = True


class Corpus:
    """The file of a corpus, with the state beside it."""

    def __init__(self, file: Path, explored: Mapping[str, Any]) -> None:
        """Open a corpus, or begin one; `explored` is what the corpus depends on.

        Raises:
            ConfigurationError: the file is of something else, was changed by hand, or cannot be written.
        """
        self.file = file
        self.state = file.with_name(file.name + ".state")
        self._head = {"format": FORMAT, **explored}
        try:
            self.records = self._read_state()
            self._check()
            self._cut_back()
        except OSError as error:
            raise ConfigurationError(f"the corpus {file} cannot be written: {error.strerror}") from None

    def lines(self) -> Iterator[dict[str, Any]]:
        """The lines so far."""
        with self.file.open(encoding="utf-8") as stream:
            yield from map(json.loads, stream)

    def drop_cut(self) -> None:
        """Take back the last unit where a budget had cut it."""
        if self.records and not self.records[-1].whole:
            self.records.pop()
            self._cut_back()

    def add(
        self, found: Iterable[int], lines: Iterable[dict[str, Any]], queries: int, seconds: float, whole: bool
    ) -> None:
        """Append what a unit gave."""
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
        _append(self.file, text)
        self._hash.update(text)
        size = self._size() + len(text)
        record = UnitRecord(
            tuple(found), queries, round(seconds, 3), size, self._hash.copy().hexdigest(), whole
        )
        _append(self.state, (json.dumps(asdict(record)) + "\n").encode())
        self.records.append(record)

    def _size(self) -> int:
        return self.records[-1].size if self.records else 0

    def _read_state(self) -> list[UnitRecord]:
        if not self.state.is_file():
            if self.file.is_file() and self.file.stat().st_size:
                raise self._foreign("is no corpus that can be gone on with: there is no state beside it")
            return []
        head, *lines = self.state.read_text(encoding="utf-8").split("\n")
        if json.loads(head or "{}") != self._head:
            raise self._foreign("is the corpus of another graph, seed or version")
        # A line without an end was being written when the exploration was stopped.
        return [_record(line) for line in lines[:-1]]

    def _check(self) -> None:
        """Refuse a corpus that is not as the state knows it."""
        body = self.file.read_bytes()[: self._size()] if self.file.is_file() else b""
        if self.records and hashlib.sha256(body).hexdigest() != self.records[-1].digest:
            raise self._foreign("was changed since it was explored")

    def _foreign(self, what: str) -> ConfigurationError:
        return ConfigurationError(
            f"{self.file} {what}", hint="give another --out, or move the file and its .state away"
        )

    def _cut_back(self) -> None:
        """Leave in both files what the records tell of."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("ab") as stream:
            stream.truncate(self._size())
        text = "".join(json.dumps(line) + "\n" for line in (self._head, *map(asdict, self.records)))
        temporary = self.state.with_name(self.state.name + ".new")
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(self.state)
        self._hash = hashlib.sha256(self.file.read_bytes())


def _record(line: str) -> UnitRecord:
    values = json.loads(line)
    return UnitRecord(**{**values, "found": tuple(values["found"])})


def _append(file: Path, text: bytes) -> None:
    with file.open("ab") as stream:
        stream.write(text)
