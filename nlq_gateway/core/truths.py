"""Texts by which graphs state that something is so, or is not: `true` and `false`, "Yes" and "No"."""

from __future__ import annotations

from collections.abc import Collection

_PAIRS = (("true", "false"), ("yes", "no"), ("y", "n"), ("t", "f"))
# Numbers that databases keep for these, and how the names of such columns begin.
_NUMBERS = ("1", "0")
_VERBS = frozenset("is are was were has have had can".split())
# How a canonical boolean is stated.
TRUTHS = frozenset(_PAIRS[0])


def truths_of(texts: Collection[str], name: str) -> tuple[str, str] | None:
    """The texts of so and not so, as a graph writes them, if these are all that it has; else None.

    One of both is enough for `true` and `false`: "no" alone may be any text. Of 1 and 0 the attribute's name
    must begin with a verb, "is active", as other numbers may be no more than these.
    """
    written = {text.lower(): text for text in texts}
    if written.keys() == set(_NUMBERS) and not _VERBS.isdisjoint(name.lower().split()[:1]):
        return _NUMBERS
    if written and TRUTHS.issuperset(written):
        return _PAIRS[0]
    pair = next((pair for pair in _PAIRS if written.keys() == set(pair)), None)
    return pair and (written[pair[0]], written[pair[1]])


def are_truths(texts: Collection[str], name: str) -> bool:
    """True if texts of an attribute, by its name, say no more than that something is so, or is not."""
    pairs = _PAIRS if _VERBS.isdisjoint(name.lower().split()[:1]) else (*_PAIRS, _NUMBERS)
    return any({text.lower() for text in texts}.issubset(pair) for pair in pairs)


def truth_of(text: str, truths: tuple[str, str]) -> str:
    """The one of an attribute's texts of so and not so that another such text means; else the text itself."""
    pair = next((pair for pair in (*_PAIRS, _NUMBERS) if text.lower() in pair), None)
    return text if pair is None or text in truths else truths[pair.index(text.lower())]
