"""The drafter's own vocabulary: functions, choices, numbers, and references to earlier steps.

All other parts of a program are pointed at: a stretch of the question, or an item of the graph's schema.
"""

from __future__ import annotations

from enum import IntEnum
from importlib import resources
from typing import NamedTuple

from compilers.kopl.functions import SCHEMA_KINDS, Kind

PAD, BEGIN, END = "<pad>", "<begin>", "<end>"
LARGEST_NUMBER = 20
MOST_STEPS = 24

NUMBERS = tuple(str(number) for number in range(LARGEST_NUMBER + 1))
REFERENCES = tuple(f"@{step}" for step in range(MOST_STEPS))

# The shipped network's words, in the order of its ids: it writes no function that was added later.
FILE = resources.files("nlq_gateway.drafts.drafter").joinpath("words.txt")
WORDS: tuple[str, ...] = tuple(FILE.read_text(encoding="utf-8").splitlines())
WORD_ID: dict[str, int] = {word: number for number, word in enumerate(WORDS)}
# Functions with a first argument that questions mean and do not state: twice, half, what percentage, all.
FILLED: dict[str, tuple[str, str]] = {
    f"{function}({value})": (function, value)
    for function, values in (("Number", ("0.5", "2", "3", "4", "100 %")), ("VerifyNum", ("0",)))
    for value in values
}
KIND_ID: dict[Kind, int] = {kind: number for number, kind in enumerate(SCHEMA_KINDS)}


class Mode(IntEnum):
    """The kind of one decision; `FIRST` and `LAST` are the ends of a stretch of the question."""

    WORD = 0
    FIRST = 1
    LAST = 2
    ITEM = 3


class Action(NamedTuple):
    """One decision: `value` is a word's number, a place in the question's tokens, or an item's number."""

    mode: Mode
    value: int
