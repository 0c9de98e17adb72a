"""Questions that a strong general model made of others by a small change.

`edited.jsonl.gz` has a line for each question over a graph, with one that asks the `same` in other words, and
one that the right program does not answer: a condition more, the other direction, a relation or class near in
meaning, one step further, another number. Programs are right or wrong alone in what collected candidates
teach; here the same program is both, and a word that is left over is all that differs (Gardner et al.,
"Evaluating Models' Local Decision Boundaries via Contrast Sets", 2020).
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

Json = dict[str, Any]
KIND = "edited"
FILE = Path(__file__).parent / "edited.jsonl.gz"


@dataclass(frozen=True, slots=True)
class Edits:
    """The questions made of one."""

    same: str
    other: str


@cache
def read_edits(file: Path = FILE) -> Mapping[tuple[str, str], Edits]:
    """The edits by graph and question."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        records = map(json.loads, lines)
        return {(one["graph"], one["question"]): Edits(one["same"], one["other"]) for one in records}


def edited(graph: str, record: Json, edits: Mapping[tuple[str, str], Edits] | None = None) -> Iterator[Json]:
    """The records made of a collected one of a graph, if its question has edits and something right.

    First the one that says the same; to the other what was right is wrong, and nothing is known of the rest.
    """
    made = (read_edits() if edits is None else edits).get((graph, record["question"]))
    right = [one for one in record["candidates"] if one["right"]]
    if made is not None and right:
        wrong = [{**one, "right": False} for one in right]
        yield {**record, "kind": KIND, "question": made.same}
        yield {**record, "kind": KIND, "question": made.other, "candidates": wrong}
