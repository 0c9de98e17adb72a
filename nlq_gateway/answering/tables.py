"""A result as a table that people read: things with labels, numbers with their unit, one column each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from compilers.answers import Answer, AnswerValue
from compilers.compile import CompiledQuery
from compilers.kopl.functions import Type
from compilers.read_answers import owned_name, thing, told_once
from compilers.read_values import read_value, shown
from connectors.results import Result, Term

Cells = Mapping[str, Term | None]
Read = Callable[[Cells], AnswerValue | None]
Rows = tuple[tuple[AnswerValue | None, ...], ...]
Table = tuple[tuple[str, ...], Rows]

_VALUES = ("value", "number", "day", "year", "date")


def table_of(
    query: CompiledQuery,
    result: Result,
    answer: Answer,
    name_of: Callable[[str], str],
    languages: Sequence[str] = ("en",),
) -> Table:
    """The column names, and the rows in the order of the result: each once, but of a table as they are.

    `name_of` and `languages` are those of `read_answer`.
    """
    if query.output == Type.ROWS:
        return _columns_of(query), answer.rows
    readers = _readers(query, name_of, languages)
    cells: list[Cells] = [dict(zip(result.columns, row, strict=True)) for row in result.rows]
    told = told_once(query, cells, languages)
    rows = dict.fromkeys(tuple(read(row) for read in readers.values()) for row in told)
    return tuple(readers), tuple(filter(any, rows))


def _columns_of(query: CompiledQuery) -> tuple[str, ...]:
    """The table's columns, each named after the first of its variables."""
    names: dict[int, str] = {}
    for column in query.columns:
        names.setdefault(column.cell, column.name)
    return tuple(names.values())


def _readers(
    query: CompiledQuery, name_of: Callable[[str], str], languages: Sequence[str]
) -> dict[str, Read]:
    """The reader of each column, by its name."""
    by_role: dict[str, list[str]] = {}
    for column in query.columns:
        by_role.setdefault(column.role, []).append(column.name)
    readers: dict[str, Read] = {}
    for role in ("entity", "relation"):
        for name in by_role.get(role, ()):
            readers[name] = _named(name, "label", by_role, name_of, languages)
    for name in by_role.get("count", ()):
        readers[name] = _counted(name)
    value = next((by_role[role][0] for role in _VALUES if role in by_role), None)
    if value is not None:
        unit = next((column.unit for column in query.columns if column.unit), "")
        item = _named(value, "value label", by_role, name_of, languages)
        readers[value] = _value(value, by_role, unit, item)
    return readers


def _counted(name: str) -> Read:
    def cell(row: Cells) -> AnswerValue | None:
        term = row[name]
        return AnswerValue(term.value, "number") if term is not None else None

    return cell


def _named(
    name: str,
    label_role: str,
    by_role: Mapping[str, list[str]],
    name_of: Callable[[str], str],
    languages: Sequence[str],
) -> Read:
    """A thing by its label, or as it is called otherwise; a blank node by what it belongs to."""
    roles = {role: names[0] for role, names in by_role.items()}

    def cell(row: Cells) -> AnswerValue | None:
        term, named = row[name], row.get(roles.get(label_role, ""))
        if term is None:
            return None
        called = owned_name(row, roles, name_of) if term.kind == "blank" else name_of(term.value)
        return thing(term, named, called, languages)

    return cell


def _value(name: str, roles: Mapping[str, list[str]], unit: str, item: Read) -> Read:
    def cell(row: Cells) -> AnswerValue | None:
        term = row[name]
        if term is not None and term.kind != "literal":
            return item(row)
        value = read_value(row, roles, unit)
        return None if value is None else shown(value)

    return cell
