"""Invented names, of people and of other things."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

# Classes of people end so, or are in `people`; those in `objects` end so as well.
_PERSONAL = ("er", "or", "ist", "ian", "ant", "ent", "man", "ess", "ee", "eer")
# The share of other things whose names have a second word.
_LONGER = 0.4
_WORDS = {
    name: words.split()
    for name, words in json.loads(Path(__file__).with_name("names.json").read_text("utf-8")).items()
}


def invented(kind: str, random: Random) -> Iterator[str]:
    """Names for things of a class, without end: of people two words, of others one or two."""
    personal = is_personal(kind)
    first, last = ("given", "family") if personal else ("begin", "end")
    between = " " if personal else ""
    while True:
        name = random.choice(_WORDS[first]) + between + random.choice(_WORDS[last])
        more = f" {random.choice(_WORDS['second'])}"
        yield name if personal or random.random() > _LONGER else name + more


def is_personal(kind: str) -> bool:
    """True if the things of a class are people, by its last word."""
    word = kind.split()[-1]
    return word in _WORDS["people"] or (word.endswith(_PERSONAL) and word not in _WORDS["objects"])
