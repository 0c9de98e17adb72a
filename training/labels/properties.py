"""Graphs of classes with some of their properties: questions for these, and for those that are left out.

Many properties of a class are near relatives of another: the year a lighthouse was built, lit, automated.
Where one is left out, its relatives are no answer.
"""

from __future__ import annotations

import zlib
from collections.abc import Container, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from compilers.kopl.notations import read_program
from training.labels.graph import LabelGraph, Things, far_apart, iri_of, read_lines, things_of, turtle_of

FILE = "properties.jsonl.gz"
_CLASSES = 3
# One class in so many is held out of training.
_ONE_IN = 6
# The share of the properties that is there.
_PRESENT = 0.7
# Of the questions for an attribute of a thing and for what a relation leads to; one of the others each.
_ASKED = 2

Json = dict[str, Any]
_ALL = "FindAll()->FilterConcept({C})"
_SUPERLATIVES = {"most": "largest", "least": "smallest"}
_COMPARATIVES = {"more": ">", "less": "<"}
_OF_THING = frozenset(("asked", "forward"))
_RELATED = {
    "forward": "Find({A})->Relate({P}, forward)->What()",
    "backward": "Find({B})->Relate({P}, backward)->What()",
}


@dataclass(frozen=True, slots=True)
class LabelledClass:
    """A class with the records of its attributes and relations."""

    label: str
    attributes: tuple[Json, ...]
    relations: tuple[Json, ...]

    @classmethod
    def of(cls, record: Json) -> LabelledClass:
        """The class of a line of the file."""
        return cls(record["class"], tuple(record["attributes"]), tuple(record["relations"]))

    @property
    def properties(self) -> tuple[Json, ...]:
        """Both."""
        return (*self.attributes, *self.relations)


def is_held_out(label: str) -> bool:
    """True if a class is no part of training."""
    return zlib.crc32(label.encode()) % _ONE_IN == 0


def property_graphs(*, held_out: bool = False) -> Iterator[LabelGraph]:
    """The graphs, of the classes for training or of the others; those of one are far apart in the file."""
    every = [LabelledClass.of(record) for record in read_lines(FILE)]
    chosen = [one for one in every if is_held_out(one.label) == held_out]
    name = "held_properties" if held_out else "properties"
    for number, some in enumerate(far_apart(chosen, _CLASSES)):
        own = {one.label: one for one in some}
        yield _graph(f"{name}_{number}", tuple(own.values()))


def _graph(name: str, classes: tuple[LabelledClass, ...]) -> LabelGraph:
    random = Random(name)
    ends = (relation["to"] for one in classes for relation in one.relations)
    things = things_of((*(one.label for one in classes), *ends), random)
    present = [(one, record) for one in classes for record in one.properties if random.random() < _PRESENT]
    facts = [fact for one, record in present for fact in _facts(one, record, things, random)]
    turtle = turtle_of(things, (record["label"] for _, record in present), facts)
    there = {record["label"] for _, record in present}
    linked = frozenset((label, value) for _, label, value in facts)
    questions, absent = [], []
    for one in classes:
        for record in one.properties:
            for text, program in _asked(one, record, things, linked, random):
                if record["label"] not in there:
                    absent.append(text)
                elif (one, record) in present:
                    questions.append((text, read_program(program)))
    return LabelGraph(name, turtle, tuple(questions), tuple(absent))


def _facts(
    one: LabelledClass, record: Json, things: Things, random: Random
) -> Iterator[tuple[str, str, str]]:
    for thing in things[one.label]:
        value = iri_of(random.choice(things[record["to"]])) if "to" in record else _literal(record, random)
        yield thing, record["label"], value


def _literal(record: Json, random: Random) -> str:
    kind = record["type"]
    if kind == "text":
        return f'"{random.choice(record["values"])}"'
    number = random.randint(int(record["low"]), int(record["high"]))
    if kind == "year":
        return f'"{number}"^^xsd:gYear'
    if kind == "date":
        return f'"{number}-{random.randint(1, 12):02}-{random.randint(1, 28):02}"^^xsd:date'
    return str(number)


def _asked(
    one: LabelledClass, record: Json, things: Things, linked: Container[tuple[str, str]], random: Random
) -> Iterator[tuple[str, str]]:
    """Questions for a property, each with the text of its program.

    `linked` has labels with what they lead to: nothing else is asked for, where the property is there.
    """
    a = random.choice(things[one.label])
    every = things[record["to"]] if "to" in record else ("",)
    ends = [end for end in every if (record["label"], iri_of(end)) in linked] or every
    for text, program in _programs(record, random):
        names = {"A": a, "B": random.choice(ends)}
        value = value_of(record, random) if "{V}" in text else ""
        filled = program.format(C=one.label, P=record["label"], V=value, **names)
        yield text.format(V=value, **names), filled


def _programs(record: Json, random: Random) -> Iterator[tuple[str, str]]:
    for key, program in _forms(record.get("type", "relation")):
        number = _ASKED if key in _OF_THING else 1
        yield from ((text, program) for text in random.sample(record[key], min(number, len(record[key]))))


def _forms(kind: str) -> Iterator[tuple[str, str]]:
    """The keys of questions for such a property, each with its program."""
    if kind == "relation":
        yield from _RELATED.items()
        return
    yield "asked", "Find({A})->QueryAttr({P})"
    if kind == "text":
        yield "with", f"{_ALL}->FilterStr({{P}}, {{V}})->What()"
        return
    function = "FilterNum" if kind == "number" else "FilterYear"
    yield from ((key, f"{_ALL}->SelectAmong({{P}}, {order})") for key, order in _SUPERLATIVES.items())
    yield from (
        (key, f"{_ALL}->{function}({{P}}, {{V}}, {sign})->What()") for key, sign in _COMPARATIVES.items()
    )


def value_of(record: Json, random: Random) -> str:
    """A value of an attribute that some things have, and others exceed."""
    if record["type"] == "text":
        return str(random.choice(record["values"]))
    low, high = int(record["low"]), int(record["high"])
    return str(random.randint(low + (high - low) // 4, high - (high - low) // 4))
