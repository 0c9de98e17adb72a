"""A graph made of labels, in Turtle, with questions over it."""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from compilers.kopl.program import Program
from training.labels.names import invented

_BASE = "http://labels.example/"
_THINGS = 8
_PREFIXES = (
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
    "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .",
)

Labelled = TypeVar("Labelled")
# Names of things by class.
Things = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class LabelGraph:
    """A graph with questions, each with its program, and questions that it cannot answer."""

    name: str
    turtle: str
    questions: tuple[tuple[str, Program], ...]
    absent: tuple[str, ...] = ()

    @contextmanager
    def as_file(self) -> Iterator[Path]:
        """The graph in a file that is there for the time of a block."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "graph.ttl"
            file.write_text(self.turtle, encoding="utf-8")
            yield file


def read_lines(name: str) -> Iterator[Any]:
    """The records of a file of this package."""
    with gzip.open(Path(__file__).with_name(name), "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def far_apart(every: Sequence[Labelled], size: int) -> Iterator[tuple[Labelled, ...]]:
    """Groups of about a size, whose parts are as far apart in the whole as can be."""
    count = -(-len(every) // size)
    yield from (tuple(every[number::count]) for number in range(count))


def things_of(classes: Iterable[str], random: Random) -> Things:
    """Invented things of each class; no name is there twice."""
    used: set[str] = set()
    return {one: tuple(_new(one, random, used) for _ in range(_THINGS)) for one in dict.fromkeys(classes)}


def turtle_of(things: Things, labels: Iterable[str], facts: Iterable[tuple[str, str, str]]) -> str:
    """The graph in Turtle; a fact is a thing's name, a label, and a thing as `iri_of` has it or a literal."""
    lines = [*_PREFIXES]
    for one, names in things.items():
        lines.append(f'{iri_of(one, "class")} rdfs:label "{one}" .')
        lines += (f'{iri_of(name)} a {iri_of(one, "class")} ; rdfs:label "{name}" .' for name in names)
    lines += (f'{iri_of(label, "property")} rdfs:label "{label}" .' for label in dict.fromkeys(labels))
    lines += (f"{iri_of(thing)} {iri_of(label, 'property')} {value} ." for thing, label, value in facts)
    return "\n".join(lines) + "\n"


def iri_of(name: str, kind: str = "thing") -> str:
    """The IRI of a name, in angle brackets."""
    return f"<{_BASE}{kind}/{name.replace(' ', '_')}>"


def _new(kind: str, random: Random, used: set[str]) -> str:
    name = next(name for name in invented(kind, random) if name not in used)
    used.add(name)
    return name
