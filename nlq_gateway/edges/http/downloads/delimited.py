"""CSV and TSV of a sheet, chunk by chunk.

Sources: RFC 4180; IANA, text/tab-separated-values; OWASP, CSV Injection.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from io import StringIO
from itertools import chain, islice

from nlq_gateway.client.sheet import Sheet

# Excel takes a CSV file for UTF-8 by it, and each accent for two letters without.
BYTE_ORDER_MARK = "\ufeff"
ROWS_OF_A_CHUNK = 500
# Beginnings of formulas in spreadsheets, except in numbers; the last four are wide forms of the first.
_FORMULA = re.compile(r"(?!-?\d+(?:\.\d+)?\Z)[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_BREAKS = re.compile(r"[\t\r\n]+")


def csv_chunks(sheet: Sheet) -> Iterator[str]:
    """The sheet as CSV."""
    yield BYTE_ORDER_MARK
    rows = _lines(sheet)
    while chunk := list(islice(rows, ROWS_OF_A_CHUNK)):
        written = StringIO()
        csv.writer(written).writerows(chunk)
        yield written.getvalue()


def tsv_chunks(sheet: Sheet) -> Iterator[str]:
    """The sheet as TSV, which has no way to write a tab or a line break in a cell: each is a blank."""
    rows = _lines(sheet)
    while chunk := list(islice(rows, ROWS_OF_A_CHUNK)):
        yield "".join("\t".join(_BREAKS.sub(" ", cell) for cell in row) + "\n" for row in chunk)


def _lines(sheet: Sheet) -> Iterator[list[str]]:
    """The names of the columns, then the rows; no text is a formula."""
    lines = chain([[column.name for column in sheet.columns]], sheet.rows)
    return ([unlike_a_formula(cell) for cell in line] for line in lines)


def unlike_a_formula(text: str) -> str:
    """The text behind an apostrophe where a spreadsheet would calculate it."""
    return f"'{text}" if _FORMULA.match(text) else text
