"""What the network of directions learns from: a question beside its fact, and beside the reverse."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from compilers.kopl.notations.json import from_data
from compilers.kopl.program import Program
from nlq_gateway.judging.directions import Reversed, has_proper_names, stated_fact, told
from training.labels import properties, relations
from training.labels.graph import read_lines
from training.labels.relations import LabelledRelation

_ONE_IN = 10
_PLACES = ("A", "B")
# What "how many" takes in the place of a question's first word, and words after it that bar that.
_ASKING = {"Which": "", "Who": "people ", "Whom": "people ", "What": "things "}
_BEING = frozenset(("is", "was", "of"))
# Relations that hold both ways: either of both facts is meant.
_SYMMETRIC = "symmetric.jsonl.gz"

# The source of a question, and it beside its fact and the reverse.
Stated = tuple[str, Reversed]


def of_labels() -> Iterator[tuple[bool, Stated]]:
    """What the labels' questions ask for; True where the label is held out."""
    for record in read_lines(relations.FILE):
        one = LabelledRelation.of(record)
        held = zlib.crc32(one.label.encode()) % _ONE_IN == 0
        for texts, kind in zip(one.texts, ("label asked", "label asked", "label verdict"), strict=True):
            yield from ((held, (kind, both)) for both in _of_texts(texts, one.label))
        asked = (text for texts in one.texts[:2] for text in texts)
        yield from ((held, ("label counted", both)) for both in _of_texts(_counted(asked), one.label))
    for record in read_lines(properties.FILE):
        for one in record["relations"]:
            texts = (*one["forward"], *one["backward"])
            yield from ((False, ("properties", both)) for both in _of_texts(texts, one["label"]))
    for record in read_lines(_SYMMETRIC):
        texts = (*record["forward"], *record["verdict"])
        for fact, reverse in _of_texts(texts, record["label"]):
            yield from ((False, ("symmetric", both)) for both in ((fact, reverse), (reverse, fact)))


def _of_texts(texts: Iterable[str], label: str) -> Iterator[Reversed]:
    for text in texts:
        subject, object_ = (place if f"{{{place}}}" in text else None for place in _PLACES)
        if both := told(text.replace("{", "").replace("}", ""), label, subject, object_):
            yield both


def _counted(texts: Iterable[str]) -> Iterator[str]:
    """Questions for a number, of those that go on unchanged after "how many chemists" and the like."""
    for text in texts:
        first, _, rest = text.partition(" ")
        if first in _ASKING and rest.partition(" ")[0] not in _BEING:
            yield f"How many {_ASKING[first]}{rest}"


def of_examples(folder: Path) -> Iterator[tuple[bool, Stated]]:
    """The same of the drafter's examples; True where the graph is one of development."""
    for file in sorted(folder.glob("*.examples.jsonl")):
        for record in map(json.loads, file.read_text("utf-8").splitlines()):
            if record["source"] != "labels" and (both := _of_record(record)):
                yield record["split"] != "train", (record["source"], both)


def _of_record(record: Mapping[str, Any]) -> Reversed | None:
    program = from_data(record["program"])
    fact = stated_fact(program)
    if fact is None or not has_proper_names(program):
        return None
    label = program.steps[fact.relation].inputs[0]
    return told(record["question"], label, *(_name(program, at) for at in (fact.subject, fact.object)))


def _name(program: Program, at: int | None) -> str | None:
    return None if at is None else program.steps[at].inputs[0]
