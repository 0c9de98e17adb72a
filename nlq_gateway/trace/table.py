"""The table of an answer: texts for readers, and types, units and IRIs for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from compilers.answers import AnswerValue, amounts_of
from nlq_gateway.trace.part import DocumentPart, Sparse

Cells = tuple[tuple[AnswerValue | None, ...], ...]
CellType: TypeAlias = Literal["iri", "number", "boolean", "date", "year", "text"]

TEXT: CellType = "text"
_BY_DATATYPE: dict[str, CellType] = {"date": "date", "dateTime": "date", "gYear": "year"}


@dataclass(frozen=True, slots=True)
class TableField(DocumentPart):
    """The types of a column's cells; `units` and `iris` have an entry for each row if any row has one.

    If units differ but convert, `amounts` are the numbers in the unit of the first row that has one.
    """

    type: CellType
    units: Sparse[tuple[str | None, ...]] = ()
    iris: Sparse[tuple[str | None, ...]] = ()
    amounts: Sparse[tuple[float | None, ...]] = ()

    @classmethod
    def of(cls, cells: Sequence[AnswerValue | None]) -> TableField:
        """The common type of all cells, else text, with the units and IRIs of each row's cell."""
        types = {_type(cell) for cell in cells if cell is not None}
        return cls(
            types.pop() if len(types) == 1 else TEXT,
            _some(cell.unit if cell is not None else None for cell in cells),
            _some(cell.value if cell is not None and cell.type == "iri" else None for cell in cells),
            _amounts(cells),
        )


@dataclass(frozen=True, slots=True)
class Table(DocumentPart):
    """The answer as rows of text; `fields` has an entry for each column where there is one."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    fields: Sparse[tuple[TableField, ...]] = ()

    @classmethod
    def of(cls, columns: tuple[str, ...], cells: Cells) -> Table:
        """The table of an answer's cells."""
        fields = (TableField.of([row[at] for row in cells]) for at in range(len(columns)))
        return cls(columns, texts_of(cells), tuple(fields))


def texts_of(cells: Cells) -> tuple[tuple[str, ...], ...]:
    """Return the rows as texts; an empty cell is ""."""
    return tuple(tuple("" if cell is None else str(cell) for cell in row) for row in cells)


def _amounts(cells: Sequence[AnswerValue | None]) -> tuple[float | None, ...]:
    """Numbers of several units as so many of the first; nothing where that is not needed, or not known."""
    known = [cell for cell in cells if cell is not None]
    found = amounts_of(known) if len({cell.unit for cell in known}) > 1 else None
    told = iter(found or ())
    return tuple(None if cell is None else next(told) for cell in cells) if found else ()


def _type(cell: AnswerValue) -> CellType:
    if cell.type != "literal":
        return cell.type
    return _BY_DATATYPE.get((cell.datatype or "").rpartition("#")[2], TEXT)


def _some(parts: Iterable[str | None]) -> tuple[str | None, ...]:
    """Return all of them, or nothing if all are None."""
    found = tuple(parts)
    return found if any(one is not None for one in found) else ()
