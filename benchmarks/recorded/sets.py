"""Which questions were recorded, over which graphs.

The questions of a file are taken in the order of a hash of their ids, so that a set is neither chosen by hand
nor the first of a file, where those of one kind stand together.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks import building
from benchmarks.answers import KQAPRO_MEASURES, kqapro_questions
from compilers.kopl.check import check
from compilers.kopl.notations import read_program
from nlq_gateway.evaluation import Question, read_questions
from nlq_gateway.settings import SAMPLE, Settings

FOLDER = Path(__file__).parent
GERMAN = FOLDER / "german.jsonl"
_SAMPLE_QUESTIONS = Path(__file__).parents[2] / "nlq_gateway" / "sample" / "questions.jsonl"
_SHOTS = "shots100.jsonl"


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph with the questions about it that were recorded; `examples` are its demonstrations."""

    name: str
    files: tuple[str, ...]
    questions: tuple[Question, ...]
    examples: Path | None = None

    @property
    def settings(self) -> Settings:
        """A gateway's over this graph alone."""
        return Settings.for_data(self.files, examples=self.examples)


@dataclass(frozen=True, slots=True)
class Set:
    """A row of the table."""

    name: str
    graphs: tuple[Graph, ...]


def sets(data: Path, folder: Path) -> Iterator[Set]:
    """The sets whose data is there, the sample and the building always; `folder` takes what is made."""
    acme = data / "acme"
    if acme.is_dir():
        files = (str(acme / "kg.nt.gz"), str(acme / "ontology.ttl.gz"))
        yield Set("ACME", (Graph("acme", files, _first(acme / "questions.jsonl", None)),))
    plain = _spider(data, "spider4sparql", 10)
    if plain:
        yield Set("Spider4SPARQL", plain)
        yield Set("Spider-Syn", _spider(data, "spider-syn", 5))
    mini = data / "kqapro" / "mini"
    if mini.is_dir():
        questions = kqapro_questions(mini / "programs.jsonl.gz", folder / "kqapro.jsonl", KQAPRO_MEASURES)
        shots = _shots(mini.parent / _SHOTS, folder / _SHOTS)
        graph = Graph("kqapro", (str(mini / "kb.ttl.gz"),), _first(questions, 100), shots)
        yield Set("KQA Pro", (graph,))
    hall = str(building.write(folder / "building.ttl"))
    yield Set("Building", (Graph("building", (hall,), _first(building.QUESTIONS, None)),))
    yield Set("German", tuple(_german(data)))


def _spider(data: Path, questions: str, each: int) -> tuple[Graph, ...]:
    """Spider4SPARQL's ten graphs with the questions of a folder, so many of each."""
    graphs = sorted((data / "spider4sparql").glob("*.ttl.gz"))
    names = [graph.name.removesuffix(".ttl.gz") for graph in graphs]
    return tuple(
        Graph(name, (str(graph),), _first(data / questions / f"{name}.jsonl", each))
        for name, graph in zip(names, graphs, strict=True)
    )


def _german(data: Path) -> Iterator[Graph]:
    """Questions of the sample and of Spider4SPARQL's graphs in German, with the answers to the originals."""
    worded = {record["of"]: record["question"] for record in _records(GERMAN)}
    yield Graph("sample", (SAMPLE,), _translated(read_questions(str(_SAMPLE_QUESTIONS)), worded.get))
    for graph in _spider(data, "spider4sparql", 10_000):
        if found := _translated(graph.questions, worded.get):
            yield replace(graph, questions=found)


def _translated(questions: Iterable[Question], worded: Callable[[str], str | None]) -> tuple[Question, ...]:
    pairs = ((one, worded(one.id)) for one in questions)
    return tuple(replace(one, id=f"{one.id}-de", text=text, language="de") for one, text in pairs if text)


def _first(file: Path, most: int | None) -> tuple[Question, ...]:
    """The first questions that have an answer, in the order of a hash of their ids."""
    found = [one for one in read_questions(str(file)) if one.answers != ()]
    found.sort(key=lambda one: hashlib.sha256(one.id.removesuffix("-syn").encode()).digest())
    return tuple(found[:most])


def _shots(source: Path, target: Path) -> Path:
    """KQA Pro's demonstrations as this project reads them, without those whose names were cut at a comma."""
    with target.open("w", encoding="utf-8") as file:
        for record in _records(source):
            program = record["gold"]["kopl_linear"]
            if not check(read_program(program)):
                file.write(json.dumps({"question": record["question"], "program": program}) + "\n")
    return target


def _records(file: Path) -> Iterator[dict[str, Any]]:
    if file.is_file():
        yield from map(json.loads, file.read_text("utf-8").splitlines())
