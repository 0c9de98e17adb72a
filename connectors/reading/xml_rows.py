"""SPARQL results in XML, row by row.

Source: SPARQL Query Results XML Format (Second Edition), https://www.w3.org/TR/rdf-sparql-XMLres/, and the
triple terms of its 1.2 draft. The parser is the standard library's: pyoxigraph's takes a document without its
end for whole, and refuses blank nodes and IRIs that Virtuoso sends.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import ParseError, XMLParser

from connectors.results import Result, Row, Term, TermKind, as_verdict, triple_term

_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_KINDS: dict[str, TermKind] = {"uri": "iri", "bnode": "blank", "literal": "literal"}
_TRUTHS = {"true": True, "false": False}


def read_xml_rows(pieces: Iterable[bytes], max_rows: int) -> Result:
    """The result; see `connectors.reading`. A document type is refused: it is unneeded, and may expand."""
    document = _XmlDocument()
    parser = XMLParser(target=document)
    try:
        for piece in pieces:
            parser.feed(piece)
            if len(document.rows) > max_rows:
                return document.result(max_rows)
        parser.close()
    except ParseError as error:
        raise ValueError(str(error)) from error
    return document.result(max_rows)


class _XmlDocument:
    """The parser's target: the members of the document read so far."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self._columns: list[str] = []
        self._boolean: bool | None = None
        self._has_results = False
        self._depth = 0
        self._text: list[str] = []
        self._attributes: dict[str, str] = {}
        self._name = ""
        self._row: dict[str, Term] = {}
        self._terms: list[Term] = []

    def doctype(self, _name: str, _public: str | None, _system: str | None) -> None:
        raise ValueError("the document has a document type")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = _local(tag)
        if self._depth == 0 and name != "sparql":
            raise ValueError(f"the root is <{name:.50}>, not <sparql>")
        self._depth += 1
        self._text = []
        if name == "variable":
            self._columns.append(_name(attributes))
        elif name == "results":
            self._has_results = True
        elif name == "result":
            self._row = {}
        elif name == "binding":
            self._name = _name(attributes)
        elif name == "literal":
            self._attributes = attributes

    def data(self, text: str) -> None:
        self._text.append(text)

    def end(self, tag: str) -> None:
        name = _local(tag)
        self._depth -= 1
        if name in _KINDS:
            self._terms.append(self._term(name))
        elif name == "triple":
            if len(self._terms) < 3:
                raise ValueError("a triple term has three terms")
            parts = (self._terms.pop(-3), self._terms.pop(-2), self._terms.pop())
            self._terms.append(triple_term(*parts))
        elif name == "binding":
            if len(self._terms) != 1 or self._name not in self._columns:
                raise ValueError(f"the binding of {self._name!r:.50} is no term of a declared column")
            self._row[self._name] = self._terms.pop()
        elif name == "result":
            self.rows.append(tuple(map(self._row.get, self._columns)))
        elif name == "boolean":
            self._boolean = _truth("".join(self._text))

    def result(self, max_rows: int) -> Result:
        """The result of the whole document."""
        if self._boolean is not None:
            return Result((), boolean=self._boolean)
        if not self._has_results:
            raise ValueError("there are neither results nor a boolean")
        rows, truncated = tuple(self.rows[:max_rows]), len(self.rows) > max_rows
        return as_verdict(Result(tuple(self._columns), rows, truncated=truncated))

    def _term(self, name: str) -> Term:
        value = "".join(self._text)
        if name != "literal":
            return Term(_KINDS[name], value)
        language = self._attributes.get(_LANGUAGE)
        datatype = self._attributes.get("datatype") if language is None else None
        return Term("literal", value, datatype, language)


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _name(attributes: dict[str, str]) -> str:
    if "name" not in attributes:
        raise ValueError("an element has no 'name'")
    return attributes["name"]


def _truth(text: str) -> bool:
    if text.strip() not in _TRUTHS:
        raise ValueError("the boolean is neither true nor false")
    return _TRUTHS[text.strip()]
