"""From a result's rows to the program's answer. Pure: rows come as plain terms from any connector."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from compilers.compile import CompiledQuery
from compilers.kopl.functions import Type
from compilers.kopl.values import (
    NO_UNIT,
    Date,
    Quantity,
    String,
    Value,
    Year,
    compare,
    format_number,
    parse_value,
)
from compilers.layouts.vocabulary import XSD

VerdictWord = Literal["yes", "no", "not sure"]

_NUMERIC = frozenset(
    XSD + name
    for name in (
        "integer", "decimal", "double", "float", "int", "long", "short", "byte", "nonNegativeInteger",
        "positiveInteger", "negativeInteger", "nonPositiveInteger", "unsignedInt", "unsignedLong",
        "unsignedShort", "unsignedByte",
    )
)  # fmt: skip


class ResultTerm(Protocol):
    """An RDF term of a result; `connectors.results.Term` is one."""

    @property
    def kind(self) -> str:
        """`iri`, `blank`, `literal` or `triple`."""

    @property
    def value(self) -> str:
        """The IRI, label or lexical form."""

    @property
    def datatype(self) -> str | None:
        """The datatype's IRI of a typed literal."""

    @property
    def language(self) -> str | None:
        """The language tag of a tagged literal."""


@dataclass(frozen=True, slots=True)
class AnswerValue:
    """One answer as the HTTP interface shows it (DESIGN section 7)."""

    value: str
    type: Literal["iri", "literal", "boolean", "number"]
    label: str | None = None
    datatype: str | None = None
    language: str | None = None
    unit: str | None = None

    def __str__(self) -> str:
        """The string of DESIGN section 8: a label, a number with its unit, a date, a text."""
        shown = self.label if self.label is not None else self.value
        return f"{shown} {self.unit}" if self.unit else shown


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program yields: distinct values in the order of the rows; a verdict is one boolean."""

    output: Type
    values: tuple[AnswerValue, ...]
    evidence: tuple[AnswerValue, ...] = ()

    @property
    def strings(self) -> tuple[str, ...]:
        """The distinct strings of the values, in order; Verify's `yes`, `no`, `not sure`."""
        return tuple(dict.fromkeys(str(value) for value in self.values))

    @property
    def empty(self) -> bool:
        """Whether nothing was found; a count and a verdict always say something."""
        return not self.values


Cells = Mapping[str, ResultTerm | None]


def read_answer(
    query: CompiledQuery,
    columns: Sequence[str],
    rows: Iterable[Sequence[ResultTerm | None]],
    *,
    languages: Sequence[str] = ("en",),
    name_of: Callable[[str], str] | None = None,
) -> Answer:
    """Read the rows of a query's result.

    `languages` orders labels; `name_of` names an IRI for which no label was found (its end by default).
    """
    cells = [dict(zip(columns, row, strict=True)) for row in rows]
    reader = _Reader(query, tuple(languages), name_of or local_name)
    return _READERS[query.output](reader, cells)


def local_name(iri: str) -> str:
    """The readable end of an IRI: what follows the last `#`, `/` or `:`, with blanks for `_`."""
    end = iri.rstrip("/#")
    return end[max(end.rfind("#"), end.rfind("/"), end.rfind(":")) + 1 :].replace("_", " ") or iri


