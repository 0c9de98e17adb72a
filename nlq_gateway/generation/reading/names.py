"""Names of functions as models spell them."""

from __future__ import annotations

from compilers.kopl.functions import ALIASES, FUNCTIONS

_NAMES = {name.lower(): ALIASES.get(name, name) for name in (*FUNCTIONS, *ALIASES)}


def known_name(written: str) -> str | None:
    """The table's name for a function in any case, or for an alias of it; None where there is none."""
    return _NAMES.get(written.lower())
