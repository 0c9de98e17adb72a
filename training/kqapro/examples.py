"""Training examples, and the two files in which they are handed on."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from compilers.kopl.check import check
from compilers.kopl.functions import Kind
from compilers.kopl.program import Program
from training.examples import Names
from training.kqapro.labels import texts

GRAPH = "kqapro"
MOST_ENTITIES = 3000
_KINDS = (Kind.CONCEPT, Kind.RELATION, Kind.ATTRIBUTE, Kind.QUALIFIER, Kind.ENTITY)


@dataclass(frozen=True, slots=True)
class Example:
    """A question and the program that answers it; `source` says where both come from."""

    question: str
    program: Program
    source: str
    split: Literal["train", "dev"] = "train"

    def as_data(self) -> dict[str, Any]:
        """The example as one line of data."""
        return {
            "question": self.question,
            "program": [
                {"function": s.function, "inputs": list(s.inputs), "dependencies": list(s.dependencies)}
                for s in self.program.steps
            ],
            "graph": GRAPH,
            "split": self.split,
            "source": self.source,
        }


def is_valid(program: Program) -> bool:
    """True if the checker finds no error, nor an end without an answer."""
    return not check(program)


def distinct(examples: Iterable[Example]) -> list[Example]:
    """The examples, each question once: for development where it is kept for that, else as it came first."""
    kept: dict[str, Example] = {}
    for example in sorted(examples, key=lambda example: example.split):
        kept.setdefault(example.question.casefold(), example)
    return list(kept.values())


def schema_of(examples: Sequence[Example]) -> dict[str, list[str]]:
    """Every label in the examples, by kind; of the entities the first 3,000."""
    found: dict[str, list[str]] = {}
    for kind in _KINDS:
        labels = list(dict.fromkeys(text for example in examples for text in texts(example.program, kind)))
        found[kind.value] = labels[:MOST_ENTITIES] if kind == Kind.ENTITY else sorted(labels)
    return found


def write_files(folder: Path, examples: Sequence[Example], schema: Names) -> None:
    """Write `kqapro.examples.jsonl` and `kqapro.schemas.json`; readers see the old files or the new ones."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(example.as_data(), ensure_ascii=False) + "\n" for example in examples)
    _replace(folder / f"{GRAPH}.examples.jsonl", "".join(lines))
    _replace(folder / f"{GRAPH}.schemas.json", json.dumps({GRAPH: schema}, ensure_ascii=False, indent=1))


def _replace(path: Path, text: str) -> None:
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)
