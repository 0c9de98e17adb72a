"""SPARQL results in JSON, row by row.

Source: SPARQL 1.1 Query Results JSON Format, https://www.w3.org/TR/sparql11-results-json/, and the triple
terms of its 1.2 draft. The standard library decodes each row, since it takes text that stores send and other
streaming parsers (ijson, pyoxigraph) refuse: raw control characters, labels such as `nodeID://b1`, IRIs with
blanks, language tags with underscores.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NoReturn

from connectors.results import PARTS, Result, Row, Term, TermKind, as_verdict, triple_term

# Raw control characters in a string do no harm.
_decode = json.JSONDecoder(strict=False).raw_decode
_BLANKS = re.compile(r"[ \t\r\n]*")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_PIECE = 65_536
_KINDS: Mapping[str, TermKind] = {
    "uri": "iri",
    "bnode": "blank",
    "literal": "literal",
    # The 2007 note's name for a literal with a datatype, which Virtuoso still sends.
    "typed-literal": "literal",
}


def read_json_rows(pieces: Iterable[bytes], max_rows: int) -> Result:
    """The result; see `connectors.reading`. A base direction (`its:dir`) is not kept."""
    text = _JsonText(iter(pieces))
    document = _JsonDocument(max_rows)
    for name in text.members():
        document.read(name, text)
        if document.is_enough:
            break
    else:
        text.end()
    return document.result()


class _JsonDocument:
    """The members of the document read so far."""

    def __init__(self, max_rows: int) -> None:
        self._max_rows = max_rows
        self._head: Any = None
        self._boolean: Any = None
        self._rows: list[Any] | None = None
        self._is_read = False
        self._truncated = False

    @property
    def is_enough(self) -> bool:
        return self._truncated and self._head is not None

    def read(self, name: str, text: _JsonText) -> None:
        """One member of the document."""
        if name == "results":
            self._read_rows(text)
        elif name == "head":
            self._head = text.value()
        elif name == "boolean":
            self._boolean = text.value()
            if not isinstance(self._boolean, bool):
                _refuse("the boolean is neither true nor false")
        else:
            text.value()

    def _read_rows(self, text: _JsonText) -> None:
        for name in text.members():
            if name != "bindings":
                text.value()
                continue
            rows: list[Any] = []
            self._rows = rows
            row = self._row()
            for binding in text.elements():
                if len(rows) < self._max_rows:
                    rows.append(row(binding))
                    continue
                self._truncated = True
                if self.is_enough:
                    return

    def _row(self) -> Callable[[Any], Any]:
        """A function from a binding to a row; until the head is read, it keeps bindings as they are."""
        self._is_read = self._head is not None
        if not self._is_read:
            return lambda binding: binding
        columns = _columns(self._head)
        return partial(_row, columns, frozenset(columns))

    def result(self) -> Result:
        """The result of the whole document."""
        if not isinstance(self._head, dict):
            _refuse("there is no head")
        if self._boolean is not None:
            return Result((), boolean=self._boolean)
        if self._rows is None:
            _refuse("there is no list of rows")
        columns = _columns(self._head)
        rows = self._rows if self._is_read else map(self._row(), self._rows)
        return as_verdict(Result(columns, tuple(rows), truncated=self._truncated))


class _JsonText:
    """The document's text that was received and is not read yet. Its methods raise ValueError."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._text = ""
        self._at = 0
        self._ended = False
        self._suspicious = False

    def members(self) -> Iterator[str]:
        """The names of the object that begins here; each value must be read before the next name."""
        self._take("{")
        if self._next_is("}"):
            return
        while True:
            name = _string(self.value())
            self._take(":")
            yield name
            if self._next_is("}"):
                return
            self._take(",")

    def elements(self) -> Iterator[Any]:
        """The values of the list that begins here."""
        self._take("[")
        if self._next_is("]"):
            return
        while True:
            yield self.value()
            if self._next_is("]"):
                return
            self._take(",")

    def value(self) -> Any:
        """The whole value that begins here."""
        self._skip_blanks()
        while True:
            try:
                value, end = _decode(self._text, self._at)
            except json.JSONDecodeError:
                if not self._more():
                    raise
                continue
            # A number may go on in the next piece.
            if end < len(self._text) or not self._more():
                break
        self._at = end
        if self._suspicious:
            json.dumps(value, ensure_ascii=False).encode()
        return value

    def end(self) -> None:
        """Raise ValueError if more text follows."""
        if self._skip_blanks():
            _refuse("something follows the document")

    def _take(self, sign: str) -> None:
        if not self._next_is(sign):
            _refuse(f"{sign!r} is missing")

    def _next_is(self, sign: str) -> bool:
        """True if the next sign is `sign`, which is then read."""
        found = self._skip_blanks() == sign
        self._at += found
        return found

    def _skip_blanks(self) -> str:
        """The next sign that is no blank, "" at the end."""
        while True:
            match = _BLANKS.match(self._text, self._at)
            assert match is not None
            self._at = match.end()
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _more(self) -> bool:
        """Drop the text that was read, and read at least as much as is left; False at the end."""
        if self._ended:
            return False
        kept = self._text[self._at :]
        new: list[str] = []
        wanted = max(_PIECE, len(kept))
        while wanted > 0 and not self._ended:
            piece = next(self._pieces, None)
            self._ended = piece is None
            new.append(self._decoder.decode(piece or b"", final=self._ended))
            wanted -= len(piece or b"")
        self._text, self._at = kept + "".join(new), 0
        self._suspicious = _SURROGATE.search(self._text) is not None
        return len(self._text) > len(kept)


def _columns(head: Any) -> tuple[str, ...]:
    if not isinstance(head, dict) or not isinstance(head.get("vars"), list):
        _refuse("there is no list of columns")
    return tuple(map(_string, head["vars"]))


def _row(columns: tuple[str, ...], known: frozenset[str], binding: Any) -> Row:
    if not isinstance(binding, dict) or not known.issuperset(binding):
        _refuse("a row is not a set of bindings of the declared columns")
    return tuple(_term(binding[name]) if name in binding else None for name in columns)


def _term(term: Any) -> Term:
    kind = term["type"]
    if kind == "triple":
        return triple_term(*(_term(term["value"][part]) for part in PARTS))
    value = _string(term["value"])
    if kind not in _KINDS:
        _refuse(f"{kind!r} is no kind of term")
    if _KINDS[kind] != "literal":
        return Term(_KINDS[kind], value)
    language = term.get("xml:lang")
    if language is not None:
        return Term("literal", value, None, _string(language))
    datatype = term.get("datatype")
    return Term("literal", value, None if datatype is None else _string(datatype))


def _string(value: Any) -> str:
    if not isinstance(value, str):
        _refuse(f"{value!r:.50} is no string")
    return value


def _refuse(reason: str) -> NoReturn:
    raise ValueError(reason)
