"""The gain of each rewrite on a big graph: a program compiled with and without it, on embedded Oxigraph.

The graph is made up: films with directors, genres and ratings, in plain RDF. The last two rows are no
separate passes: omitting the path over subclasses for a class without any, and stopping at one member for
Exists.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pyoxigraph as ox

from compilers import algebra as a
from compilers.dialects import DIALECTS
from compilers.grounded import Binding, GroundedProgram
from compilers.kopl.functions import ValueType
from compilers.kopl.notations import read_program
from compilers.layouts import Options
from compilers.layouts.vocabulary import RDF, RDFS, XSD
from compilers.lowering import begin, lower
from compilers.render import render
from compilers.rewrites import RULES
from compilers.rewrites.selective_first import selective_first
from compilers.rewrites.spell_domains import spell_domains

FILMS = 100_000
DIRECTORS, GENRES = 5_000, 20
ROUNDS = 5
BASE = "http://example.org/"
OPTIONS = Options(DIALECTS["oxigraph"], prefixes=(("ex", BASE),))
BINDINGS = {
    "film": Binding((BASE + "Film",), "film"),
    "director 7": Binding((BASE + "director7",), "director 7", size=FILMS // DIRECTORS),
    "director 8": Binding((BASE + "director8",), "director 8", size=FILMS // DIRECTORS),
    "directed by": Binding((BASE + "directedBy",), "directed by", subject="film", object="director"),
    "genre": Binding((BASE + "genre",), "genre", subject="film", object="genre"),
    "genre 3": Binding((BASE + "genre3",), "genre 3", size=FILMS // GENRES),
    "rating": Binding((BASE + "rating",), "rating", value_types=(ValueType.QUANTITY,), units=("1",)),
}
FILMS_ALL = "FindAll()->FilterConcept(film)"


@dataclass(frozen=True, slots=True)
class Case:
    """A rewrite by the name of its module, and a program that it changes."""

    rule: str
    program: str


CASES = (
    Case("drop_domains", f"{FILMS_ALL}->FilterNum(rating, 99.9, >)->Count()"),
    Case("join_values", "Find(director 7)->Find(director 8)->Or()->Relate(directed by, backward)->What()"),
    Case("inline_values", f"Find(director 7)->Relate(directed by, backward)->{FILMS_ALL}->And()->What()"),
    Case("drop_duplicates", f"{FILMS_ALL}->{FILMS_ALL}->FilterNum(rating, 50, >)->And()->Count()"),
    Case(
        "selective_first",
        "Find(genre 3)->Relate(genre, backward)->FilterNum(rating, 50, >)"
        "->Find(director 7)->Relate(directed by, backward)->And()->What()",
    ),
)


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks rewrites", description=__doc__)
    parser.add_argument("--films", type=int, default=FILMS, help=f"size of the graph ({FILMS})")
    options = parser.parse_args(arguments)
    store = ox.Store()
    store.bulk_extend(ox.Quad(*triple) for triple in _graph(options.films))
    print(f"rewrites: {len(store)} triples, median of {ROUNDS} rounds each")
    print(f"{'':<26}{'with ms':>10}{'without ms':>12}{'ratio':>9}")
    for case in CASES:
        print(_row(case.rule, store, _text(case.program), _text(case.program, without=case.rule)))
    below = {**BINDINGS, "film": replace(BINDINGS["film"], subconcepts=(BASE + "ShortFilm",))}
    count = f"{FILMS_ALL}->Count()"
    print(_row("no path without subclasses", store, _text(count), _text(count, bindings=below)))
    exists = _text(f"{FILMS_ALL}->FilterNum(rating, 1, >)->Exists()")
    print(_row("one member for Exists", store, exists, exists.replace("LIMIT 1\n", "\n")))


def _graph(films: int) -> Iterator[tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode | ox.Literal]]:
    kind, label = ox.NamedNode(RDF + "type"), ox.NamedNode(RDFS + "label")
    for number in range(films):
        film = ox.NamedNode(f"{BASE}film{number}")
        yield film, kind, ox.NamedNode(BASE + "Film")
        yield film, label, ox.Literal(f"Film {number}", language="en")
        yield film, ox.NamedNode(BASE + "directedBy"), ox.NamedNode(f"{BASE}director{number % DIRECTORS}")
        yield film, ox.NamedNode(BASE + "genre"), ox.NamedNode(f"{BASE}genre{number % GENRES}")
        rating = ox.Literal(str(number * 7 % 1000 / 10), datatype=ox.NamedNode(XSD + "double"))
        yield film, ox.NamedNode(BASE + "rating"), rating
    for number in range(DIRECTORS):
        yield ox.NamedNode(f"{BASE}director{number}"), kind, ox.NamedNode(BASE + "Person")


def _text(program: str, *, without: str = "", bindings: Mapping[str, Binding] = BINDINGS) -> str:
    """The query of a program, compiled without one of the rules."""
    steps = read_program(program)
    bound = {
        (number, 0): bindings[step.inputs[0]]
        for number, step in enumerate(steps.steps)
        if step.inputs and step.inputs[0] in bindings
    }
    grounded = GroundedProgram(steps, bound)
    work = begin(grounded, "direct", OPTIONS)
    select: a.Select = lower(work).select
    for rule in RULES:
        if rule.__name__ != without:
            select = rule(select)
    select = spell_domains(select, work.layout)
    if without != "selective_first":
        select = selective_first(select, work.layout, grounded.sizes())
    return render(select, steps, OPTIONS.prefixes).text


def _row(name: str, store: ox.Store, text: str, other: str) -> str:
    assert text != other, f"{name} changes nothing"
    ours, without = _time(store, text), _time(store, other)
    return f"{name:<26}{ours:>10.2f}{without:>12.2f}{without / ours:>9.1f}"


def _time(store: ox.Store, text: str) -> float:
    """The median time of a query in milliseconds."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        found = store.query(text)
        assert isinstance(found, ox.QuerySolutions), "programs compile to SELECT"
        for _ in found:
            pass
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)
