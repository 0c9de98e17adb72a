"""An Excel workbook of one sheet: texts as texts, numbers as numbers, days as days.

Source: ECMA-376, Office Open XML, part 1: 12 (packages), 18 (SpreadsheetML), 22.9.2.19 (escapes in texts).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from io import BytesIO
from string import ascii_uppercase
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

from nlq_gateway.client.sheet import Sheet

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_SHEET = "xl/worksheets/sheet1.xml"
# Styles by their place in `cellXfs`; 14 is Excel's own number for a day as the reader's country writes it.
_HEADING, _DAY = 1, 2
_PARTS: Mapping[str, str] = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{_TYPES}.styles+xml"/>'
    f'<Override PartName="/{_SHEET}" ContentType="{_TYPES}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_RELATIONS}">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_RELATIONS}">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
    '<sheets><sheet name="Answer" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}">'
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
    '<xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>'
    "</styleSheet>",
}
# The first row stays in view.
_OPENING = (
    f'<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
    "<sheetData>"
)
_CLOSING = "</sheetData></worksheet>"
_LONGEST = 32_767
_MOST_ROWS = 1_048_576
# Excel shows 15 digits of a number: a whole one that would lose others, such as an identifier, stays a text.
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_DIGITS = 15
# Before March 1900 Excel counts a day that did not exist.
_FIRST_DAY, _DAY_ZERO = date(1900, 3, 1), date(1899, 12, 30)
_ESCAPE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def workbook(sheet: Sheet) -> bytes:
    """The file; rows beyond what Excel takes are left out."""
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as package:
        for name, content in _PARTS.items():
            package.writestr(name, _HEAD + content)
        with package.open(_SHEET, "w") as part:
            part.write((_HEAD + _OPENING).encode())
            for row in _rows(sheet):
                part.write(row.encode())
            part.write(_CLOSING.encode())
    return file.getvalue()


def _rows(sheet: Sheet) -> Iterator[str]:
    names = [_letters(at) for at in range(len(sheet.columns))]
    heads = (
        _text(f"{name}1", column.name, _HEADING) for name, column in zip(names, sheet.columns, strict=True)
    )
    yield f'<row r="1">{"".join(heads)}</row>'
    writers = [_WRITERS.get(column.type, _text) for column in sheet.columns]
    for number, row in zip(range(2, _MOST_ROWS + 1), sheet.rows, strict=False):
        cells = (
            write(f"{name}{number}", cell)
            for name, write, cell in zip(names, writers, row, strict=True)
            if cell
        )
        yield f'<row r="{number}">{"".join(cells)}</row>'


def _letters(at: int) -> str:
    """A column's name: A to Z, AA to ZZ, and on."""
    before, last = divmod(at, len(ascii_uppercase))
    return (_letters(before - 1) if before else "") + ascii_uppercase[last]


def _text(place: str, text: str, style: int = 0) -> str:
    """A cell that stays text, whatever it begins with."""
    kept = _ESCAPE.sub("_x005F_", escape(_NOT_XML.sub("\ufffd", text[:_LONGEST])))
    return f'<c r="{place}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{kept}</t></is></c>'


def _number(place: str, text: str) -> str:
    exact = _NUMBER.fullmatch(text) and ("." in text or len(text.strip("-0")) <= _DIGITS)
    return f'<c r="{place}"><v>{text}</v></c>' if exact else _text(place, text)


def _day(place: str, text: str) -> str:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return _text(place, text)
    if day < _FIRST_DAY:
        return _text(place, text)
    return f'<c r="{place}" s="{_DAY}"><v>{(day - _DAY_ZERO).days}</v></c>'


_WRITERS: Mapping[str, Callable[[str, str], str]] = {"number": _number, "year": _number, "date": _day}
