"""Downloads of answers as tables: CSV, TSV, Excel and RDF, made from the document of a trace.

delimited.py    CSV and TSV, chunk by chunk
spreadsheet.py  an Excel workbook
graph.py        an RDF graph
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from flask import Response, url_for

from nlq_gateway.client.sheet import Sheet, sheet_of
from nlq_gateway.edges.http.downloads.delimited import csv_chunks, tsv_chunks
from nlq_gateway.edges.http.downloads.graph import graph
from nlq_gateway.edges.http.downloads.spreadsheet import workbook
from nlq_gateway.edges.http.sparql.formats import CSV, JSON_LD, TSV, TURTLE
from nlq_gateway.trace import Json

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

_WRITERS: Mapping[str, tuple[str, Callable[[Sheet], Iterator[str] | bytes]]] = {
    CSV: (f"{CSV}; charset=utf-8", csv_chunks),
    TSV: (f"{TSV}; charset=utf-8", tsv_chunks),
    XLSX: (XLSX, workbook),
}
_GRAPHS = (TURTLE, JSON_LD)
MEDIA_TYPES = (*_WRITERS, *_GRAPHS)


def download(document: Json, media_type: str, *, iris: bool) -> Response:
    """The table of a trace's document in one of `MEDIA_TYPES`; `iris` adds the columns of IRIs to tables."""
    if media_type in _GRAPHS:
        address = url_for("traces.trace", trace_id=document["id"], _external=True)
        return Response(graph(sheet_of(document, iris=False), address, media_type), content_type=media_type)
    content_type, write = _WRITERS[media_type]
    return Response(write(sheet_of(document, iris=iris)), content_type=content_type)


__all__ = ["MEDIA_TYPES", "XLSX", "download"]
