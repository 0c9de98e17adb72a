"""Questions with known programs, and their votes on the program of another question.

files.py        examples files and corpora: JSON Lines of demonstrations; questions made for people
queries.py      a query as a demonstration
mask.py         questions with names and values masked, and words that two with one program share
lesson.py       a demonstration looked up in an index
lexicon.py      the schema items that words speak of
parts.py        the parts of programs
features.py     masked questions as vectors
pool.py         near demonstrations, and the votes of all of them
select.py       a selection of demonstrations
readings.py     the possible names and values in a question
fill.py         names and values of a question in place of a demonstration's own
swap.py         schema items in place of a demonstration's own
verdict.py      a pool's votes on programs of any author
adapt.py        programs of demonstrations as drafts for another question
remembered.py   vectors on disk
shots.py        demonstrations for prompts
collection.py   the demonstrations of one endpoint, with those confirmed at run time
"""

from __future__ import annotations

from nlq_gateway.drafts.demonstrations.collection import Collection, Confirmed
from nlq_gateway.drafts.demonstrations.files import (
    Read,
    corpus_file,
    made_file,
    read_demonstrations,
    read_made,
    write_demonstrations,
    write_made,
)
from nlq_gateway.drafts.demonstrations.select import select
from nlq_gateway.drafts.demonstrations.shots import Shot

__all__ = [
    "Collection",
    "Confirmed",
    "Read",
    "Shot",
    "corpus_file",
    "made_file",
    "read_demonstrations",
    "read_made",
    "select",
    "write_demonstrations",
    "write_made",
]
