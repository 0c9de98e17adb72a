"""Downloads as LibreOffice Calc reads them: what is in each cell, and of which type it is."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from nlq_gateway.client.sheet import Sheet, SheetColumn
from nlq_gateway.edges.http.downloads.delimited import csv_chunks
from nlq_gateway.edges.http.downloads.spreadsheet import workbook

CALC = shutil.which("soffice")
pytestmark = pytest.mark.skipif(CALC is None, reason="LibreOffice Calc is not installed")

ROWS = 10_000
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
# Commas, quotes, UTF-8: without a window Calc does not look at the byte order mark.
AS_CSV = "CSV:44,34,76,1"
NAMES = (
    *(
        "Émile Zola",
        "Ærø",
        "日本語",
        "😀",
        'so "called", and',
        "two\nlines",
        "_x0041_",
        "#N/A",
        "TRUE",
        "Jan 5",
    ),
    *("=1+1", "+49 30", "-a", "@SUM(A1)", "=HYPERLINK(A1)", "\uff1d1", "-1+2"),
)
GUARDED = NAMES[10:]
NUMBERS = (
    "1234567",
    "1234567.891",
    "-3.7",
    "0",
    "0.00000016",
    "999999999999999",
    "1988920000000000000000000",
)
DAYS = ("1900-03-01", "2024-02-29", "9999-12-31")
Cell = tuple[str, str]


def column(name: str, type: str, cells: tuple[str, ...]) -> SheetColumn:
    return SheetColumn(name, type, [cells[row % len(cells)] for row in range(ROWS)])


SHEET = Sheet(
    (
        column("naïve name", "text", NAMES),
        SheetColumn("id", "text", [f"{row:012}" for row in range(ROWS)]),
        column("size", "number", NUMBERS),
        column("born", "date", DAYS),
    )
)


def rows_in_calc(file: Path, *options: str) -> Iterator[list[Cell]]:
    """The rows as Calc has them: type and value of each cell, of which none may be a formula."""
    assert CALC is not None
    profile = f"-env:UserInstallation={(file.parent / 'profile').as_uri()}"
    command = [CALC, "--headless", profile, *options, "--convert-to", "fods", "--outdir", file.parent, file]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    document = ElementTree.parse(file.with_suffix(".fods"))
    for row in document.iter(f"{TABLE}table-row"):
        if cells := [cell for cell in row if cell.get(f"{OFFICE}value-type")]:
            assert not any(cell.get(f"{TABLE}formula") for cell in cells)
            yield [value_of(cell) for cell in cells]


def value_of(cell: ElementTree.Element) -> Cell:
    type = cell.get(f"{OFFICE}value-type", "")
    stated = cell.get(f"{OFFICE}value") or cell.get(f"{OFFICE}date-value")
    return type, stated or "\n".join("".join(part.itertext()) for part in cell)


def same_numbers(rows: list[list[Cell]]) -> bool:
    cells = [row[2] for row in rows]
    wanted = SHEET.columns[2].cells
    return all(
        type == "float" and float(text) == float(number)
        for (type, text), number in zip(cells, wanted, strict=True)
    )


def test_each_cell_of_an_excel_file_has_the_type_of_its_value(tmp_path: Path) -> None:
    file = tmp_path / "answer.xlsx"
    file.write_bytes(workbook(SHEET))
    head, *rows = rows_in_calc(file)
    assert [text for _, text in head] == ["naïve name", "id", "size", "born"]
    for at, type in ((0, "string"), (1, "string"), (3, "date")):
        assert [row[at] for row in rows] == [(type, cell) for cell in SHEET.columns[at].cells]
    assert same_numbers(rows)


def test_a_csv_has_accents_numbers_and_days_and_no_formula(tmp_path: Path) -> None:
    file = tmp_path / "answer.csv"
    file.write_text("".join(csv_chunks(SHEET)), encoding="utf-8", newline="")
    head, *rows = rows_in_calc(file, f"--infilter={AS_CSV}")
    assert head[0] == ("string", "naïve name")
    names = [f"'{name}" if name in GUARDED else name for name in SHEET.columns[0].cells]
    texts = [(row[0], name) for row, name in zip(rows, names, strict=True) if name not in ("TRUE", "Jan 5")]
    assert all(cell == ("string", name) for cell, name in texts)
    assert [row[3] for row in rows] == [("date", day) for day in SHEET.columns[3].cells]
    assert same_numbers(rows)
