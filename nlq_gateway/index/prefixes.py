"""Prefixes for the namespaces of a graph's IRIs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from itertools import count

from compilers.layouts.vocabulary import WELL_KNOWN_PREFIXES
from nlq_gateway.index.text import fold

_KNOWN = {space: prefix for prefix, space in WELL_KNOWN_PREFIXES.items()}
_PREFIX_LENGTH = 12


def make_prefixes(declared: Mapping[str, str], *groups: Counter[str]) -> dict[str, str]:
    """Prefixes for namespaces: declared, well-known, else the namespace's last word.

    Each group counts the IRIs in each namespace; a namespace counts if it has at least 1% of a group's.
    """
    prefixes = dict(declared)
    for spaces in groups:
        least = max(2, spaces.total() // 100)
        for space in sorted(spaces, key=lambda one: (-spaces[one], one)):
            wanted = space and (spaces[space] >= least or space in _KNOWN)
            if wanted and space not in prefixes.values():
                prefixes[_free_prefix(space, prefixes)] = space
    return prefixes


def _free_prefix(space: str, taken: Container[str]) -> str:
    """The well-known prefix of a namespace, else its last word, numbered if that is taken."""
    if space in _KNOWN:
        return _KNOWN[space]
    words = [word for word in fold(space).split() if word.isalpha() and word.isascii()]
    base = words[-1][:_PREFIX_LENGTH] if words else "ns"
    names = (base if number == 1 else f"{base}{number}" for number in count(1))
    return next(name for name in names if name not in taken and name not in WELL_KNOWN_PREFIXES)


def namespace(iri: str) -> str:
    """The IRI up to the last fragment mark, slash or colon."""
    return iri[: max(iri.rfind(mark) for mark in "#/:") + 1]
