"""A small graph of books, in plain triples and as statements with qualifiers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

PREFIXES = """@prefix : <http://lib.example/> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
LABELS = {
    "Book": "book", "Author": "author", "City": "city", "Genre": "genre", "writtenBy": "written by",
    "bornIn": "born in", "genre": "genre", "publishedIn": "published in", "pages": "number of pages",
    "published": "publication year", "born": "date of birth", "motto": "motto", "since": "since",
}  # fmt: skip

TINY = {"Bonn": "City", "Ulm": "City", "Germany": "Country"}

Fact = tuple[str, str, str]


def facts() -> Iterator[Fact]:
    """Subject, predicate and object, as Turtle writes them."""
    rng = Random(7)
    for number in range(24):
        yield f":book{number}", ":writtenBy", f":author{number % 8}"
        yield f":book{number}", ":genre", f":genre{number % 5}"
        yield f":book{number}", ":publishedIn", f":city{number % 3}"
        yield f":book{number}", ":pages", str(90 + 7 * rng.randrange(60))
        if number % 4:
            yield f":book{number}", ":published", f'"{1950 + rng.randrange(60)}"^^xsd:gYear'
    for number in range(8):
        yield f":author{number}", ":bornIn", f":city{number % 4}"
        yield f":author{number}", ":born", f'"19{20 + 3 * number}-0{1 + number % 9}-1{number}"^^xsd:date'
    for number in range(4):
        yield f":city{number}", ":motto", f'"motto {number}"'


def things() -> Iterator[str]:
    """Classes and names, which are plain triples in either form."""
    for name, label in LABELS.items():
        yield f':{name} rdfs:label "{label}" .'
    numbers = {"Book": 24, "Author": 8, "Genre": 5, "City": 4}
    for concept, number in numbers.items():
        for each in range(number):
            yield f':{concept.lower()}{each} a :{concept} ; rdfs:label "{LABELS[concept].title()} {each}" .'


def write_plain(file: Path) -> Path:
    """The graph in plain triples."""
    return _write(file, (*things(), *(f"{s} {p} {o} ." for s, p, o in facts())))


def write_statements(file: Path) -> Path:
    """The graph as reified statements; those of a birth place have a qualifier."""
    statements = (_statement(number, *fact) for number, fact in enumerate(facts()))
    return _write(file, (*things(), *statements))


def write_tiny(file: Path) -> Path:
    """Two cities in a country, and nothing more."""
    names = (f':{name} a :{kind} ; rdfs:label "{name}" .' for name, kind in TINY.items())
    return _write(file, (*names, ':in rdfs:label "in" .', ":Bonn :in :Germany .", ":Ulm :in :Germany ."))


def _statement(number: int, subject: str, predicate: str, value: str) -> str:
    qualifier = f' ; :since "{1960 + number % 40}"^^xsd:gYear' if predicate == ":bornIn" else ""
    return (
        f":statement{number} a rdf:Statement ; rdf:subject {subject} ; rdf:predicate {predicate} ;"
        f" rdf:object {value}{qualifier} ."
    )


def _write(file: Path, lines: tuple[str, ...]) -> Path:
    file.write_text(PREFIXES + "\n".join(lines) + "\n", encoding="utf-8")
    return file


def lines_of(file: Path) -> list[dict[str, Any]]:
    """The lines of a corpus."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
