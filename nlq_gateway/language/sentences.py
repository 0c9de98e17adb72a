"""The gateway's sentences that no language model writes, from `sentences.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources

from nlq_gateway.language.detection import ENGLISH

# Writes the sentence of a key with its fields filled in.
Say = Callable[..., str]


@cache
def sentences() -> Mapping[str, Mapping[str, str]]:
    """The sentences of each language, by key."""
    return tomllib.loads(resources.files(__package__).joinpath("sentences.toml").read_text("utf-8"))


def saying(tag: str) -> Say:
    """Return the `Say` of a language tag such as `de-AT`; English if the language has no sentences."""
    own = sentences().get(tag.lower().partition("-")[0], sentences()[ENGLISH])
    return lambda key, **fields: own[key].format(**fields)


def joined(words: Sequence[str], say: Say, how: str) -> str:
    """`a, b and c` where `how` is `both`, `a, b or c` where it is `either`."""
    return say(how, first=", ".join(words[:-1]), last=words[-1]) if len(words) > 1 else "".join(words)
