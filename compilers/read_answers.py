"""Read a result's rows as the program's answer. Pure: rows come as plain terms from any connector."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from compilers.answers import UNNAMED, Answer, AnswerValue
from compilers.compile import CompiledQuery
from compilers.iris import local_name
from compilers.kopl.decide import Verdict, verdict
from compilers.kopl.functions import Type
from compilers.kopl.values import (
    NO_UNIT,
    Quantity,
    String,
    Value,
    format_number,
    parse_value,
)
from compilers.labels import is_foreign, language_rank
from compilers.layouts.base import Column
from compilers.layouts.vocabulary import XSD
from compilers.read_values import Cells, ResultTerm, read_value, shown

Found = TypeVar("Found", bound="ResultTerm | None")

_OWNED = ("owner relation", "owner", "owner label")
_TOLD = ("label", "value label", *_OWNED)


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
    cells: list[Cells] = [dict(zip(columns, row, strict=True)) for row in rows]
    reader = _AnswerReader(query, tuple(languages), name_of or local_name)
    return _READERS[query.output](reader, cells)


@dataclass(frozen=True, slots=True)
class _AnswerReader:
    query: CompiledQuery
    languages: tuple[str, ...]
    name_of: Callable[[str], str]

    def column(self, role: str) -> Column | None:
        return next((column for column in self.query.columns if column.role == role), None)

    def cells(self, rows: Iterable[Cells], role: str) -> Iterator[ResultTerm | None]:
        """The cells of the column with this role; none where there is no such column."""
        column = self.column(role)
        return (row[column.name] if column else None for row in rows)

    def names(self, rows: list[Cells]) -> Answer:
        """One value per entity, with its best label."""
        return self._answer(self._labelled(rows, "entity", "label").values())

    def _labelled(self, rows: list[Cells], role: str, label_role: str) -> dict[str, AnswerValue]:
        """The value of each term in the columns of a role, by its IRI, with the best label."""
        terms: dict[str, ResultTerm] = {}
        labels: dict[str, ResultTerm | None] = {}
        owned: dict[str, str] = {}
        # Of several columns of a role the first.
        roles = {column.role: column.name for column in reversed(self.query.columns)}
        for row, term, label in zip(rows, self.cells(rows, role), self.cells(rows, label_role), strict=True):
            if term is not None:
                terms[term.value] = term
                labels[term.value] = self._better(labels.get(term.value), label)
                told = owned_name(row, roles, self.name_of)
                owned[term.value] = min(owned.get(term.value, told), told)
        return {key: self._entity(term, labels[key], owned[key]) for key, term in terms.items()}

    def _answer(self, values: Iterable[AnswerValue], evidence: Iterable[AnswerValue] = ()) -> Answer:
        return Answer(self.query.output, tuple(values), tuple(evidence))

    def _entity(self, term: ResultTerm, label: ResultTerm | None, owned: str = UNNAMED) -> AnswerValue:
        """An entity by its label or its IRI; a blank node, which has neither, by its owner."""
        called = owned if term.kind == "blank" else self.name_of(term.value)
        return thing(term, label, called, self.languages)

    def _better(self, first: ResultTerm | None, second: ResultTerm | None) -> ResultTerm | None:
        if first is None or second is None:
            return first or second
        return min(first, second, key=lambda term: (language_rank(term.language, self.languages), term.value))

    def number(self, rows: list[Cells]) -> Answer:
        """The count or another number; no value where the number is unbound, as the average of no values."""
        if self.column("count") is None:
            found = (self._cell(row, self.query.columns) for row in rows)
            return self._answer(value for value in found if value is not None)
        # A store that follows SPARQL gives a count in any case.
        count = next((float(term.value) for term in self.cells(rows, "count") if term is not None), 0.0)
        return self._answer((AnswerValue(format_number(count), "number", datatype=XSD + "integer"),))

    def table(self, rows: list[Cells]) -> Answer:
        """Every row, cell by cell."""
        groups: dict[int, list[Column]] = {}
        for column in self.query.columns:
            groups.setdefault(column.cell, []).append(column)
        told = told_once(self.query, rows, self.languages)
        read = tuple(tuple(self._cell(row, columns) for columns in groups.values()) for row in told)
        first = dict.fromkeys(row[0] for row in read if row[0] is not None)
        return Answer(self.query.output, tuple(first), rows=read)

    def _cell(self, row: Cells, columns: Sequence[Column]) -> AnswerValue | None:
        """One column of a table: an entity with its label, or a value."""
        roles = {column.role: [column.name] for column in columns}
        if "entity" in roles:
            term, label = row[roles["entity"][0]], row.get(roles.get("label", [""])[0])
            owned = owned_name(row, {role: names[0] for role, names in roles.items()}, self.name_of)
            return None if term is None else self._entity(term, label, owned)
        term = next((row[column.name] for column in columns), None)
        if term is not None and term.kind != "literal":
            return self._entity(term, row.get(roles.get("value label", [""])[0]))
        value = read_value(row, roles, columns[0].unit)
        return None if value is None else shown(value)

    def relations(self, rows: list[Cells]) -> Answer:
        """The relations, by name."""
        return self._answer(self._labelled(rows, "relation", "label").values())

    def values(self, rows: list[Cells]) -> Answer:
        """The distinct values; an entity where one takes a value's place."""
        return self._answer(map(shown, self._found(rows)))

    def verdict(self, rows: list[Cells]) -> Answer:
        """All values satisfy the test: yes; none or no value: no; some: not sure."""
        step = self.query.program.steps[-1]
        if step.function == "Exists":
            word = Verdict.YES if rows else Verdict.NO
            return self._answer((AnswerValue(word.value, "boolean"),))
        value_type = step.signature.parameters[0].value_type
        assert value_type is not None, "Verify fixes the type of its value"
        target = parse_value(step.inputs[0], value_type)
        if isinstance(target, Quantity) and self._unit_is_unknown():
            target = replace(target, unit=NO_UNIT)
        comparison = step.inputs[1] if len(step.inputs) > 1 else "="
        found = self._found(rows)
        known = [String(str(v)) if isinstance(v, AnswerValue) else v for v in found]
        word = verdict(known, comparison, target)
        return self._answer((AnswerValue(word.value, "boolean"),), map(shown, found))

    def _unit_is_unknown(self) -> bool:
        """True if quantities are bare numbers, which then count as being in the unit of the comparison."""
        value = self.column("value")
        return self.column("unit") is None and value is not None and not value.unit

    def _found(self, rows: list[Cells]) -> list[Value | AnswerValue]:
        """The distinct values."""
        named = self._labelled(rows, "value", "value label")
        values = (self._value(row, named) for row in rows)
        return [value for value in dict.fromkeys(values) if value is not None]

    def _value(self, row: Cells, named: Mapping[str, AnswerValue]) -> Value | AnswerValue | None:
        term = next(self.cells((row,), "value"))
        if term is not None and term.kind != "literal":
            return named[term.value]
        roles = {column.role: [column.name] for column in self.query.columns}
        column = self.column("value") or self.column("number")
        return read_value(row, roles, column.unit if column else "")


