"""Answers as tables that people take away: CSV, TSV and Excel, made of the document of a trace.

delimited.py    CSV and TSV, chunk by chunk
spreadsheet.py  an Excel workbook
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from flask import Response

from nlq_gateway.client.sheet import Sheet, sheet_of
from nlq_gateway.http.downloads.delimited import csv_chunks, tsv_chunks
from nlq_gateway.http.downloads.spreadsheet import workbook
from nlq_gateway.http.sparql.formats import CSV, TSV
from nlq_gateway.trace import Json

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

_WRITERS: Mapping[str, tuple[str, Callable[[Sheet], Iterator[str] | bytes]]] = {
    CSV: (f"{CSV}; charset=utf-8", csv_chunks),
    TSV: (f"{TSV}; charset=utf-8", tsv_chunks),
    XLSX: (XLSX, workbook),
}
MEDIA_TYPES = tuple(_WRITERS)


def download(document: Json, media_type: str, *, iris: bool) -> Response:
    """The table of a trace's document in one of `MEDIA_TYPES`; `iris` adds the columns of IRIs."""
    content_type, write = _WRITERS[media_type]
    return Response(write(sheet_of(document, iris=iris)), content_type=content_type)


__all__ = ["MEDIA_TYPES", "XLSX", "download"]
