"""Queries and the programs made of them, side by side on one store."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from operator import itemgetter
from typing import Any

import pyoxigraph as ox

from compilers.answers import AnswerValue
from compilers.compile import CompiledQuery, compile_program
from compilers.from_sparql import Attribute, Relation, Schema
from compilers.grounded import GroundedProgram
from compilers.kopl.functions import Type, ValueType
from compilers.layouts import Options
from compilers.layouts.vocabulary import RDF, XSD
from compilers.read_answers import read_answer
from connectors.reading import read_json

Row = tuple[str, ...]
# The variables and the rows of a query.
Solutions = tuple[tuple[str, ...], tuple[Row, ...]]

_ALL = 1_000_000

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
    """The converter's schema of a graph, read from all its triples."""
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
    """A query's rows; of an ordered or cut query also all rows before the cut, each behind its sort key."""

    rows: tuple[Row, ...]
    line: tuple[tuple[str, Row], ...] = ()

    @property
    def is_by_chance(self) -> bool:
        """True if the cut parts different rows that tie: the query keeps some of them, and no others."""
        cut = len(self.rows)
        if not 0 < cut < len(self.line):
            return False
        (last, row), (first, other) = self.line[cut - 1 : cut + 1]
        return last == first and row != other

    def answers(self, most: int) -> tuple[str, ...] | tuple[Row, ...]:
        """The values of a single column, or the rows; none where there are more, or it is by chance."""
        rows = () if len(self.rows) > most or self.is_by_chance else self.rows
        single = rows and len(rows[0]) == 1
        return tuple(row[0] for row in rows if row[0]) if single else rows

    def admits(self, found: Sequence[Row]) -> bool:
        """True if these are the same rows: ties in any order, and any of them at the cut.

        The minimum of an empty set is an empty cell of a query, and no answer of a program.
        """
        if not any(map(any, (*self.rows, *found))):
            return True
        if not self.line:
            return Counter(found) == Counter(self.rows)
        rest = list(found)
        for _, tied in groupby(self.line, itemgetter(0)):
            told = [row for _, row in tied]
            if Counter(rest[: len(told)]) - Counter(told):
                return False
            rest = rest[len(told) :]
        return len(found) == len(self.rows)


_LIMIT = re.compile(r"\s*LIMIT\s+\d+\s*$", re.IGNORECASE)
_ORDER = re.compile(r"ORDER\s+BY\s+(?:ASC|DESC)?\s*\(?([^{}]+?)\)?\s*$", re.IGNORECASE)
_DISTINCT = re.compile(r"SELECT\s+DISTINCT\b", re.IGNORECASE)
_STAR = re.compile(r"^[^{]*SELECT\s+(?:DISTINCT\s+)?\*", re.IGNORECASE)
_WHERE = re.compile(r"\swhere\s*\{", re.IGNORECASE)


def gold_rows(query: str, run: Callable[[str], Solutions]) -> Gold:
    """The rows of a query; `run` evaluates one."""
    names, rows = run(query)
    whole = _LIMIT.sub("", query)
    order = _ORDER.search(whole)
    if order is None:
        return Gold(rows) if whole == query else Gold(rows, tuple(("", row) for row in run(whole)[1]))
    key = order[1].strip()
    if (name := key.removeprefix("?")) not in names:
        name = "key"
        whole = _WHERE.sub(lambda where: f" ({key} AS ?{name}){where[0]}", whole, count=1)
    try:
        shown, ranked = run(whole)
    except SyntaxError:
        # One group, whose rows have no order.
        return Gold(rows)
    place, width = shown.index(name), len(names)
    line = tuple((row[place], row[:width]) for row in ranked)
    if _DISTINCT.search(query):
        line = tuple(dict.fromkeys(line))
        if len({row for _, row in line}) < len(line):
            # A row with several keys has no place of its own.
            return Gold(rows)
    return Gold(rows, line)


def solutions(store: ox.Store, query: str, base: str) -> Solutions:
    """The variables and the rows of a query; `base` is the namespace of the empty prefix.

    The columns of `SELECT *` stand in no order of their own, and are given in that of the text.
    """
    found = store.query(query, prefixes={"": base}, custom_functions={_DATE_DIFFERENCE: _days_between})
    names = [variable.value for variable in found.variables]
    order = list(range(len(names)))
    if _STAR.search(query):
        order.sort(key=lambda at: _place(names[at], query))
    rows = (tuple(_cell(term) for term in row) for row in found)
    return tuple(names[at] for at in order), tuple(tuple(row[at] for at in order) for row in rows)


def _place(name: str, query: str) -> int:
    found = re.search(rf"[?$]{name}\b", query)
    return found.start() if found else len(query)


def program_query(grounded: GroundedProgram) -> CompiledQuery:
    """The program compiled for a plain graph, layout `direct`, without a limit of its own."""
    return compile_program(grounded, "direct", Options(plain_labels=True, limit=_ALL))


def program_rows(store: ox.Store, query: CompiledQuery) -> tuple[Row, ...]:
    """The rows of a compiled program, entities by IRI."""
    body = store.query(query.text).serialize(format=ox.QueryResultsFormat.JSON)
    assert body is not None, "no file is given to write to"
    result = read_json(body, max_rows=_ALL, endpoint="embedded")
    answer = read_answer(query, result.columns, result.rows)
    rows = answer.rows if answer.output == Type.ROWS else tuple((value,) for value in answer.values)
    return tuple(tuple("" if cell is None else _shown(cell) for cell in row) for row in rows)


def _shown(cell: AnswerValue) -> str:
    return cell.value if cell.type == "iri" else normal(str(cell))


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


def different(questions: Sequence[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """The different queries of a file of questions, each with the id of the first that has it."""
    seen: set[str] = set()
    for question in questions:
        query = " ".join(question["gold"]["sparql"].split())
        if query not in seen:
            seen.add(query)
            yield question["id"], query
