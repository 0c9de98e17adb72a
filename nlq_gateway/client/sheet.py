"""An answer as a sheet: columns of one type each, numbers apart from their units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nlq_gateway.trace import Json
from nlq_gateway.trace.table import TEXT

Cells = Sequence[str]
# The only column of a verdict, and of answers without a table.
ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """A column; `type` is one of iri, number, boolean, date, year and text. An empty cell is "".

    `iris` has the IRIs of the cells, where some are things.
    """

    name: str
    type: str
    cells: Cells
    iris: Cells = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """The columns, as long as each other."""

    columns: tuple[SheetColumn, ...]

    @property
    def rows(self) -> Iterator[tuple[str, ...]]:
        """The cells row by row."""
        return zip(*(column.cells for column in self.columns), strict=True)


def sheet_of(document: Mapping[str, Any], *, iris: bool) -> Sheet:
    """The sheet of a trace's document; a verdict is one word, and what has no answer has no rows."""
    table, values = document["table"], document["answer"]["values"]
    if not table["columns"] or (values and values[0]["type"] == "boolean"):
        return Sheet((SheetColumn(ANSWER, TEXT, [value["value"] for value in values]),))
    # Documents that were kept before there were fields are of texts.
    fields = table.get("fields") or [{"type": TEXT}] * len(table["columns"])
    columns: list[SheetColumn] = []
    for at, (name, field) in enumerate(zip(table["columns"], fields, strict=True)):
        columns += _parts(name, [row[at] for row in table["rows"]], field, iris=iris)
    return Sheet(tuple(columns))


def _parts(name: str, texts: Cells, field: Json, *, iris: bool) -> Iterator[SheetColumn]:
    """The column itself, and those of its units and its IRIs."""
    units = [unit or "" for unit in field.get("units", ())]
    if units:
        texts = [text.removesuffix(f" {unit}") for text, unit in zip(texts, units, strict=True)]
    named = [iri or "" for iri in field.get("iris", ())]
    yield SheetColumn(name, field["type"], texts, named)
    if units:
        yield SheetColumn(f"{name} unit", TEXT, units)
    if iris and named:
        yield SheetColumn(f"{name} IRI", "iri", named)