def told_once(
    query: CompiledQuery, rows: Sequence[Mapping[str, Found]], languages: Sequence[str]
) -> list[Mapping[str, Found]]:
    """The rows with the best labels; the store gives each row once for every combination of labels."""
    names = [column.name for column in query.columns if column.role in _TOLD]
    keys = [tuple(term for name, term in row.items() if name not in names) for row in rows]
    labels = [tuple(row[name] for name in names) for row in rows]
    best: dict[tuple[Found, ...], tuple[Found, ...]] = {}
    for key, told in zip(keys, labels, strict=True):
        best[key] = min(best.get(key, told), told, key=lambda one: _ranks(one, languages))
    return [row for row, key, told in zip(rows, keys, labels, strict=True) if told == best[key]]


def _ranks(labels: Sequence[ResultTerm | None], languages: Sequence[str]) -> list[tuple[float, str]]:
    return [
        (language_rank(label.language, languages), label.value) if label else (math.inf, "")
        for label in labels
    ]


def thing(term: ResultTerm, label: ResultTerm | None, called: str, languages: Sequence[str]) -> AnswerValue:
    """An entity by its label, marked if its language is none of `languages`; without label, by `called`."""
    name, language = (label.value, label.language) if label is not None else (called, None)
    foreign = language if is_foreign(language, languages) else None
    if term.kind == "iri":
        return AnswerValue(term.value, "iri", name, language=foreign)
    return AnswerValue(name if term.kind == "blank" else term.value, "literal", name, language=foreign)


def owned_name(row: Cells, roles: Mapping[str, str], name_of: Callable[[str], str]) -> str:
    """The name of a blank node, from the relation that leads to it and that relation's subject.

    `roles` maps the roles of columns to their names. `area of Floor 1`, for example.
    """
    relation, owner, label = (row.get(roles.get(role, "")) for role in _OWNED)
    if relation is None or owner is None:
        return UNNAMED
    name = name_of(relation.value)
    if label is None and owner.kind == "blank":
        return name
    return f"{name} of {label.value if label is not None else name_of(owner.value)}"


_READERS: dict[Type, Callable[[_AnswerReader, list[Cells]], Answer]] = {
    Type.NAMES: _AnswerReader.names,
    Type.NUMBER: _AnswerReader.number,
    Type.RELATIONS: _AnswerReader.relations,
    Type.VALUES: _AnswerReader.values,
    Type.VERDICT: _AnswerReader.verdict,
    Type.ROWS: _AnswerReader.table,
}
