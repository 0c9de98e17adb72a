"""The table of an answer as JSON: texts for people, and what programs need to know of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from compilers.answers import AnswerValue, amounts_of
from nlq_gateway.trace.parts import Json

Cells = tuple[tuple[AnswerValue | None, ...], ...]

TEXT = "text"
_BY_DATATYPE = {"date": "date", "gYear": "year"}


def texts_of(cells: Cells) -> tuple[tuple[str, ...], ...]:
    """The rows as people read them; an empty cell is ""."""
    return tuple(tuple("" if cell is None else str(cell) for cell in row) for row in cells)


def table_json(columns: Sequence[str], cells: Cells) -> Json:
    """Columns, rows of texts, and for each column its `fields` entry: type, units and IRIs of its cells."""
    table: Json = {"columns": list(columns), "rows": [list(row) for row in texts_of(cells)]}
    fields = [_field([row[at] for row in cells]) for at in range(len(columns))]
    return {**table, "fields": fields} if fields else table


def _field(cells: Sequence[AnswerValue | None]) -> Json:
    """The type that all cells have, else text; `units`, `iris` and `amounts` by row, where a cell has one."""
    types = {_type(cell) for cell in cells if cell is not None}
    parts: Json = {
        "units": [cell.unit if cell is not None else None for cell in cells],
        "iris": [cell.value if cell is not None and cell.type == "iri" else None for cell in cells],
        "amounts": _amounts(cells),
    }
    return {
        "type": types.pop() if len(types) == 1 else TEXT,
        **{name: part for name, part in parts.items() if _some(part)},
    }


def _amounts(cells: Sequence[AnswerValue | None]) -> Sequence[float | None]:
    """Numbers of several units as so many of the first; nothing where that is not needed, or not known."""
    known = [cell for cell in cells if cell is not None]
    found = amounts_of(known) if len({cell.unit for cell in known}) > 1 else None
    told = iter(found or ())
    return [None if cell is None else next(told) for cell in cells] if found else []


def _type(cell: AnswerValue) -> str:
    """One of iri, number, boolean, date, year and text."""
    if cell.type != "literal":
        return cell.type
    return _BY_DATATYPE.get((cell.datatype or "").rpartition("#")[2], TEXT)


def _some(part: Iterable[object]) -> bool:
    return any(one is not None for one in part)
