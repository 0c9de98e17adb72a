"""Query results as values, and their JSON form for clients (`connectors.reading` reads stores').

Source: SPARQL 1.1 Query Results JSON Format, https://www.w3.org/TR/sparql11-results-json/, and the triple
terms of its 1.2 draft.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

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

    `truncated` is true if rows beyond the limit were dropped, `typed` is false if the store sent them in a
    format that does not tell IRIs from strings. `attempts` is the number of times the query was sent.
    """

    columns: tuple[str, ...]
    rows: tuple[Row, ...] = ()
    boolean: bool | None = None
    truncated: bool = False
    attempts: int = 1
    typed: bool = True

    def column(self, name: str) -> Iterator[Term]:
        """The bound terms of one column, in row order; raises KeyError for an unknown column."""
        if name not in self.columns:
            raise KeyError(name)
        position = self.columns.index(name)
        return (term for row in self.rows if (term := row[position]) is not None)


PARTS = ("subject", "predicate", "object")
EXCERPT = 500
_TRUE = frozenset({"1", "true"})
# Tables that answer ASK: Virtuoso's, in most formats, with a row of 1 for true and no row for false; Fuseki's
# in CSV and TSV, with a row of true or false.
_ASK_COLUMNS = (("__ASK_RETVAL",), ("_askResult",))


def as_verdict(result: Result) -> Result:
    """The truth value, if the result is a store's table for ASK; else the result as it is."""
    if result.columns not in _ASK_COLUMNS:
        return result
    is_true = any(term is not None and term.value in _TRUE for (term,) in result.rows)
    return Result((), boolean=is_true)


def as_json(result: Result) -> dict[str, Any]:
    """The result as a SPARQL 1.1 results document, for `json.dumps`."""
    if result.boolean is not None:
        return {"head": {}, "boolean": result.boolean}
    bindings = [
        {name: _term_json(term) for name, term in zip(result.columns, row, strict=True) if term is not None}
        for row in result.rows
    ]
    return {"head": {"vars": list(result.columns)}, "results": {"bindings": bindings}}


def excerpt(body: bytes) -> str:
    """The beginning and the end of a body as readable text of about EXCERPT characters."""
    text = " ".join(body[: 4 * EXCERPT].decode("utf-8", "replace").split())
    if len(body) <= EXCERPT:
        return text
    half = EXCERPT // 2
    tail = " ".join(body[-half:].decode("utf-8", "replace").split())
    return f"{text[:half]} ... {tail}"


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
            "value": {name: _term_json(part) for name, part in zip(PARTS, term.parts, strict=True)},
        }
    if term.kind != "literal":
        return {"type": "uri" if term.kind == "iri" else "bnode", "value": term.value}
    literal = {"type": "literal", "value": term.value}
    if term.language is not None:
        return literal | {"xml:lang": term.language}
    return literal if term.datatype is None else literal | {"datatype": term.datatype}