@dataclass(frozen=True, slots=True)
class _Reader:
    query: CompiledQuery
    languages: tuple[str, ...]
    name_of: Callable[[str], str]

    def columns(self, role: str) -> list[str]:
        return [column.name for column in self.query.columns if column.role == role]

    def names(self, rows: list[dict[str, ResultTerm | None]]) -> Answer:
        """One value per entity, with its best label."""
        entity, label = self.columns("entity")[0], self.columns("label")[0]
        labels: dict[str, ResultTerm | None] = {}
        for row in rows:
            term = row[entity]
            if term is not None:
                labels[term.value] = self._better(labels.get(term.value), row[label])
        return Answer(self.query.output, tuple(self._entity(iri, found) for iri, found in labels.items()))

    def _entity(self, iri: str, label: ResultTerm | None) -> AnswerValue:
        return AnswerValue(iri, "iri", label.value if label is not None else self.name_of(iri))

    def _better(self, first: ResultTerm | None, second: ResultTerm | None) -> ResultTerm | None:
        if first is None or second is None:
            return first or second
        return min(first, second, key=lambda term: (self._rank(term.language), term.value))

    def _rank(self, language: str | None) -> int:
        ranks = (*self.languages, None)
        return ranks.index(language) if language in ranks else len(ranks)

    def number(self, rows: list[dict[str, ResultTerm | None]]) -> Answer:
        """The count; rows without one cannot happen on a store that keeps to SPARQL."""
        term = rows[0][self.columns("count")[0]] if rows else None
        number = format_number(float(term.value)) if term is not None else "0"
        return Answer(self.query.output, (AnswerValue(number, "number", datatype=XSD + "integer"),))

    def relations(self, rows: list[dict[str, ResultTerm | None]]) -> Answer:
        """The relations, by name."""
        column = self.columns("relation")[0]
        iris = dict.fromkeys(term.value for row in rows if (term := row[column]) is not None)
        return Answer(self.query.output, tuple(self._entity(iri, None) for iri in iris))

    def values(self, rows: list[dict[str, ResultTerm | None]]) -> Answer:
        """The distinct values."""
        return Answer(self.query.output, tuple(_shown(value) for value in self._values(rows)))

    def verdict(self, rows: list[dict[str, ResultTerm | None]]) -> Answer:
        """All values satisfy the test: yes; none or no value: no; some: not sure."""
        step = self.query.program.steps[-1]
        value_type = step.signature.parameters[0].value_type
        assert value_type is not None
        target = parse_value(step.inputs[0], value_type)
        comparison = step.inputs[1] if len(step.inputs) > 1 else "="
        values = list(self._values(rows))
        held = [compare(value, comparison, target) for value in values]
        word: VerdictWord = "no" if not any(held) else "yes" if all(held) else "not sure"
        answer = AnswerValue(word, "boolean")
        return Answer(self.query.output, (answer,), tuple(_shown(value) for value in values))

    def _values(self, rows: list[dict[str, ResultTerm | None]]) -> Iterable[Value]:
        columns = {role: self.columns(role) for role in ("value", "unit", "year", "date")}
        return dict.fromkeys(value for row in rows if (value := read_value(row, columns)) is not None)


def read_value(row: Cells, columns: Mapping[str, list[str]]) -> Value | None:
    """The value in a row; `columns` names those with the roles value, unit, year and date."""
    cell = {role: row[names[0]] if names else None for role, names in columns.items()}
    if (date := cell["date"]) is not None:
        return _time(date.value)
    if (year := cell["year"]) is not None:
        return Year(int(float(year.value)))
    if (value := cell["value"]) is None:
        return None
    unit = cell["unit"]
    if unit is not None or value.datatype in _NUMERIC:
        return Quantity(float(value.value), unit.value if unit is not None else NO_UNIT)
    if value.kind == "literal" and value.datatype in _TIME_TYPES:
        return _time(value.value)
    return String(value.value)


_TIME_TYPES = frozenset(XSD + name for name in ("date", "dateTime", "gYear", "gYearMonth"))


def _time(lexical: str) -> Value:
    """A year or a date from any XSD time type, time zone and time of day left out."""
    sign = "-" if lexical.startswith("-") else ""
    day = lexical.removeprefix("-").split("T")[0].rstrip("Z").split("+")[0]
    parts = day.split("-")[:3]
    if len(parts) == 3 and parts[2][:2].isdigit():
        return Date(int(sign + parts[0]), int(parts[1]), int(parts[2][:2]))
    return Year(int(sign + parts[0]))


def _shown(value: Value) -> AnswerValue:
    match value:
        case Quantity():
            unit = None if value.unit == NO_UNIT else value.unit
            return AnswerValue(format_number(value.number), "number", unit=unit)
        case Date():
            return AnswerValue(str(value), "literal", datatype=XSD + "date")
        case Year():
            return AnswerValue(str(value), "literal", datatype=XSD + "gYear")
        case String():
            return AnswerValue(value.text, "literal")


_READERS: dict[Type, Callable[[_Reader, list[dict[str, ResultTerm | None]]], Answer]] = {
    Type.NAMES: _Reader.names,
    Type.NUMBER: _Reader.number,
    Type.RELATIONS: _Reader.relations,
    Type.VALUES: _Reader.values,
    Type.VERDICT: _Reader.verdict,
}
