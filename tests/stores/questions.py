"""Questions with a gold program that is bound to a graph."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path

from compilers.grounded import GroundedProgram
from compilers.kopl.notations import read_program
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.index import Index


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its program bound by an index, and the answers expected of it."""

    id: str
    text: str
    language: str
    grounded: GroundedProgram
    answers: frozenset[str]


def read_questions(file: Path, answers: str, index: Index) -> tuple[Question, ...]:
    """The questions of JSON Lines, perhaps compressed; `answers` is the key of the expected ones."""
    content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    grounder = Grounder(index)
    return tuple(
        Question(
            record["id"],
            record["question"],
            record.get("lang", "en"),
            grounder.ground(read_program(record), near=False).grounded,
            frozenset(record[answers]),
        )
        for record in map(json.loads, content.decode().splitlines())
    )
