"""Names of attributes that are true or false, as people say them: "is active", "has parking"."""

from __future__ import annotations

from nlq_gateway.language.tables import listed, words

_BE = words("be") | words("verify_openers")
_HAVE = words("have")
_ADJECTIVES = tuple(listed("adjective_endings"))


def said_of(label: str) -> tuple[str, str]:
    """The verb that a name begins with, be or have, and the words behind it; a name without one is as it is.

    The verb is `be` where the name alone looks like an adjective or a participle, else empty.
    """
    first, _, rest = label.lower().partition(" ")
    if rest and first in _HAVE:
        return "have", rest
    if rest and first in _BE:
        return "be", rest
    return "be" if first.endswith(_ADJECTIVES) else "", label
