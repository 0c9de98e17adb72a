"""Queries and the programs made of them, side by side on one store."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import pyoxigraph as ox

from compilers.answers import read_answer
from compilers.compile import compile_program
from compilers.from_sparql import Attribute, Relation, Schema
from compilers.grounded import GroundedProgram
from compilers.kopl.functions import ValueType
from compilers.layouts import Options
from compilers.layouts.vocabulary import RDF, XSD
from tests.compiler.rdf import run

Row = tuple[str, ...]

_TYPES = {
    XSD + "string": ValueType.STRING,
    XSD + "boolean": ValueType.STRING,
    XSD + "integer": ValueType.QUANTITY,
    XSD + "decimal": ValueType.QUANTITY,
    XSD + "double": ValueType.QUANTITY,
    XSD + "date": ValueType.DATE,
    XSD + "dateTime": ValueType.DATE,
    XSD + "gYear": ValueType.YEAR,
}
_MIDNIGHT = re.compile(r"(\d{4}-\d\d-\d\d)T00:00:00(?:\.0+)?Z?")
_DATE_DIFFERENCE = ox.NamedNode("http://data.world/function/functions#date_diff")


def schema_of(store: ox.Store) -> Schema:
    """What the converter must know of a graph, read from all its triples."""
    objects: defaultdict[str, defaultdict[str, list[ox.Term]]] = defaultdict(lambda: defaultdict(list))
    subjects: defaultdict[str, defaultdict[ox.Term, set[str]]] = defaultdict(lambda: defaultdict(set))
    members: defaultdict[str, set[str]] = defaultdict(set)
    for subject, predicate, object_ in store.query("SELECT ?s ?p ?o WHERE { ?s ?p ?o }"):
        if predicate.value == RDF + "type":
            members[object_.value].add(subject.value)
        else:
            objects[predicate.value][subject.value].append(object_)
            subjects[predicate.value][object_].add(subject.value)
    attributes: dict[str, Attribute] = {}
    relations: dict[str, Relation] = {}
    for predicate, found in objects.items():
        terms = [term for held in found.values() for term in held]
        single = all(len(held) == 1 for held in found.values())
        if not all(isinstance(term, ox.Literal) for term in terms):
            inverse = all(len(held) == 1 for held in subjects[predicate].values())
            relations[predicate] = Relation(single, inverse)
        if literals := [term for term in terms if isinstance(term, ox.Literal)]:
            types = tuple(sorted({_TYPES[literal.datatype.value] for literal in literals}))
            everywhere = frozenset(concept for concept, held in members.items() if held <= found.keys())
            attributes[predicate] = Attribute(types, single, everywhere)
    return Schema(attributes, relations)


@dataclass(frozen=True, slots=True)
class Gold:
    """A query's rows; where LIMIT cuts, those that are in for certain, and those that tie at the cut."""

    rows: tuple[Row, ...]
    certain: tuple[Row, ...] = ()
    tied: tuple[Row, ...] = ()

    def admits(self, found: Sequence[Row]) -> bool:
        """Whether these are the same rows, in any order, up to ties at the cut."""
        if Counter(found) == Counter(self.rows):
            return True
        rest = Counter(found)
        rest.subtract(self.certain)
        lacking = any(count < 0 for count in rest.values())
        return len(found) == len(self.rows) and not lacking and +rest <= Counter(self.tied)


_CUT = re.compile(r"ORDER\s+BY\s+(?:ASC|DESC)?\s*\(?\s*\?(\w+)\s*\)?\s*LIMIT\s+(\d+)\s*$", re.IGNORECASE)
_LIMIT = re.compile(r"LIMIT\s+\d+\s*$", re.IGNORECASE)
_WHERE = re.compile(r"\swhere\s*\{", re.IGNORECASE)


def gold_rows(store: ox.Store, query: str, base: str) -> Gold:
    """What a query gives; `base` is the namespace of the empty prefix."""
    names, rows = _solutions(store, query, base)
    cut = _CUT.search(query)
    if cut is None:
        return Gold(rows)
    key, limit = cut[1], int(cut[2])
    whole = _LIMIT.sub("", query)
    if key not in names:
        whole = _WHERE.sub(f" (?{key} AS ?cut) where {{", whole, count=1)
        names = (*names, key)
    try:
        _, ranked = _solutions(store, whole, base)
    except SyntaxError:
        # One group, whose rows no order tells apart.
        return Gold(rows)
    place, width = names.index(key), len(rows[0]) if rows else 0
    if len(ranked) <= limit:
        return Gold(rows)
    bound = ranked[limit - 1][place]
    certain = tuple(row[:width] for row in ranked[:limit] if row[place] != bound)
    return Gold(rows, certain, tuple(row[:width] for row in ranked if row[place] == bound))


def _solutions(store: ox.Store, query: str, base: str) -> tuple[tuple[str, ...], tuple[Row, ...]]:
    found = store.query(query, prefixes={"": base}, custom_functions={_DATE_DIFFERENCE: _days_between})
    names = tuple(variable.value for variable in found.variables)
    return names, tuple(tuple(_cell(term) for term in row) for row in found)


def program_rows(store: ox.Store, grounded: GroundedProgram) -> tuple[Row, ...]:
    """What the compiled program gives, layout `direct`."""
    query = compile_program(grounded, "direct", Options(plain_labels=True))
    result = run(store, query.text)
    answer = read_answer(query, result.columns, result.rows, name_of=lambda iri: iri)
    return tuple(tuple(map(normal, line.split("\t"))) for line in answer.strings)


def _cell(term: ox.Term | None) -> str:
    return "" if term is None else normal(term.value)


def normal(text: str) -> str:
    """A cell in one spelling: numbers by value, in days where they are of days, and days without midnight."""
    if midnight := _MIDNIGHT.fullmatch(text):
        return midnight[1]
    try:
        number = float(text.removesuffix(" day"))
    except ValueError:
        return text
    return str(int(number)) if number.is_integer() else f"{number:.10g}"


def _days_between(start: ox.Literal, end: ox.Literal, unit: ox.Literal) -> ox.Literal | None:
    """data.world's function, for whole days."""
    if unit.value != "day":
        return None
    first, last = (date.fromisoformat(literal.value[:10]) for literal in (start, end))
    return ox.Literal((last - first).days)


def different(questions: Sequence[dict]) -> Iterator[tuple[str, str]]:
    """The different queries of a file of questions, each with the id of the first that has it."""
    seen: set[str] = set()
    for question in questions:
        query = " ".join(question["gold"]["sparql"].split())
        if query not in seen:
            seen.add(query)
            yield question["id"], query
