"""Texts by which graphs state that something is so, or is not: `true` and `false`, "Yes" and "No"."""

from __future__ import annotations

from collections.abc import Collection

_PAIRS = (("true", "false"), ("yes", "no"), ("y", "n"), ("t", "f"))
# How a canonical boolean is stated.
TRUTHS = frozenset(_PAIRS[0])
# Texts that deny what their attribute says; single letters may mean anything.
DENIALS = frozenset(no for _, no in _PAIRS if len(no) > 1)


def truths_of(texts: Collection[str]) -> tuple[str, str] | None:
    """The texts of so and not so, as a graph writes them, if these are all that it has; else None.

    One of both is enough for `true` and `false`: "no" alone may be any text.
    """
    written = {text.lower(): text for text in texts}
    if written and TRUTHS.issuperset(written):
        return _PAIRS[0]
    pair = next((pair for pair in _PAIRS if written.keys() == set(pair)), None)
    return pair and (written[pair[0]], written[pair[1]])
