"""Questions with a gold program: KQA Pro's where the data folder is at hand, else the built-in sample's."""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compilers.compile import CompiledQuery, compile_program
from compilers.dialects import DIALECTS
from compilers.grounded import GroundedProgram
from compilers.kopl.notations import read_program
from compilers.layouts import Options
from compilers.layouts.vocabulary import PRED
from connectors import EmbeddedOxigraph
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.index import Index, build

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data" / "kqapro" / "mini"
SAMPLE = ROOT / "nlq_gateway" / "sample"
HIERARCHY = PRED + "instance_of"


@dataclass(frozen=True, slots=True)
class Question:
    """A gold program as JSON and bound to its graph, the expected answers, and KQA Pro's own SPARQL."""

    program: tuple[Mapping[str, Any], ...]
    grounded: GroundedProgram
    expected: frozenset[str]
    language: str
    sparql: str

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the labels wanted, in order."""
        return tuple(dict.fromkeys((self.language, "en")))

    def is_answered_by(self, found: Iterable[str]) -> bool:
        """True if these are the expected answers; Select may give some of several ties."""
        answers = set(found)
        if self.program[-1]["function"].startswith("Select"):
            return bool(answers) and answers <= self.expected
        return answers == self.expected


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Questions about the graph that `files` hold."""

    name: str
    files: tuple[Path, ...]
    questions: tuple[Question, ...]
    plain_labels: bool

    def compile(self, question: Question, dialect: str) -> CompiledQuery:
        """The question's program as a query."""
        options = Options(DIALECTS[dialect], question.languages, self.plain_labels, hierarchy=HIERARCHY)
        return compile_program(question.grounded, "kqapro", options)


def read_benchmark(data: Path) -> Benchmark:
    """KQA Pro's small graph and its programs in a folder, or the sample where they are not there."""
    programs = data / "programs.jsonl.gz"
    if programs.is_file():
        return Benchmark("KQA Pro", *_read((data / "kb.ttl.gz",), programs), plain_labels=True)
    files = tuple(sorted(SAMPLE.glob("*.ttl")))
    return Benchmark("built-in sample", *_read(files, SAMPLE / "questions.jsonl"), plain_labels=False)


def _read(files: tuple[Path, ...], programs: Path) -> tuple[tuple[Path, ...], tuple[Question, ...]]:
    with tempfile.TemporaryDirectory() as folder:
        build(EmbeddedOxigraph.in_memory(files), "kqapro", Path(folder))
        index = Index.open(Path(folder), None)
        grounder = Grounder(index)
        questions = tuple(_question(grounder, json.loads(line)) for line in read_text(programs).splitlines())
        index.close()
    return files, questions


def _question(grounder: Grounder, record: Mapping[str, Any]) -> Question:
    return Question(
        tuple(record["program"]),
        grounder.ground(read_program(record), near=False).grounded,
        frozenset(record["expected"] if "expected" in record else record["answers"]),
        record.get("lang", "en"),
        record.get("sparql", ""),
    )


def read_text(path: Path) -> str:
    """A text file, perhaps compressed."""
    content = path.read_bytes()
    return (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8")
