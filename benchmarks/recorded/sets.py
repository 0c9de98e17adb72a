"""The recorded questions, and their graphs.

The questions of a file are ordered by a hash of their ids, so that a set is neither chosen by hand nor the
beginning of a file, where questions of one kind stand together.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks import building, works
from benchmarks.answers import KQAPRO_MEASURES, kqapro_questions
from benchmarks.recorded.merged import CARD, merged
from benchmarks.stores import servers, triples_of_files
from compilers.kopl.check import check
from compilers.kopl.notations import read_program
from nlq_gateway.offline.evaluation import GoldQuestion, read_questions
from nlq_gateway.settings import SAMPLE, EndpointSettings, PipelineSettings, Settings

FOLDER = Path(__file__).parent
# The strategies: one text a question, and a dialogue that begins with such a text.
STRATEGY, EXPLORE = "steps", "explore"
GERMAN, LANGUAGES = FOLDER / "german.jsonl", FOLDER / "languages.jsonl"
_SAMPLE_QUESTIONS = Path(__file__).parents[2] / "nlq_gateway" / "sample" / "questions.jsonl"
_SHOTS = "shots100.jsonl"


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph with the questions about it that were recorded; `examples` are its demonstrations.

    `card` are the tokens of schema in a prompt, where they are not the gateway's own number; `store` is the
    running store that the graph is loaded into (`benchmarks/stores.py`), "" for the embedded one.
    """

    name: str
    files: tuple[str, ...]
    questions: tuple[GoldQuestion, ...]
    examples: Path | None = None
    card: int | None = None
    store: str = ""

    def settings(self, **pipeline: object) -> Settings:
        """A gateway's over this graph alone, with these keys of `pipeline`."""
        card = {} if self.card is None else {"card": self.card}
        keys = PipelineSettings.model_validate({**pipeline, **card})
        examples = str(self.examples) if self.examples else None
        found = self._stored() if self.store else Settings.for_data(self.files).with_source(examples=examples)
        return found.model_copy(update={"pipeline": keys})

    def _stored(self) -> Settings:
        """A gateway's over the graph in a running store; loads it where it is not there yet."""
        source = servers()[self.store].source(triples_of_files(map(Path, self.files)))
        index = {"examples": str(self.examples)} if self.examples else {}
        endpoint = EndpointSettings.model_validate({"id": self.name, "index": index, **source})
        return Settings(endpoints=(endpoint,))


@dataclass(frozen=True, slots=True)
class Set:
    """A row of the table; `strategy` is the one that its replies were recorded by."""

    name: str
    graphs: tuple[Graph, ...]
    strategy: str = STRATEGY

    def within(self, store: str) -> Set:
        """The set over graphs in a running store, without the built-in sample, which is in no file."""
        graphs = (replace(one, store=store) for one in self.graphs if SAMPLE not in one.files)
        return replace(self, graphs=tuple(graphs))


def sets(data: Path, folder: Path) -> Iterator[Set]:
    """The sets with available data, and those that need none; `folder` takes generated files."""
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
    yield Set("German", tuple(_translations(data, GERMAN)))
    yield Set("Languages", tuple(_translations(data, LANGUAGES)))
    manufacturer = str(works.write(folder / "works.ttl"))
    asked = _first(works.write_questions(folder / "works.jsonl"), None)
    yield Set("Works", (Graph("works", (manufacturer,), asked, card=CARD),), EXPLORE)
    if files := merged(data / "spider4sparql", data / "spider-syn", folder):
        graph, *pairs = files
        for name, questions in zip(("Merged", "Merged-Syn"), pairs, strict=True):
            one = Graph("merged", (str(graph),), _first(questions, None), card=CARD)
            yield Set(name, (one,), EXPLORE)


def _spider(data: Path, questions: str, each: int) -> tuple[Graph, ...]:
    """Spider4SPARQL's ten graphs with the questions of a folder, so many of each."""
    graphs = sorted((data / "spider4sparql").glob("*.ttl.gz"))
    names = [graph.name.removesuffix(".ttl.gz") for graph in graphs]
    return tuple(
        Graph(name, (str(graph),), _first(data / questions / f"{name}.jsonl", each))
        for name, graph in zip(names, graphs, strict=True)
    )


def _translations(data: Path, file: Path) -> Iterator[Graph]:
    """Questions of the sample and of Spider4SPARQL's graphs as a file translates them, with their answers."""
    worded = {record["of"]: record for record in _records(file)}
    yield Graph("sample", (SAMPLE,), _translated(read_questions(str(_SAMPLE_QUESTIONS)), worded))
    for graph in _spider(data, "spider4sparql", 10_000):
        if found := _translated(graph.questions, worded):
            yield replace(graph, questions=found)


def _translated(
    questions: Iterable[GoldQuestion], worded: Mapping[str, Mapping[str, str]]
) -> tuple[GoldQuestion, ...]:
    pairs = ((one, worded[one.id]) for one in questions if one.id in worded)
    return tuple(
        replace(one, id=f"{one.id}-{to['lang']}", text=to["question"], language=to["lang"])
        for one, to in pairs
    )


def _first(file: Path, most: int | None) -> tuple[GoldQuestion, ...]:
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
