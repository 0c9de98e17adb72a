"""Training examples: files of questions with programs, made into the decisions of the drafter."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tokenizers import Tokenizer

from compilers.kopl.functions import SCHEMA_KINDS, Kind
from compilers.kopl.notations.json import from_data
from compilers.kopl.program import Program
from compilers.kopl.tables import COLUMNWISE
from nlq_gateway.drafts.drafter.pieces import Pieces
from nlq_gateway.drafts.drafter.vocabulary import KIND_ID, WORD_ID, Mode
from nlq_gateway.question.linking.literals import find_literals
from training.drafter.serial import PointedArgument, TooLong, serial
from training.drafter.stretches import find_stretch
from training.mentioned import as_mentioned

LONGEST_QUESTION = 96
LONGEST_PROGRAM = 100
# From so many columns on a table is wide, or where it goes on to other things or to a number of them.
_COLUMNS = 3
_GOING_ON = frozenset(("Relate", "Calculate"))
# From so many relations on a program is a chain.
_LINKS = 2

Name = tuple[int, str]
# The classes that have an item, and those that it leads to, by their labels, each with a number of facts.
Ends = tuple[Sequence[tuple[str, int]], Sequence[tuple[str, int]]]


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of the drafter: `value` is a word's or token's number; an item has its kind and label."""

    mode: Mode
    value: int
    item: Name | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A question as tokens, and the decisions that write its program; `shape_of` says its shape."""

    question: str
    ids: tuple[int, ...]
    decisions: tuple[Decision, ...]
    graph: str
    source: str
    shape: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """All examples, the schema of each graph as (kind, label) with its ends, and names of its entities."""

    examples: tuple[Example, ...]
    held_out: tuple[Example, ...]
    schemas: Mapping[str, Mapping[Name, Ends]]
    names: Mapping[str, tuple[str, ...]]


def read_corpus(folder: Path, tokenizer: Tokenizer, remembered: Path) -> Corpus:
    """Every `*.examples.jsonl` of a folder, with its `*.schemas.json`; the result is cached."""
    known = pickle.loads(remembered.read_bytes()) if remembered.exists() else {}
    schemas: dict[str, dict[Name, Ends]] = {}
    names: dict[str, tuple[str, ...]] = {}
    for file in sorted(folder.glob("*.schemas.json")):
        for graph, kinds in json.loads(file.read_text("utf-8")).items():
            listed = [(str(kind), label) for kind in SCHEMA_KINDS for label in kinds.get(kind, ())]
            ends = kinds.get("ends", {})
            schemas.setdefault(graph, {}).update(
                ((KIND_ID[Kind(kind)], label), ends.get(kind, {}).get(label, ((), ())))
                for kind, label in listed
            )
            names[graph] = tuple(kinds.get("entity", ()))
    sets: dict[str, list[Example]] = {"train": [], "dev": []}
    for file in sorted(folder.glob("*.examples.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            record = json.loads(line)
            if line not in known:
                known[line] = made(record, tokenizer)
            example = known[line]
            if example is not None:
                sets[record["split"]].append(example)
    remembered.write_bytes(pickle.dumps(known))
    return Corpus(tuple(sets["train"]), tuple(sets["dev"]), schemas, names)


def made(record: Mapping[str, object], tokenizer: Tokenizer) -> Example | None:
    """An example; None where its program is not said by its question, or too long."""
    question = " ".join(str(record["question"]).split())
    pieces = Pieces.of(question, tokenizer)
    program = as_mentioned(from_data(record["program"]), question)
    if len(pieces.ids) > LONGEST_QUESTION:
        return None
    try:
        decisions = tuple(_decisions(program, pieces))
    except (TooLong, _NotSaid):
        return None
    if len(decisions) > LONGEST_PROGRAM:
        return None
    graph, source = str(record["graph"]), str(record.get("source", ""))
    return Example(question, pieces.ids, decisions, graph, source, shape_of(program))


def shape_of(program: Program) -> str:
    """The shape that has a share of its own: a wide `table`, a `chain` of relations; "" of other programs."""
    functions = [step.function for step in program.steps]
    columns = max(
        (len(step.dependencies) for step in program.steps if step.function in COLUMNWISE), default=0
    )
    if columns >= _COLUMNS or (columns and not _GOING_ON.isdisjoint(functions)):
        return "table"
    return "chain" if functions.count("Relate") >= _LINKS else ""


class _NotSaid(ValueError):
    """An argument is nowhere in the question."""


def _decisions(program: Program, pieces: Pieces) -> Iterator[Decision]:
    literals = find_literals(pieces.text, _units(program))
    for written in serial(program):
        if not isinstance(written, PointedArgument):
            yield Decision(Mode.WORD, WORD_ID[written.text])
        elif written.kind in KIND_ID:
            yield Decision(Mode.ITEM, 0, (KIND_ID[written.kind], written.text))
        else:
            step, argument = written.place
            parameter = program.steps[step].signature.parameters[argument]
            found = find_stretch(pieces, literals, parameter, (written.text,))
            if found is None:
                raise _NotSaid(written.text)
            yield Decision(Mode.FIRST, found[0])
            yield Decision(Mode.LAST, found[1])


def _units(program: Program) -> tuple[str, ...]:
    """The units that the program's quantities have, which the endpoint's index would know."""
    texts = (text for step in program.steps for text in step.inputs)
    return tuple(text.partition(" ")[2] for text in texts if _is_measure(text))


@cache
def _is_measure(text: str) -> bool:
    number, _, unit = text.partition(" ")
    return bool(unit) and number.lstrip("-").replace(".", "", 1).isdigit()
