"""Synonyms of schema names, mined from pairs of question and query (`synonyms.tsv`)."""

from __future__ import annotations

from functools import cache
from importlib import resources

from nlq_gateway.index.text import key_of

_FILE = "synonyms.tsv"


def synonyms_of(name: str) -> tuple[str, ...]:
    """The phrases for a schema item with this name, the surest first; () for an unknown name.

    The name is folded and stemmed, so that `castMember` and "cast members" are the same.
    """
    return _phrases().get(key_of(name), ())


def all_phrases() -> tuple[str, ...]:
    """Every name and phrase of the file."""
    return tuple(text for name, phrases in _rows() for text in (name, *phrases))


@cache
def _rows() -> tuple[tuple[str, tuple[str, ...]], ...]:
    text = resources.files("nlq_gateway.index").joinpath(_FILE).read_text("utf-8")
    lines = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return tuple((name, tuple(phrases.split("; "))) for name, phrases in lines)


@cache
def _phrases() -> dict[str, tuple[str, ...]]:
    return {key_of(name): phrases for name, phrases in _rows()}
