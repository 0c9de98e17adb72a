"""SPARQL results in TSV and CSV, line by line.

Source: SPARQL 1.1 Query Results CSV and TSV Formats, https://www.w3.org/TR/sparql11-results-csv-tsv/. Neither
has an end mark, nor a form for ASK: stores send the bare word, or a table of one column with a name of their
own. Virtuoso's TSV is CSV with tabs.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice

from connectors.results import Result, Row, Term, as_verdict

_XSD = "http://www.w3.org/2001/XMLSchema#"
_TRUTHS = {"true": True, "false": False}
# Turtle's terms as section 4 allows them in TSV: numbers and truth values may be bare.
_TERM = re.compile(
    r"<(?P<iri>[^<>]*)>"
    r"|_:(?P<blank>\S+)"
    r"|(?:\"(?P<double>(?:[^\"\\]|\\.)*)\"|'(?P<single>(?:[^'\\]|\\.)*)')"
    r"(?:@(?P<language>[\w-]+)|\^\^<(?P<datatype>[^<>]*)>)?"
    r"|(?P<integer>[+-]?[0-9]+)"
    r"|(?P<decimal>[+-]?[0-9]*\.[0-9]+)"
    r"|(?P<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+)"
    r"|(?P<boolean>true|false)",
    re.DOTALL,
)
_BARE = {"integer": "integer", "decimal": "decimal", "number": "double", "boolean": "boolean"}
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_SHORT = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}
_ABSOLUTE_IRI = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*://|urn:|mailto:)[^\s<>\"{}|\\^`]*")

Fields = Sequence[str]
Read = Callable[[str], Term | None]


def read_tsv(pieces: Iterable[bytes], max_rows: int) -> Result:
    """The result; see `connectors.reading`."""
    lines = _lines(pieces)
    first = next(lines, "")
    if first.startswith("?"):
        rows = (line.rstrip("\r\n").split("\t") for line in chain((first,), lines))
        return _table(rows, _term, max_rows, typed=True)
    return _untyped(chain((first,), lines), "\t", max_rows)


def read_csv(pieces: Iterable[bytes], max_rows: int) -> Result:
    """The result; see `connectors.reading`. An empty field is read as no value."""
    return _untyped(_lines(pieces), ",", max_rows)


def _untyped(lines: Iterator[str], delimiter: str, max_rows: int) -> Result:
    first = next(lines, "")
    if first in _TRUTHS:
        return Result((), boolean=_TRUTHS[first])
    try:
        rows = csv.reader(chain((first,), lines), delimiter=delimiter, strict=True)
        return _table(rows, _guessed, max_rows, typed=False)
    except csv.Error as error:
        raise ValueError(str(error)) from error


def _table(rows: Iterator[Fields], read: Read, max_rows: int, *, typed: bool) -> Result:
    columns = tuple(name.removeprefix("?") for name in next(rows, ()))
    if not any(columns):
        raise ValueError("there is no line of columns")
    row = partial(_row, columns, read)
    kept = tuple(map(row, islice(rows, max_rows)))
    return as_verdict(Result(columns, kept, truncated=next(rows, None) is not None, typed=typed))


def _row(columns: tuple[str, ...], read: Read, fields: Fields) -> Row:
    # csv gives no field for an empty line, which is a row of one column without a value.
    given = fields or ("",)
    if len(given) != len(columns):
        raise ValueError(f"a row has {len(given)} fields, and there are {len(columns)} columns")
    return tuple(map(read, given))


def _term(field: str) -> Term | None:
    if not field:
        return None
    match = _TERM.fullmatch(field)
    if match is None or match.lastgroup is None:
        raise ValueError(f"{field!r:.80} is no term")
    found = match.groupdict()
    if found["iri"] is not None:
        return Term("iri", _unescaped(found["iri"]))
    if found["blank"] is not None:
        return Term("blank", found["blank"])
    if match.lastgroup in _BARE:
        return Term("literal", field, _XSD + _BARE[match.lastgroup])
    text = found["double"] if found["double"] is not None else found["single"]
    return Term("literal", _unescaped(text), found["datatype"], found["language"])


def _unescaped(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        return chr(int(code, 16)) if code else _SHORT.get(match[3], match[3])

    return _ESCAPE.sub(character, text)


def _guessed(field: str) -> Term | None:
    if not field:
        return None
    if field.startswith("_:"):
        return Term("blank", field[2:])
    return Term("iri" if _ABSOLUTE_IRI.fullmatch(field) else "literal", field)


def _lines(pieces: Iterable[bytes]) -> Iterator[str]:
    """The lines with their ends; only a line feed ends one."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    kept: list[str] = []
    for piece in chain(pieces, (None,)):
        *whole, rest = decoder.decode(piece or b"", final=piece is None).split("\n")
        for line in whole:
            yield "".join(kept) + line + "\n"
            kept.clear()
        kept.append(rest)
    if last := "".join(kept):
        yield last
