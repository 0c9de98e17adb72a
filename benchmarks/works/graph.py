"""Writes the works: tables, columns and references under codes, half of them described, and their rows."""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

BASE = "https://works.example/"
QUESTIONS = Path(__file__).with_name("questions.jsonl")
_TABLES = Path(__file__).with_name("tables.toml")
# Shares of the tables, and of the columns and references, that have a comment.
_TABLES_DESCRIBED, _COLUMNS_DESCRIBED = 0.5, 0.4
# Columns that a table has of those that any may have: one that questions are about, and another.
_COMMON, _OTHERS = (8, 13), (12, 20)
_ROWS_OF_OTHERS = 8
_FIRST_NUMBER = 100_001
_LINK = "link "
_MEANT = re.compile(r"<(?P<table>[a-z ]+)(?:\.(?P<column>[a-z ]+))?>")
_PREFIXES = (
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
    "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
)


@dataclass(frozen=True, slots=True)
class Table:
    """A table by its subject: its columns with their content, and the names or numbers of its rows."""

    term: str
    code: str
    prefix: str
    columns: Mapping[str, str]
    rows: Sequence[str]
    is_named: bool

    @property
    def iri(self) -> str:
        """The class of its rows."""
        return f"{BASE}{self.code}"

    def column(self, term: str) -> str:
        """The IRI of a column or reference: the table's two letters, and four of its subject."""
        return f"{self.iri}#{self.prefix}{_abbreviated(term)}"

    def row(self, name: str) -> str:
        """The IRI of a row."""
        return f"{BASE}row/{self.code}/{name.replace(' ', '_')}"


class Works:
    """The whole graph, the same each time."""

    def __init__(self) -> None:
        self._read = tomllib.loads(_TABLES.read_text("utf-8"))

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """All tables by their subjects."""
        draw = random.Random("tables")
        others = self._read["others"]
        terms = [*self._read["tables"], *(f"{area} {kind}" for area, kind in product(*_of(others)))]
        codes = draw.sample(range(101, 9_900), len(terms))
        letters = ["".join(pair) for pair in product("BCDFGHJKLMNPQRSTVWXZ", repeat=2)]
        prefixes = draw.sample(letters, len(terms))
        return {
            term: self._table(term, f"F{code:04}", prefix)
            for term, code, prefix in zip(terms, codes, prefixes, strict=True)
        }

    def _table(self, term: str, code: str, prefix: str) -> Table:
        own: dict[str, Any] = dict(self._read["tables"].get(term, {}))
        draw = random.Random(f"columns of {term}")
        names, rows = own.pop("names", ()), own.pop("rows", _ROWS_OF_OTHERS)
        common = self._read["others"]["columns"]
        fewest, most = _COMMON if own or names else _OTHERS
        chosen = draw.sample(sorted(common), draw.randint(fewest, most))
        links = {} if own or names else self._links(draw)
        columns = {**own, **links, **{column: common[column] for column in chosen}}
        parts = [self._read["names"][name] for name in names]
        named = [" ".join(words) for words in product(*parts)] if parts else []
        numbers = [str(_FIRST_NUMBER + at) for at in range(rows)]
        return Table(term, code, prefix, columns, named or numbers, bool(named))

    def _links(self, draw: random.Random) -> dict[str, str]:
        """The references of a table without questions: to one table with questions."""
        target = draw.choice(sorted(self._read["tables"]))
        return {f"object {target}": f"{_LINK}{target}"}

    def turtle(self) -> str:
        """The graph with its vocabulary."""
        parts = (
            part for table in self.tables.values() for part in (self._vocabulary(table), self._rows(table))
        )
        return _PREFIXES + "".join(f"{line}\n" for part in parts for line in part)

    def _vocabulary(self, table: Table) -> Iterator[str]:
        yield f"<{table.iri}> a owl:Class{_comment(table.iri, table.term, _TABLES_DESCRIBED)} ."
        for term, holds in table.columns.items():
            kind = "owl:ObjectProperty" if holds.startswith(_LINK) else "owl:DatatypeProperty"
            iri = table.column(term)
            yield f"<{iri}> a {kind}{_comment(iri, term, _COLUMNS_DESCRIBED)} ."

    def _rows(self, table: Table) -> Iterator[str]:
        draw = random.Random(f"rows of {table.term}")
        for name in table.rows:
            label = f'; rdfs:label "{name}" ' if table.is_named else ""
            facts = [
                f"; <{table.column(term)}> {self._value(table, name, holds, draw)}"
                for term, holds in table.columns.items()
            ]
            yield f"<{table.row(name)}> a <{table.iri}> {label}{' '.join(facts)} ."

    def _value(self, table: Table, name: str, holds: str, draw: random.Random) -> str:
        kind, _, rest = holds.partition(" ")
        if kind == "link":
            target = self.tables[rest]
            others = [one for one in target.rows if target is not table or one != name]
            return f"<{target.row(draw.choice(others))}>"
        if kind == "text":
            return f'"{draw.choice(rest.split(" | "))}"'
        first, last, *step = map(int, rest.split())
        if kind == "date":
            return (
                f'"{draw.randint(first, last)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"^^xsd:date'
            )
        return str(draw.randrange(first, last + 1, *step))

    def coded(self, query: str) -> str:
        """A query with the codes of its terms: `<customer>`, `<customer.credit limit>`."""

        def iri(found: re.Match[str]) -> str:
            table = self.tables[found["table"]]
            column = found["column"]
            if column is not None and column not in table.columns:
                raise KeyError(f"{table.term} has no column {column}")
            return f"<{table.iri if column is None else table.column(column)}>"

        return _MEANT.sub(iri, query)


def write(file: Path) -> Path:
    """The file, with the graph written into it as Turtle."""
    file.write_text(Works().turtle(), encoding="utf-8")
    return file


def write_questions(file: Path) -> Path:
    """The file, with the questions written into it, their gold queries under the graph's codes."""
    works = Works()
    records = map(json.loads, QUESTIONS.read_text("utf-8").splitlines())
    lines = (json.dumps({**one, "sparql": works.coded(one["sparql"])}) for one in records)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def _of(others: Mapping[str, Any]) -> tuple[Sequence[str], Sequence[str]]:
    return others["areas"], others["kinds"]


def _abbreviated(term: str) -> str:
    """Four letters: of one word its first and the consonants after it, of several the first of each."""
    words = [word[0] + re.sub("[aeiou]", "", word[1:]) for word in term.split()]
    shares = {1: (4,), 2: (2, 2)}.get(len(words), (1, 1, 2))
    return "".join(word[:share] for word, share in zip(words, shares, strict=False)).upper()


def _comment(iri: str, term: str, share: float) -> str:
    described = random.Random(f"comment on {iri}").random() < share
    return f' ; rdfs:comment "{term.capitalize()}"' if described else ""
