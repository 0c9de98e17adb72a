"""Graphs of relations with questions that follow them either way.

Each has relations of many fields, so that hardly any two say the same the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from compilers.kopl.notations import read_program
from compilers.kopl.program import Program
from training.labels.graph import LabelGraph, Things, iri_of, read_lines, things_of, turtle_of

FILE = "relations.jsonl.gz"
# Relations of a graph, and facts of a relation.
_RELATIONS, _FACTS = 8, 7
# Of each relation's questions so many: for what it leads to, for what leads to it, for whether it does.
_ASKED = (3, 3, 6)
_PROGRAMS = (
    "Find({A})->Relate({R}, forward)->What()",
    "Find({B})->Relate({R}, backward)->What()",
    "Find({B})->Find({A})->Relate({R}, forward)->And()->Exists()",
)

Fact = tuple[str, str]


@dataclass(frozen=True, slots=True)
class LabelledRelation:
    """A label with the classes of its ends; questions for the object, for the subject, and for whether."""

    label: str
    domain: str
    range: str
    texts: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, record: dict[str, Any]) -> LabelledRelation:
        """The relation of a line of the file."""
        texts = tuple(tuple(record[key]) for key in ("forward", "backward", "verdict"))
        return cls(record["label"], record["from"], record["to"], texts)


def relation_graphs() -> Iterator[LabelGraph]:
    """The graphs; the relations of one are as far apart in the file as can be."""
    every = [LabelledRelation.of(record) for record in read_lines(FILE)]
    count = -(-len(every) // _RELATIONS)
    for number in range(count):
        own = {one.label: one for one in every[number::count]}
        yield _graph(f"relations_{number}", tuple(own.values()))


def _graph(name: str, relations: tuple[LabelledRelation, ...]) -> LabelGraph:
    random = Random(name)
    things = things_of((end for one in relations for end in (one.domain, one.range)), random)
    facts = {one: tuple(_facts(one, things, random)) for one in relations}
    told = ((a, one.label, iri_of(b)) for one, pairs in facts.items() for a, b in pairs)
    turtle = turtle_of(things, (one.label for one in relations), told)
    questions = (question for one, pairs in facts.items() for question in _questions(one, pairs, random))
    return LabelGraph(name, turtle, tuple(questions))


def _facts(one: LabelledRelation, things: Things, random: Random) -> Iterator[Fact]:
    """Pairs of things; no two are related both ways."""
    known: set[Fact] = set()
    for _ in range(_FACTS):
        pair = random.choice(things[one.domain]), random.choice(things[one.range])
        if pair[0] != pair[1] and not known & {pair, pair[::-1]}:
            known.add(pair)
            yield pair


def _questions(
    one: LabelledRelation, facts: tuple[Fact, ...], random: Random
) -> Iterator[tuple[str, Program]]:
    """Some questions; half of the verdicts are false."""
    for texts, number, program in zip(one.texts, _ASKED, _PROGRAMS, strict=True):
        for at, text in enumerate(random.sample(texts, min(number, len(texts)))):
            a, b = random.choice(facts)
            if texts is one.texts[2] and at % 2:
                a, b = b, a
            yield text.format(A=a, B=b), read_program(program.format(A=a, B=b, R=one.label))
