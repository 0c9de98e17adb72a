"""Query results as values, and the JSON form they travel in.

Source: SPARQL 1.1 Query Results JSON Format, https://www.w3.org/TR/sparql11-results-json/, and the triple
terms of its 1.2 draft.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

from connectors.errors import IncompleteResult

TermKind = Literal["iri", "blank", "literal", "triple"]


@dataclass(frozen=True, slots=True)
class Term:
    """An RDF term: `value` is the IRI, the blank node's label or the lexical form.

    `datatype` is None for a plain string and for one with a language. A triple term has its three terms in
    `parts`, and `value` is their text in RDF 1.2 syntax.
    """

    kind: TermKind
    value: str
    datatype: str | None = None
    language: str | None = None
    parts: tuple[Term, Term, Term] | None = None


Row = tuple[Term | None, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """Rows of a SELECT (`boolean` is None), or the truth value of an ASK (no columns, no rows).

    `truncated` is true when rows beyond the limit were dropped.
    """

    columns: tuple[str, ...]
    rows: tuple[Row, ...] = ()
    boolean: bool | None = None
    truncated: bool = False
    elapsed_ms: float = 0.0

    def column(self, name: str) -> Iterator[Term]:
        """The bound terms of one column, in row order; KeyError for a name that is no column."""
        if name not in self.columns:
            raise KeyError(name)
        position = self.columns.index(name)
        return (term for row in self.rows if (term := row[position]) is not None)


_LONE_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_KINDS: Mapping[str, TermKind] = {
    "uri": "iri",
    "bnode": "blank",
    "literal": "literal",
    # The 2007 note's name for a literal with a datatype, which Virtuoso still sends.
    "typed-literal": "literal",
}
_PARTS = ("subject", "predicate", "object")
_TRUE = frozenset({"1", "true"})
# Virtuoso answers some ASK requests with a table of this one column: a row with 1 for true, no row for false.
_ASK_COLUMN = ("__ASK_RETVAL",)


def read_json(body: bytes, max_rows: int, endpoint: str) -> Result:
    """The result in a SPARQL JSON document: at most `max_rows` rows, `truncated` when there were more.

    A base direction (`its:dir`) is not kept.

    Raises:
        IncompleteResult: the body is cut, is not JSON, or is not a SPARQL result.
    """
    document = _decode(body, endpoint)
    try:
        return _result(document, max_rows)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise IncompleteResult(
            f"the store's answer is JSON, but no SPARQL result: {error}",
            endpoint=endpoint,
            hint="check that the URL is that of the SPARQL query service",
            detail=excerpt(body),
        ) from error


def as_json(result: Result) -> dict[str, Any]:
    """The result as a SPARQL 1.1 results document, for `json.dumps`."""
    if result.boolean is not None:
        return {"head": {}, "boolean": result.boolean}
    bindings = [
        {name: _term_json(term) for name, term in zip(result.columns, row, strict=True) if term is not None}
        for row in result.rows
    ]
    return {"head": {"vars": list(result.columns)}, "results": {"bindings": bindings}}


def excerpt(body: bytes, length: int = 500) -> str:
    """The beginning and the end of a body as readable text of about `length` characters."""
    text = " ".join(body[: 4 * length].decode("utf-8", "replace").split())
    if len(body) <= length:
        return text
    half = length // 2
    tail = " ".join(body[-half:].decode("utf-8", "replace").split())
    return f"{text[:half]} ... {tail}"


def _decode(body: bytes, endpoint: str) -> Any:
    try:
        # Raw control characters in a string do no harm, and some stores send them.
        document = json.loads(body.decode("utf-8-sig"), strict=False)
        if _LONE_SURROGATE.search(body):
            json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise IncompleteResult(
            f"the store's answer is cut or is not JSON: {error}",
            endpoint=endpoint,
            hint="the store may have stopped in the middle of its answer: retry, or ask for fewer rows",
            detail=excerpt(body),
        ) from error
    return document


def _result(document: Any, max_rows: int) -> Result:
    if not isinstance(document, dict) or not isinstance(document.get("head"), dict):
        _refuse("there is no head")
    if "boolean" in document:
        return _verdict(document["boolean"])
    columns = tuple(_string(name) for name in _list(document["head"]["vars"]))
    bindings = _list(document["results"]["bindings"])
    known = frozenset(columns)
    rows = tuple(_row(binding, columns, known) for binding in bindings[:max_rows])
    if columns == _ASK_COLUMN:
        return Result((), boolean=any(term is not None and term.value in _TRUE for (term,) in rows))
    return Result(columns, rows, truncated=len(bindings) > max_rows)


def _verdict(value: Any) -> Result:
    if not isinstance(value, bool):
        _refuse("the boolean is neither true nor false")
    return Result((), boolean=value)


def _row(binding: Any, columns: tuple[str, ...], known: frozenset[str]) -> Row:
    if not isinstance(binding, dict) or not known.issuperset(binding):
        _refuse("a row is no set of bindings of the declared columns")
    return tuple(_term(binding[name]) if name in binding else None for name in columns)


def _term(term: Any) -> Term:
    kind = term["type"]
    if kind == "triple":
        return triple_term(*(_term(term["value"][part]) for part in _PARTS))
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


def triple_term(subject: Term, predicate: Term, object_: Term) -> Term:
    """An RDF 1.2 triple term of three terms."""
    parts = (subject, predicate, object_)
    return Term("triple", f"<<( {' '.join(map(_text, parts))} )>>", parts=parts)


def _text(term: Term) -> str:
    if term.kind == "iri":
        return f"<{term.value}>"
    if term.kind == "blank":
        return f"_:{term.value}"
    if term.kind == "triple":
        return term.value
    quoted = json.dumps(term.value, ensure_ascii=False)
    if term.language is not None:
        return f"{quoted}@{term.language}"
    return quoted if term.datatype is None else f"{quoted}^^<{term.datatype}>"


def _term_json(term: Term) -> dict[str, Any]:
    if term.parts is not None:
        return {
            "type": "triple",
            "value": {name: _term_json(part) for name, part in zip(_PARTS, term.parts, strict=True)},
        }
    if term.kind != "literal":
        return {"type": "uri" if term.kind == "iri" else "bnode", "value": term.value}
    literal = {"type": "literal", "value": term.value}
    if term.language is not None:
        return literal | {"xml:lang": term.language}
    return literal if term.datatype is None else literal | {"datatype": term.datatype}


def _string(value: Any) -> str:
    if not isinstance(value, str):
        _refuse(f"{value!r:.50} is no string")
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        _refuse("there is no list of columns or of rows")
    return value


def _refuse(reason: str) -> NoReturn:
    raise ValueError(reason)
