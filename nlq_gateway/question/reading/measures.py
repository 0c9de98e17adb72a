"""Measures that questions ask for: "how old", "how powerful is", "how much"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from nlq_gateway.core.words import STOP_WORDS
from nlq_gateway.language import lexicon, tables

# Words after "how" that ask for a count, a manner or a relation.
_OTHERS = STOP_WORDS | lexicon.RELATION_WORDS | tables.words("unmeasured")


def measure_asked(lowers: Sequence[str]) -> int | None:
    """The position of the word that says of what; None where no measure is asked for."""
    for position, (how, word) in enumerate(pairwise(lowers), start=1):
        if how in lexicon.HOW_WORDS and word not in _OTHERS:
            return position
    return None


def is_any(word: str) -> bool:
    """True if it says nothing of what is measured."""
    return word == "much"


def is_age(word: str) -> bool:
    """True if it asks for an age, which a date answers, too."""
    return word in lexicon.AGE_WORDS
