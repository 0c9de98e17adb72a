"""Names, values, units and comments cannot change the shape of a query."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rdflib import Literal, URIRef
from rdflib.plugins.sparql import prepareQuery

from compilers import algebra as a
from compilers.compile import compile_program
from compilers.dialects import DIALECTS
from compilers.errors import UnsafeQuery
from compilers.grounded import Binding, GroundedProgram
from compilers.kopl.program import Program, Step
from compilers.layouts import LAYOUTS, Options
from compilers.layouts.base import number_literal
from compilers.layouts.vocabulary import XSD
from compilers.terms import write_comment, write_iri, write_literal, write_string

TEXTS = (
    'say "hi"',
    'end" . ?s ?p ?o } #',
    "back\\slash",
    "trailing\\",
    "line\nbreak\r\n\ttab\x0b\x0c\x85\u2028",
    "# a comment }",
    "\\u0022 . ?s ?p ?o } #",
    "\\\\u0022 \\U00000022",
    "\\u000A } LIMIT 1 #",
    "\\u00750022",
    "'''\"\"\"",
    "?x $y {} <http://example.org/>",
    "{{ }} ; DROP ALL",
    "Zoë 東京 🙂 \u202e",
    "\x01\x1f\x7f",
    "%22 %0A &quot;",
)
REFUSED = ("a\x00b", "\ud800", "x\udfffy")
HARMLESS = "harmless"
# As parsers look for it that expand code points everywhere before they read the query.
CODE_POINT = re.compile(r"\\u[0-9a-f]{4}", re.IGNORECASE)
IRI = "http://example.org/p"
OPTIONS = [
    Options(dialect=DIALECTS["sparql11"]),
    Options(dialect=DIALECTS["oxigraph"], plain_labels=True),
]


def _constants(node: Any) -> Iterator[str]:
    """The literals and IRIs of a parsed query, in order."""
    if isinstance(node, (Literal, URIRef)):
        yield str(node)
    elif isinstance(node, dict):
        for key in sorted(node, key=str):
            if key not in ("_vars", "PV", "prologue"):
                yield from _constants(node[key])
    elif isinstance(node, (list, tuple)):
        for item in node:
            yield from _constants(item)


def _parsed(text: str) -> list[str]:
    ox.Store().query(text)
    return sorted(_constants(prepareQuery(text).algebra))


def _program(function: str, *inputs: str) -> Program:
    start = Step("FindAll")
    last = Step("What", (), (1,))
    if function == "Find":
        return Program((Step(function, inputs), Step("What", (), (0,))))
    if function.startswith("QFilter"):
        related = Step("Relate", (f"<{IRI}>", "forward"), (0,))
        return Program((start, related, Step(function, inputs, (1,)), Step("What", (), (2,))))
    if function == "QueryAttrQualifier":
        return Program((start, Step(function, inputs, (0,))))
    return Program((start, Step(function, inputs, (0,)), last))


PLACES = {
    "the name of an entity": lambda text: _program("Find", text),
    "the name of a concept": lambda text: _program("FilterConcept", text),
    "a text": lambda text: _program("FilterStr", f"<{IRI}>", text),
    "a unit": lambda text: _program("FilterNum", f"<{IRI}>", f"5 {' '.join(text.split())}", "="),
    "a text of a qualifier": lambda text: _program("QFilterStr", f"<{IRI}>", text),
    "a value of any type": lambda text: _program("QueryAttrQualifier", f"<{IRI}>", text, f"<{IRI}>"),
}


@cache
def _parts(place: str, text: str, options: Options) -> list[str]:
    return _parsed(compile_program(GroundedProgram(PLACES[place](text)), "kqapro", options).text)


@pytest.mark.parametrize("options", OPTIONS, ids=["sparql11", "oxigraph"])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_a_text_stays_a_constant(text: str, place: str, options: Options) -> None:
    found, harmless = _parts(place, text, options), _parts(place, HARMLESS, options)
    constant = " ".join(text.split()) if place == "a unit" else text
    assert HARMLESS in harmless
    assert found == sorted(constant if item == HARMLESS else item for item in harmless)


@pytest.mark.parametrize("place", [place for place in PLACES if place != "a unit"])
@pytest.mark.parametrize("text", REFUSED, ids=ascii)
def test_what_no_store_takes_is_refused(text: str, place: str) -> None:
    with pytest.raises(UnsafeQuery) as caught:
        compile_program(GroundedProgram(PLACES[place](text)), "kqapro", Options())
    assert caught.value.code == "query-refused"
    assert caught.value.hint


@pytest.mark.parametrize("text", [*TEXTS, *REFUSED], ids=ascii)
def test_a_bound_name_stays_in_its_comment(text: str) -> None:
    program = _program("Find", text)
    bound = {(0, 0): Binding((IRI,), text)}
    query = compile_program(GroundedProgram(program, bound), "direct", Options())
    query.text.encode()
    assert _parsed(query.text) == _parsed(
        compile_program(
            GroundedProgram(_program("Find", HARMLESS), {(0, 0): Binding((IRI,))}), "direct", Options()
        ).text
    )
    assert len(query.text.splitlines()) == query.text.count("\n")


@pytest.mark.parametrize("text", [*TEXTS, *REFUSED], ids=ascii)
def test_a_comment_is_one_line_for_every_reader(text: str) -> None:
    comment = write_comment(text)
    assert comment.startswith("# ")
    assert len(comment.splitlines()) == 1
    assert CODE_POINT.search(comment) is None


BROKEN_IRIS = (
    "http://example.org/a> . ?s ?p ?o . <http://example.org/b",
    "http://example.org/a b",
    'http://example.org/"',
    "http://example.org/\\u003E",
    "http://example.org/{x}",
    "http://example.org/a\nb",
    "http://example.org/\x00",
    "http://example.org/\ud800",
    "relative/path",
    "",
    "//example.org/a",
    "#fragment",
)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("iri", BROKEN_IRIS, ids=ascii)
def test_an_iri_that_breaks_out_is_refused(iri: str, layout: str) -> None:
    for program, place in ((_program("Find", "x"), (0, 0)), (_program("FilterConcept", "x"), (1, 0))):
        with pytest.raises(UnsafeQuery):
            compile_program(GroundedProgram(program, {place: Binding((iri,))}), layout, Options())


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_a_bare_relation_becomes_one_iri(text: str) -> None:
    program = Program((Step("FindAll"), Step("Relate", (text, "forward"), (0,)), Step("What", (), (1,))))
    query = compile_program(GroundedProgram(program), "kqapro", Options(plain_labels=True))
    iris = {item for item in _parsed(query.text) if item.startswith("http://kqapro.example/")}
    assert len(iris) == 1
    assert not set('<>"{}|^`\\ \n') & set(iris.pop())


@pytest.mark.parametrize(
    "language",
    ["en>", "en us", 'en"', "", "en\n", "toolonglanguage", "é", "x", "e", "en-", "en-a", "\u212aa"],
)
def test_a_language_that_is_no_tag_is_refused(language: str) -> None:
    literal = a.Literal("x", language=language or "-")
    with pytest.raises(UnsafeQuery):
        write_literal(literal, {}, set())


@pytest.mark.parametrize(
    "language", ["en", "DE-at", "zh-Hant-TW", "sl-rozaj-biske-1994", "es-419", "be-x-old", "x-a", "simple"]
)
def test_a_language_tag_is_written_as_it_is(language: str) -> None:
    written = write_literal(a.Literal("x", language=language), {}, set())
    (row,) = ox.Store().query(f"SELECT ?x {{ VALUES ?x {{ {written} }} }}")
    assert row["x"] == ox.Literal("x", language=language)


@given(st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])))
@settings(derandomize=True)
def test_a_string_is_read_back_as_it_was(text: str) -> None:
    query = f"SELECT ?x {{ BIND({write_string(text)} AS ?x) }}"
    (row,) = ox.Store().query(query)
    assert row["x"].value == text
    assert list(_constants(prepareQuery(query).algebra)) == [text]


def _is_iri(text: str) -> bool:
    try:
        ox.NamedNode(text)
    except (ValueError, UnicodeEncodeError):
        return False
    return True


@given(st.text())
@settings(derandomize=True)
def test_an_iri_is_written_whole(text: str) -> None:
    iri = f"http://example.org/{text}"
    prefixes = {"http://example.org/": "ex", "http://example.org/#": "frag"}
    used: set[str] = set()
    assume(_is_iri(iri))
    written = write_iri(iri, prefixes, used)
    head = "".join(f"PREFIX {prefixes[ns]}: <{ns}> " for ns in used)
    (row,) = ox.Store().query(f"{head}SELECT ?x {{ VALUES ?x {{ {written} }} }}")
    assert row["x"].value == iri


@given(st.floats(allow_nan=False, allow_infinity=False))
@settings(derandomize=True)
def test_a_number_keeps_its_value(number: float) -> None:
    literal = number_literal(number)
    written = write_literal(literal, {XSD: "xsd"}, set())
    query = f"PREFIX xsd: <{XSD}> SELECT (xsd:double({written}) AS ?x) {{}}"
    (row,) = ox.Store().query(query)
    assert float(row["x"].value) == pytest.approx(number, rel=1e-14, abs=0)
