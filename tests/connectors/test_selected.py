"""Which columns a query asks for, and whole bodies of results."""

from __future__ import annotations

import sys
from threading import Thread

import pytest

from connectors.reading import UNREADABLE, columns_of
from connectors.sparql_text import selected

TRUE = b'<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head/><boolean>true</boolean></sparql>'
JSON, XML = "application/sparql-results+json", "application/sparql-results+xml"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("SELECT ?a $b WHERE { ?a ?p ?b }", {"a", "b"}),
        ("PREFIX select: <urn:s> SELECT DISTINCT ?a FROM <urn:g> { SELECT ?c { ?c ?d ?e } }", {"a"}),
        ("# SELECT ?x\nSELECT ?a # ?b {\n (COUNT(?c) AS ?n) (IF(?d, 1, 2) AS ?e) { }", {"a", "n", "e"}),
        ("SELECT(STR(?a)AS ?b){}", {"b"}),
        ("SELECT ('{' AS ?b) ('AS' AS ?c) {}", {"b", "c"}),
        ("SELECT (EXISTS { ?a ?b ?c } AS ?d) { }", None),
        ("SELECT * { ?a ?b ?c }", None),
        ("SELECT DISTINCT * { ?a ?b ?c }", None),
        ("SELECT (?a * 2 AS ?b) { ?a ?p ?c }", {"b"}),
        ("SELECT (2 * ?a AS ?b) { ?a ?p ?c }", {"b"}),
        ("ASK { SELECT ?a { ?a ?b ?c } }", None),
        ("CONSTRUCT { ?a ?b ?c } WHERE { ?a ?b ?c }", None),
        ("DESCRIBE ?a { ?a ?b ?c }", None),
        ("SELECT ?a ' {", None),
        ("", None),
    ],
)
def test_the_columns_asked_for_are_read(text: str, names: set[str] | None) -> None:
    assert selected(text) == (None if names is None else frozenset(names))


@pytest.mark.parametrize(
    ("media_type", "body", "columns"),
    [
        (JSON, b'{"head":{"vars":["a","b"]},"results":{"bindings":[]}}', ("a", "b")),
        (JSON, b'{"head":{},"boolean":true}', None),
        (
            JSON,
            b'{"head":{"vars":["a"]},"results":{"bindings":[{"a":{"type":"uri","value":"a b"}}]}}',
            ("a",),
        ),
        (
            XML,
            b'<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head/><boolean>true</boolean></sparql>',
            None,
        ),
    ],
)
def test_the_columns_of_a_whole_body(media_type: str, body: bytes, columns: tuple[str, ...] | None) -> None:
    assert columns_of(media_type, body) == columns


@pytest.mark.parametrize(
    "body",
    [
        b'{"error":"out of memory"}',
        b'{"head":{"vars":["a"]},"results":{"bindings":[{"a":{"type":"uri","value":"urn:a"}}',
        b'{"head":{"vars":["a"]},"results":{"bindings":[]}} {}',
        b'{"head":{"vars":["a"]}}',
        b"[]",
    ],
)
def test_no_other_body_has_columns(body: bytes) -> None:
    with pytest.raises(UNREADABLE):
        columns_of(JSON, body)


def test_any_thread_may_let_go_of_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps no solutions of the parser, which complains where another thread drops them."""
    complaints: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    errors: list[Exception] = []

    def read() -> None:
        try:
            columns_of(
                JSON, b'{"head":{"vars":["a"]},"results":{"bindings":[{"a":{"type":"uri","value":"urn:a"}}'
            )
        except UNREADABLE as error:
            errors.append(error)

    reader = Thread(target=read)
    reader.start()
    reader.join()
    assert len(errors) == 1
    errors.clear()
    assert complaints == []
