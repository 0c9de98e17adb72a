"""An answer's table as a pandas data frame, each column with the type of its cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nlq_gateway.client.problems import MissingPackage
from nlq_gateway.client.sheet import Cells, SheetColumn, sheet_of

if TYPE_CHECKING:
    import pandas

_TIME = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?")
_MOST = 2**63
_BOOLEANS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class TypedCells:
    """A column's cells, None where one is empty, and the pandas type that holds all of them."""

    cells: Sequence[Any]
    dtype: str


def frame_of(document: Mapping[str, Any], *, iris: bool = False) -> pandas.DataFrame:
    """The table of a trace's document; raises MissingPackage without pandas."""
    try:
        import pandas
    except ImportError:
        raise MissingPackage("pandas", "a data frame") from None
    columns = typed_columns(document, iris=iris)
    arrays = {name: pandas.array(column.cells, dtype=column.dtype) for name, column in columns.items()}
    return pandas.DataFrame(arrays)


def typed_columns(document: Mapping[str, Any], *, iris: bool = False) -> Mapping[str, TypedCells]:
    """The columns by name. A column that does not fit its type as a whole is text."""
    return {column.name: _typed(column) for column in sheet_of(document, iris=iris).columns}


def _typed(column: SheetColumn) -> TypedCells:
    read = _READERS.get(column.type, _texts)
    try:
        return read(column.cells)
    except (ValueError, KeyError):
        return _texts(column.cells)


def _texts(cells: Cells) -> TypedCells:
    return TypedCells([cell or None for cell in cells], "string")


def _numbers(cells: Cells) -> TypedCells:
    if all(re.fullmatch(r"-?\d*", cell) and abs(int(cell or 0)) < _MOST for cell in cells):
        return TypedCells([int(cell) if cell else None for cell in cells], "Int64")
    return TypedCells([float(cell) if cell else None for cell in cells], "Float64")


def _times(cells: Cells) -> TypedCells:
    """Days and moments of the common era; pandas reads no others."""
    if all(not cell or _TIME.fullmatch(cell) for cell in cells):
        return TypedCells([cell or None for cell in cells], "datetime64[s]")
    return _texts(cells)


def _booleans(cells: Cells) -> TypedCells:
    return TypedCells([_BOOLEANS[cell] if cell else None for cell in cells], "boolean")


_READERS: Mapping[str, Callable[[Cells], TypedCells]] = {
    "number": _numbers,
    "year": _numbers,
    "date": _times,
    "boolean": _booleans,
}
