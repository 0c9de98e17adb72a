"""Examples files from MetaQA: its relation paths as programs over the graph's own relations.

A question names its topic and the path of relations to the answers, such as `movie_to_director_to_movie`.
Where the path comes back to the topic's class, the gold answers leave the topic out: the program says so with
`Except`.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import Demonstration
from nlq_gateway.drafts.demonstrations.files import write_demonstrations

SEED = 7
_FILM = "movie"
_ATTRIBUTES = {"year": "release year"}
_RELATIONS = {
    "director": "directed by",
    "writer": "written by",
    "actor": "starred actors",
    "genre": "has genre",
    "language": "in language",
    "tags": "has tags",
    "tag": "has tags",
    "imdbrating": "has imdb rating",
    "imdbvotes": "has imdb votes",
}
_PEOPLE = ("director", "writer", "actor")


@dataclass(frozen=True, slots=True)
class Record:
    """A question with its topic and its path."""

    id: str
    question: str
    topic: str
    path: tuple[str, ...]

    @classmethod
    def of(cls, data: dict[str, Any]) -> Record:
        """The record of a parsed line."""
        return cls(data["id"], data["question"], data["topic"][0], tuple(data["gold"]["path"].split("_to_")))

    @property
    def demonstration(self) -> Demonstration:
        """The question with the program of its path."""
        return Demonstration(self.question, program_of(self.topic, self.path))


def program_of(topic: str, path: Sequence[str]) -> Program:
    """The program that goes the path from the topic, leaving the topic out where the path comes back."""
    steps = [Step("Find", (topic,))]
    for near, far in pairwise(path):
        if far in _ATTRIBUTES:
            return Program((*steps, Step("QueryAttr", (_ATTRIBUTES[far],), (len(steps) - 1,))))
        relation, direction = (
            (_RELATIONS[far], "forward") if near == _FILM else (_RELATIONS[near], "backward")
        )
        steps.append(Step("Relate", (relation, direction), (len(steps) - 1,)))
        if _class(far) == _class(path[0]):
            steps.append(Step("Except", (), (len(steps) - 1, 0)))
    return Program((*steps, Step("What", (), (len(steps) - 1,))))


def _class(name: str) -> str:
    return "person" if name in _PEOPLE else name


def read_records(file: Path) -> list[Record]:
    """The questions of a file."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [Record.of(json.loads(line)) for line in lines]


def sample(files: Sequence[Path], size: int, seed: int = SEED) -> Iterator[Record]:
    """A random sample of so many questions, from each file (nearly) as many."""
    for number, file in enumerate(files):
        share = size // len(files) + (number < size % len(files))
        yield from random.Random(seed).sample(read_records(file), share)


def write_pool(target: Path, files: Sequence[Path], size: int, seed: int = SEED) -> frozenset[str]:
    """Write an examples file of so many questions; their ids are returned."""
    chosen = list(sample(files, size, seed))
    write_demonstrations(target, (record.demonstration for record in chosen))
    return frozenset(record.id for record in chosen)
