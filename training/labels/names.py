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
    word = kind.split()[-1]
    is_person = word in _WORDS["people"] or (word.endswith(_PERSONAL) and word not in _WORDS["objects"])
    first, last = ("given", "family") if is_person else ("begin", "end")
    between = " " if is_person else ""
    while True:
        name = random.choice(_WORDS[first]) + between + random.choice(_WORDS[last])
        more = f" {random.choice(_WORDS['second'])}"
        yield name if is_person or random.random() > _LONGER else name + more
