"""The gateway's sentences that no language model writes, from `sentences.toml` of each language."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache

from nlq_gateway.language.detection import ENGLISH
from nlq_gateway.language.tables import tables

# Writes the sentence of a key with its fields filled in.
Say = Callable[..., str]


@cache
def sentences() -> Mapping[str, Mapping[str, str]]:
    """The sentences of each language, by key."""
    return {tag: table["sentences"] for tag, table in tables().items() if "sentences" in table}


def saying(tag: str) -> Say:
    """Return the `Say` of a language tag such as `de-AT`; English if the language has no sentences."""
    own = sentences().get(tag.lower().partition("-")[0], sentences()[ENGLISH])
    return lambda key, **fields: own[key].format(**fields)


def listed(words: Collection[str]) -> str:
    """`a, b, c`; with semicolons where one of them has a comma: `a; b, of c; d`."""
    return _between(words).join(words)


def joined(words: Sequence[str], say: Say, how: str) -> str:
    """`a, b and c` where `how` is `both`, `a, b or c` where it is `either`; semicolons as in `listed`."""
    if len(words) < 2:
        return "".join(words)
    return say(how, first=_between(words).join(words[:-1]), last=words[-1])


def _between(words: Collection[str]) -> str:
    return "; " if any("," in word for word in words) else ", "
