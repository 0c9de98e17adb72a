"""Graphs of relations with questions that follow them either way.

Each has relations of many fields, so that hardly any two say the same the other way round. Some relations
lead from and to things of another class as well: there "which chemists" has to keep to chemists. And two
relations in a row are asked for by the words of both: "Who is Ann's mentor's landlord?" Relations between
people have graphs of their own for these, where all things are people and nearly any two relations meet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from random import Random
from typing import Any

from compilers.kopl.notations import read_program
from compilers.kopl.program import Program
from training.labels.graph import LabelGraph, Things, far_apart, iri_of, read_lines, things_of, turtle_of
from training.labels.names import is_personal

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
# Two relations in a row, by which end of the second the first one meets, and questions for each.
_CHAINED = 3
_CHAINS = {0: "forward", 1: "backward"}
_PERSON = "person"
_CHAIN = "Find({A})->Relate({R}, forward)->Relate({S}, {D})->What()"
# The share of relations with things of another class, and how many of their facts have one at either end.
_MIXED, _STRANGE = 0.4, 3

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

    @property
    def is_noun(self) -> bool:
        """True if its label is a noun for the object: some question has it so, "Ann's mentor"."""
        return any(self._of("{A}") in text for text in self.texts[0])

    def between_people(self) -> LabelledRelation:
        """The same with people in general at both ends."""
        return replace(self, domain=_PERSON, range=_PERSON)

    def _of(self, name: str) -> str:
        return f"{name}'s {self.label}"

    def chained(self, name: str, text: str) -> str:
        """A question for what this relation leads to from a thing, in the words of another one's question."""
        return text.format(A=self._of(name), B=self._of(name))


def relation_graphs() -> Iterator[LabelGraph]:
    """The graphs; the relations of one are as far apart in the file as can be."""
    every = [LabelledRelation.of(record) for record in read_lines(FILE)]
    yield from (_graph(f"relations_{number}", some) for number, some in enumerate(_apart(every)))
    people = [one.between_people() for one in every if is_personal(one.domain) and is_personal(one.range)]
    yield from (_graph_of_people(f"people_{number}", some) for number, some in enumerate(_apart(people)))


def _apart(every: Sequence[LabelledRelation]) -> Iterator[tuple[LabelledRelation, ...]]:
    """The relations of each graph, by their labels."""
    yield from (tuple({one.label: one for one in some}.values()) for some in far_apart(every, _RELATIONS))


def _graph_of_people(name: str, relations: tuple[LabelledRelation, ...]) -> LabelGraph:
    random = Random(name)
    things = things_of((_PERSON,), random)
    facts = {one: tuple(_facts(one, things, random)) for one in relations}
    told = ((a, one.label, iri_of(b)) for one in facts for a, b in facts[one])
    turtle = turtle_of(things, (one.label for one in relations), told)
    return LabelGraph(name, turtle, tuple(_chained(facts, random)))


def _graph(name: str, relations: tuple[LabelledRelation, ...]) -> LabelGraph:
    random = Random(name)
    things = things_of((end for one in relations for end in (one.domain, one.range)), random)
    facts = {one: tuple(_facts(one, things, random)) for one in relations}
    strange = {
        one: tuple(_strange_facts(one, facts[one], things, random))
        for one in relations
        if random.random() < _MIXED
    }
    told = ((a, one.label, iri_of(b)) for every in (facts, strange) for one in every for a, b in every[one])
    turtle = turtle_of(things, (one.label for one in relations), told)
    asked = (_questions(one, facts[one], random, mixed=one in strange) for one in relations)
    return LabelGraph(name, turtle, (*chain.from_iterable(asked), *_chained(facts, random)))


def _facts(one: LabelledRelation, things: Things, random: Random) -> Iterator[Fact]:
    """Pairs of things; no two are related both ways."""
    known: set[Fact] = set()
    for _ in range(_FACTS):
        pair = random.choice(things[one.domain]), random.choice(things[one.range])
        if pair[0] != pair[1] and not known & {pair, pair[::-1]}:
            known.add(pair)
            yield pair


def _strange_facts(
    one: LabelledRelation, facts: tuple[Fact, ...], things: Things, random: Random
) -> Iterator[Fact]:
    """Facts with the same things at one end, and one of another class at the other."""
    others = [name for kind, names in things.items() if kind not in (one.domain, one.range) for name in names]
    for a, b in random.sample(facts, min(_STRANGE, len(facts))):
        yield a, random.choice(others)
        yield random.choice(others), b


def _questions(
    one: LabelledRelation, facts: tuple[Fact, ...], random: Random, *, mixed: bool
) -> Iterator[tuple[str, Program]]:
    """Some questions; half of the verdicts are false. Where classes are `mixed`, one that is named counts."""
    kinds = one.range, one.domain, ""
    for texts, number, program, kind in zip(one.texts, _ASKED, _PROGRAMS, kinds, strict=True):
        for at, text in enumerate(random.sample(texts, min(number, len(texts)))):
            a, b = random.choice(facts)
            if texts is one.texts[2] and at % 2:
                a, b = b, a
            calls = program.format(A=a, B=b, R=one.label)
            if mixed and kind and _names(text, kind):
                calls = calls.replace("->What", f"->FilterConcept({kind})->What")
            yield text.format(A=a, B=b), read_program(calls)


def _names(text: str, kind: str) -> bool:
    """True if a text names a class, in the singular or the plural."""
    return bool(re.search(rf"\b{re.escape(kind.removesuffix('y'))}(y|ies|s|es)?\b", text, re.IGNORECASE))


def _chained(
    facts: Mapping[LabelledRelation, tuple[Fact, ...]], random: Random
) -> Iterator[tuple[str, Program]]:
    """Questions along two relations, the first by its noun; none that leads back by the way it came."""
    for first in filter(lambda one: one.is_noun, facts):
        for second, pairs in facts.items():
            for end, direction in _CHAINS.items():
                starts = {pair[end] for pair in pairs}
                met = [a for a, b in facts[first] if b in starts]
                if not met or (second is first and direction == "backward"):
                    continue
                for text in random.sample(second.texts[end], _CHAINED):
                    a = random.choice(met)
                    program = _CHAIN.format(A=a, R=first.label, S=second.label, D=direction)
                    yield first.chained(a, text), read_program(program)
