"""The words that frame a question: what is asked of a set, by what it is grouped, ordered and cut.

One table of phrases, longest first; what each means for the parts around it is in `request`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from nlq_gateway.language.tables import phrases_by


class Role(Enum):
    """The role that a phrase gives to the words after it."""

    ASK = "they are asked for"
    NUMBER = "a number over them is asked for"
    DIFFERENT = "each of them once"
    GROUP = "they are what the answer is given for one by one"
    ORDER = "they are what the answer is sorted by"
    DIRECTION = "which way it is sorted"
    SET = "they say whose facts are asked for"
    CONDITION = "they narrow the set"


@dataclass(frozen=True, slots=True)
class Cue:
    """A phrase with its role; `says` is the function or the direction that it means."""

    words: tuple[str, ...]
    role: Role
    says: str = ""


DESCENDING = "descending"
COUNT, COUNT_VALUES = "Count", "CountValues"

_ALL = ((words, key.partition(".")) for words, key in phrases_by("cues"))
CUES = {words: Cue(words, Role[role.upper()], says) for words, (role, _, says) in _ALL}
LONGEST = max(map(len, CUES))


def cues_at(lowers: Sequence[str], position: int) -> Iterator[Cue]:
    """The phrases with a role that begin at a word, the longest first."""
    longest = min(LONGEST, len(lowers) - position)
    phrases = (tuple(lowers[position : position + length]) for length in range(longest, 0, -1))
    yield from (CUES[words] for words in phrases if words in CUES)
