"""The words of the natural languages: a folder of TOML files for each, such as `en/` and `de/`.

A key means the same in every folder, and stands in one file of it. Only `language.toml` is required;
questions are read by the words of all languages together, English first.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

_FIRST = "en"


@cache
def tables() -> Mapping[str, Mapping[str, Any]]:
    """Return the tables of each language by its tag."""
    return read_tables(resources.files(__package__))


def read_tables(root: Traversable) -> Mapping[str, Mapping[str, Any]]:
    """Read the folders with a `language.toml`; ValueError for a key in two files of a language."""
    folders = {one.name: one for one in root.iterdir() if one.is_dir()}
    known = (tag for tag, folder in folders.items() if (folder / "language.toml").is_file())
    return {tag: _read(folders[tag]) for tag in sorted(known, key=lambda tag: (tag != _FIRST, tag))}


def _read(folder: Traversable) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        rows = tomllib.loads(file.read_text("utf-8")) if file.name.endswith(".toml") else {}
        if twice := found.keys() & rows.keys():
            raise ValueError(f"{folder.name}/{file.name} repeats {sorted(twice)}: keep one of the lists")
        found |= rows
    return found


def values(key: str) -> Iterator[Any]:
    """Yield the value of a key in each language that has it; KeyError if none has."""
    found = [table[key] for table in tables().values() if key in table]
    if not found:
        raise KeyError(key)
    yield from found


def listed(key: str) -> tuple[str, ...]:
    """Return a list of words, written with blanks between them, in its order, each once."""
    return tuple(dict.fromkeys(word for text in values(key) for word in text.split()))


def words(key: str) -> frozenset[str]:
    """Return a list of words as a set."""
    return frozenset(listed(key))


def own_words(tag: str, key: str) -> frozenset[str]:
    """Return a list of words of one language alone; empty if it has none."""
    return frozenset(tables().get(tag, {}).get(key, "").split())


def phrases(key: str) -> tuple[tuple[str, ...], ...]:
    """Return a list of phrases, each as its words."""
    return tuple(tuple(phrase.split()) for found in values(key) for phrase in found)


def rows(key: str) -> dict[str, Any]:
    """Return a table from words or phrases to what they mean."""
    return {word: meaning for found in values(key) for word, meaning in found.items()}


def phrases_by(key: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the phrases of a table from meanings to phrases, each as its words, with its meaning."""
    for found in values(key):
        for meaning, texts in found.items():
            yield from ((tuple(text.split()), meaning) for text in texts)


def pattern(key: str) -> str:
    """Return a list of regular expressions as one that matches any of them."""
    return "|".join(one for found in values(key) for one in found)
