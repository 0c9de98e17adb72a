"""A result as a table that people read: labels for IRIs, numbers with their unit, one column each."""

from __future__ import annotations

from collections.abc import Callable

from compilers.answers import read_value
from compilers.compile import CompiledQuery
from connectors.results import Result, Row

Cell = Callable[[Row], str]


def table_of(
    query: CompiledQuery, result: Result, name_of: Callable[[str], str]
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The column names, and the distinct rows in the order of the result."""
    position = {name: number for number, name in enumerate(result.columns)}
    by_role: dict[str, list[str]] = {}
    for column in query.columns:
        by_role.setdefault(column.role, []).append(column.name)
    cells: dict[str, Cell] = {}
    for entity in by_role.get("entity", ()):
        cells[entity] = _entity(position[entity], position[by_role["label"][0]], name_of)
    for relation in by_role.get("relation", ()):
        cells[relation] = _entity(position[relation], None, name_of)
    for count in by_role.get("count", ()):
        cells[count] = _plain(position[count])
    value = next((by_role[role][0] for role in ("value", "year", "date") if role in by_role), None)
    if value is not None:
        names = {role: by_role.get(role, []) for role in ("value", "digits", "unit", "year", "date")}
        unit = next((column.unit for column in query.columns if column.unit), "")
        cells[value] = _value(result.columns, names, unit)
    rows = dict.fromkeys(tuple(cell(row) for cell in cells.values()) for row in result.rows)
    return tuple(cells), tuple(rows)


def _plain(position: int) -> Cell:
    def cell(row: Row) -> str:
        term = row[position]
        return term.value if term is not None else ""

    return cell


def _entity(position: int, label: int | None, name_of: Callable[[str], str]) -> Cell:
    def cell(row: Row) -> str:
        named = row[label] if label is not None else None
        term = row[position]
        return named.value if named is not None else name_of(term.value) if term is not None else ""

    return cell


def _value(columns: tuple[str, ...], names: dict[str, list[str]], unit: str) -> Cell:
    def cell(row: Row) -> str:
        value = read_value(dict(zip(columns, row, strict=True)), names, unit)
        return "" if value is None else str(value)

    return cell
