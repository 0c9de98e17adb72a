"""Questions that a strong general model wrote, with programs that were run, and graphs that it made up.

`questions.jsonl.gz` has a line for each program over a graph, with the questions that mean it, and a line
for each graph with questions that it cannot answer. The graphs are some of Spider4SPARQL's train split, of
which the model saw the schema and some values, but no question; and those of `graphs/`, made up for this. No
graph that a benchmark measures is among them. `WRITING.md` is what the model was asked.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.convert import GRAPHS as ARCHIVE
from benchmarks.convert import unpack
from compilers.kopl.notations.json import from_data
from compilers.kopl.program import Program

HERE = Path(__file__).parent
QUESTIONS = HERE / "questions.jsonl.gz"
GRAPHS = HERE / "graphs"


@dataclass(slots=True)
class Written:
    """The questions over one graph: those of each program, and those that it cannot answer."""

    programs: list[tuple[Program, tuple[str, ...]]] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)

    def questions(self) -> Iterator[tuple[str, Program]]:
        """Each question with its program."""
        for program, questions in self.programs:
            for question in questions:
                yield question, program


def read_written(file: Path = QUESTIONS) -> Mapping[str, Written]:
    """The questions by graph."""
    found: defaultdict[str, Written] = defaultdict(Written)
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            written = found[record["graph"]]
            if "program" in record:
                written.programs.append((from_data(record["program"]), tuple(record["questions"])))
            written.absent += record.get("absent", ())
    return found


def own_graphs(names: Sequence[str]) -> Mapping[str, Path]:
    """The files of those graphs that were made up."""
    return {name: file for name in names if (file := GRAPHS / f"{name}.ttl.gz").exists()}


def graph_files(names: Collection[str], data: Path, folder: Path) -> Mapping[str, Path]:
    """The file of each graph: its own, or that of Spider4SPARQL's below `data`, unpacked into a folder."""
    own = own_graphs(list(names))
    return {**own, **unpack(data / "spider4sparql" / ARCHIVE, set(names) - set(own), folder)}
