"""KQA Pro's files as examples: patterns, official programs, linear programs."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.notations.json import from_data
from compilers.kopl.program import Program
from training.kqapro.examples import Example, is_valid
from training.kqapro.labels import Labels, texts, types_by_form, types_in
from training.kqapro.mentions import asks_for, in_order, is_said
from training.kqapro.patterns import INSTANCE_OF, OddPatterns, Pattern, joined, read_patterns, tree_of
from training.kqapro.queries import plain_numbers, says_nothing_twice, tree_of_query
from training.kqapro.trees import Tree, read, write

_DEV_SHARE = 4


def records(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a file of JSON lines, gzipped or not."""
    with (
        gzip.open(path, "rt", encoding="utf-8")
        if path.suffix == ".gz"
        else path.open(encoding="utf-8") as lines
    ):
        for line in lines:
            yield json.loads(line)


def example(question: str, tree: Tree, source: str) -> Example | None:
    """The example in canonical order; None where it is not valid, or not said in the question."""
    program = write(in_order(tree, question))
    if not is_valid(program) or not is_said(tree, question):
        return None
    return Example(" ".join(question.split()), program, source)


def _linear(steps: Iterable[Mapping[str, Any]]) -> Program:
    return from_data([{**step, "inputs": joined(step["inputs"])} for step in steps])


@dataclass(frozen=True)
class Data:
    """The folder of KQA Pro's files."""

    folder: Path

    @cached_property
    def official(self) -> list[tuple[str, str, Program]]:
        """Id, question and program of the official records."""
        rows = records(self.folder / "val.part.jsonl.gz")
        return [(row["id"], row["question"], from_data(row["gold"]["kopl"])) for row in rows]

    @cached_property
    def shots(self) -> list[tuple[str, Program]]:
        """Questions and programs whose dependencies are inferred."""
        rows = records(self.folder / "shots100.jsonl")
        return [(row["question"], _linear(row["gold"]["kopl_linear"])) for row in rows]

    @cached_property
    def asked(self) -> list[tuple[str, str, tuple[Pattern, ...]]]:
        """Question, target and patterns of the training questions; odd ones are left out."""
        found = []
        for row in records(self.folder / "train.graph.jsonl.gz"):
            try:
                patterns = read_patterns(row["gold"]["patterns"])
            except OddPatterns:
                continue
            found.append((row["question"], row["gold"]["target"], patterns))
        return found

    @cached_property
    def facts(self) -> list[dict[str, Any]]:
        """The facts of the graph that are known."""
        return list(records(self.folder / "facts.partial.jsonl.gz"))

    @cached_property
    def concepts(self) -> frozenset[str]:
        """The concepts in human questions."""
        official = [text for _, _, program in self.official for text in texts(program, Kind.CONCEPT)]
        asked = [p.object for _, _, patterns in self.asked for p in patterns if p.label == INSTANCE_OF]
        return frozenset([*official, *asked])

    @cached_property
    def labels(self) -> Labels:
        """The kinds of the labels, by the programs, the facts and the patterns, in this order of trust."""
        programs = [program for _, _, program in self.official] + [program for _, program in self.shots]
        attributes = {fact["p"] for fact in self.facts if fact["kind"] == "attr"} | {
            text for program in programs for text in texts(program, Kind.ATTRIBUTE)
        }
        relations = {fact["p"] for fact in self.facts if fact["kind"] == "rel"} | {
            text for program in programs for text in texts(program, Kind.RELATION)
        }
        relations |= self._relations_in_patterns(attributes)
        texts_of_facts = {fact["p"]: ValueType.STRING for fact in self.facts if fact["kind"] == "attr"}
        types = {**types_by_form(self._values()), **texts_of_facts, **types_in(programs)}
        return Labels(frozenset(relations), types)

    def _relations_in_patterns(self, attributes: set[str]) -> set[str]:
        """Labels that lead to a variable, or to the subject of another fact."""
        names = {fact["s"] for fact in self.facts} | {
            fact["o"] for fact in self.facts if fact["kind"] == "rel"
        }
        return {
            pattern.label
            for _, _, patterns in self.asked
            for pattern in patterns
            if pattern.label not in attributes
            and pattern.label != INSTANCE_OF
            and (pattern.object.startswith("?e") or pattern.object in names)
        }

    def _values(self) -> Iterator[tuple[str, str]]:
        for _, _, patterns in self.asked:
            for pattern in patterns:
                if not pattern.object.startswith("?"):
                    yield pattern.label, pattern.object
                if pattern.qualifier and not pattern.value.startswith("?"):
                    yield pattern.qualifier, pattern.value
        for fact in self.facts:
            yield from fact["q"]


def pattern_examples(data: Data) -> Iterator[Example]:
    """Examples of the training questions with graph patterns."""
    for question, target, patterns in data.asked:
        try:
            found = example(question, tree_of(target, patterns, data.labels), "patterns")
        except OddPatterns:
            continue
        if found:
            yield found


def official_examples(data: Data) -> Iterator[Example]:
    """Examples of the official programs; a quarter, by the number in the id, is kept for development."""
    for name, question, program in data.official:
        tree = read(program)
        if int(name.rsplit("-", 1)[1]) % _DEV_SHARE == 0:
            ordered = write(in_order(tree, question))
            yield Example(" ".join(question.split()), ordered, "official", "dev")
        elif found := example(question, tree, "official"):
            yield found


def shot_examples(data: Data) -> Iterator[Example]:
    """Examples of the linear programs."""
    for question, program in data.shots:
        if found := example(question, read(program), "shots"):
            yield found


def query_examples(data: Data) -> Iterator[Example]:
    """Examples of the machine-written questions with a sound query that matches the question."""
    for row in records(data.folder / "synthetic.flexkbqa.jsonl.gz"):
        question = plain_numbers(row["question"])
        try:
            tree = tree_of_query(row["gold"]["sparql"], data.labels)
        except OddPatterns:
            continue
        known = data.concepts.issuperset(texts(write(tree), Kind.CONCEPT))
        found = example(question, tree, "queries")
        if found and known and says_nothing_twice(tree) and asks_for(tree, question):
            yield found
