"""The words that frame a question: what is asked of a set, by what it is grouped, ordered and cut.

One table of phrases, longest first; what each means for the parts around it is in `request`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Role(Enum):
    """What a phrase does to the words after it."""

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


def _cues(role: Role, text: str, says: str = "") -> tuple[Cue, ...]:
    return tuple(Cue(tuple(phrase.split()), role, says) for phrase in text.split("|"))


ASCENDING, DESCENDING = "ascending", "descending"
COUNT, COUNT_VALUES = "Count", "CountValues"

_ALL: tuple[Cue, ...] = (
    *_cues(
        Role.ASK, "what is the|what are the|what is|what are|what was the|what were the|what was|what were"
    ),
    *_cues(Role.ASK, "which|what|list|show|find|give|give me|show me|tell me|return|report|display|name"),
    *_cues(Role.ASK, "and what|and which|and list|and show|and find|and return|and give|retrieve|provide"),
    *_cues(Role.ASK, "get|select|along with|as well as|together with|and also|and their|and its|and his"),
    *_cues(Role.ASK, "and corresponding|and the corresponding|with the corresponding|with corresponding"),
    *_cues(Role.ASK, "and respective|and the respective|and their respective|and their corresponding"),
    *_cues(Role.ASK, "identify|compute|calculate|please show|please list|present|state"),
    *_cues(
        Role.NUMBER, "how many|number of|the number of|total number of|count of|count the number of", COUNT
    ),
    *_cues(
        Role.NUMBER, "the total number of|count|amount of|the count of|and how many|find the number of", COUNT
    ),
    *_cues(Role.NUMBER, "total count of|the total count of|overall number of|the overall number of", COUNT),
    *_cues(Role.NUMBER, "anzahl der|anzahl|wie viele", COUNT),
    *_cues(Role.NUMBER, "average|mean|avg|average of|durchschnittliche|durchschnittlichen", "Average"),
    *_cues(Role.NUMBER, "total|sum|sum of|total of|total amount of|total sum of|combined", "Sum"),
    *_cues(Role.NUMBER, "maximum|max|maximal|maximum of", "Maximum"),
    *_cues(Role.NUMBER, "minimum|min|minimal|minimum of", "Minimum"),
    *_cues(Role.DIFFERENT, "different|distinct|unique|distinctive"),
    *_cues(
        Role.GROUP, "for each|in each|of each|by each|from each|at each|on each|to each|with each|each|per"
    ),
    *_cues(Role.GROUP, "for every|in every|of every|from every|every|grouped by|group by|pro|each of the"),
    *_cues(
        Role.GROUP,
        "for all the different|for all different|for all distinct|for each different|in all different",
    ),
    *_cues(
        Role.GROUP, "across different|for different|in different|of different|for each of the|by different"
    ),
    *_cues(
        Role.ORDER, "ordered by|sorted by|order by|sort by|in order of|in the order of|ranked by|by order of"
    ),
    *_cues(
        Role.ORDER, "order them by|sort them by|sort the list by|order the results by|sort the results by"
    ),
    *_cues(Role.ORDER, "sorted in|ordered in|listed in|arranged by|ordered|sorted|sort|order|in order"),
    *_cues(Role.ORDER, "in alphabetical order|alphabetically|in lexicographical order", ASCENDING),
    *_cues(Role.ORDER, "in alphabetical order of|in lexicographic order|in alphabetic order", ASCENDING),
    *_cues(Role.ORDER, "in ascending alphabetical order|in ascending lexicographical order", ASCENDING),
    *_cues(Role.ORDER, "in descending alphabetical order", DESCENDING),
    *_cues(
        Role.ORDER,
        "in ascending order of|in ascending order by|in increasing order of|by ascending",
        ASCENDING,
    ),
    *_cues(Role.ORDER, "in ascending order|in increasing order|ascending order of|in ascending", ASCENDING),
    *_cues(Role.ORDER, "in descending order of|in descending order by|in decreasing order of", DESCENDING),
    *_cues(
        Role.ORDER, "in descending order|in decreasing order|descending order of|in descending", DESCENDING
    ),
    *_cues(Role.ORDER, "by descending|in reverse order of|in reverse alphabetical order", DESCENDING),
    *_cues(Role.DIRECTION, "ascending|increasing|ascendingly|ascending order|from low to high", ASCENDING),
    *_cues(Role.DIRECTION, "from lowest to highest|from the lowest to the highest", ASCENDING),
    *_cues(Role.DIRECTION, "from smallest to largest|from least to most|from a to z", ASCENDING),
    *_cues(
        Role.DIRECTION, "descending|decreasing|descendingly|descending order|from high to low", DESCENDING
    ),
    *_cues(Role.DIRECTION, "from highest to lowest|from the highest to the lowest", DESCENDING),
    *_cues(Role.DIRECTION, "from largest to smallest|from most to least", DESCENDING),
    *_cues(
        Role.DIRECTION, "from youngest to oldest|from young to old|from the youngest to the oldest", "younger"
    ),
    *_cues(
        Role.DIRECTION, "from oldest to youngest|from old to young|from the oldest to the youngest", "older"
    ),
    *_cues(Role.SET, "of|for|in|from|at|on|by|to|about|among|of all|for all"),
    *_cues(Role.CONDITION, "whose|who|that|with|having|where|when|without|under|above|below|between|after"),
    *_cues(Role.CONDITION, "before|is|are|was|were|has|have|had|do|does|did|can|could|will|not|except|than"),
)

CUES: dict[tuple[str, ...], Cue] = {cue.words: cue for cue in _ALL}
LONGEST = max(map(len, CUES))

NUMBERS: dict[str, int] = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
# "The most common hometown" counts whose hometown it is.
FREQUENT = frozenset("common popular frequent frequently often commonly".split())
"""Words behind "most" that mean how often."""
COUNTING = frozenset("number count amount quantity".split())
