from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors import IncompleteResult, Result, Term, as_json, read_json

WHERE = "http://store.example/sparql"
XSD = "http://www.w3.org/2001/XMLSchema#"
ROWS = (
    b'{"head":{"link":[],"vars":["s","o"]},"results":{"distinct":false,"ordered":true,"bindings":['
    b'{"s":{"type":"uri","value":"http://e.example/a"},"o":{"type":"literal","value":"x","xml:lang":"en"}},'
    b'{"s":{"type":"bnode","value":"b0"}},'
    b'{"o":{"type":"typed-literal","value":"1","datatype":"http://www.w3.org/2001/XMLSchema#integer"}}]}}'
)


def test_reads_rows_of_every_kind_of_term() -> None:
    result = read_json(ROWS, 10, WHERE)
    assert result.columns == ("s", "o")
    assert result.rows == (
        (Term("iri", "http://e.example/a"), Term("literal", "x", None, "en")),
        (Term("blank", "b0"), None),
        (None, Term("literal", "1", XSD + "integer")),
    )
    assert not result.truncated
    assert [term.value for term in result.column("o")] == ["x", "1"]


@pytest.mark.parametrize(("max_rows", "kept", "truncated"), [(0, 0, True), (2, 2, True), (3, 3, False)])
def test_drops_rows_beyond_the_limit_and_says_so(max_rows: int, kept: int, truncated: bool) -> None:
    result = read_json(ROWS, max_rows, WHERE)
    assert (len(result.rows), result.truncated) == (kept, truncated)


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        (b'{"head":{},"boolean":true}', True),
        (b'{"head":{"link":[]},"boolean":false}', False),
        (
            b'{"head":{"vars":["__ASK_RETVAL"]},"results":{"bindings":[{"__ASK_RETVAL":'
            b'{"type":"typed-literal","datatype":"http://www.w3.org/2001/XMLSchema#integer","value":"1"}}]}}',
            True,
        ),
        (b'{"head":{"vars":["__ASK_RETVAL"]},"results":{"bindings":[]}}', False),
    ],
)
def test_reads_the_truth_value_of_an_ask(body: bytes, verdict: bool) -> None:
    assert read_json(body, 10, WHERE) == Result((), boolean=verdict)


def test_a_cut_answer_is_never_a_result() -> None:
    for cut in range(len(ROWS)):
        with pytest.raises(IncompleteResult) as caught:
            read_json(ROWS[:cut], 10, WHERE)
        assert caught.value.endpoint == WHERE
        assert caught.value.hint


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'"text"',
        b'{"head":{}}',
        b'{"head":{"vars":["x"]}}',
        b'{"head":{"vars":["x"]},"results":{}}',
        b'{"head":{"vars":["x"]},"results":{"bindings":null}}',
        b'{"head":{"vars":"x"},"results":{"bindings":[]}}',
        b'{"head":{"vars":[1]},"results":{"bindings":[]}}',
        b'{"results":{"bindings":[]}}',
        b'{"head":{"vars":["x"]},"results":{"bindings":[[]]}}',
        b'{"head":{"vars":["x"]},"results":{"bindings":[{"y":{"type":"uri","value":"a"}}]}}',
        b'{"head":{"vars":["x"]},"results":{"bindings":[{"x":null}]}}',
        b'{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"uri"}}]}}',
        b'{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"uri","value":1}}]}}',
        b'{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"other","value":"1"}}]}}',
        b'{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"triple","value":{}}}]}}',
        b'{"head":{},"boolean":"true"}',
        b'{"head":{},"boolean":1}',
        b'{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"literal","value":"\\ud800"}}]}}',
        b'{"head":{"vars":["x"]},"results":{"bindings":[]}} {"head":{}}',
        b'{"head":{"vars":["x"]},"results":{"bindings":[The SPARQL operation has been cancelled',
        b'\xff\xfe{"head":{},"boolean":true}',
        b'{"head":{},"boolean":true,"x":"\xff"}',
        b"[" * 200_000,
        b'{"head":{"vars":["x"]},"results":{"bindings":[{"x":'
        + b'{"type":"triple","value":{"subject":' * 20_000
        + b"1" * 5_000,
    ],
)
def test_what_is_no_result_is_refused(body: bytes) -> None:
    with pytest.raises(IncompleteResult):
        read_json(body, 10, WHERE)


def test_tolerates_a_byte_order_mark_raw_control_characters_and_a_base_direction() -> None:
    body = (
        b'\xef\xbb\xbf{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"literal",'
        b'"value":"a\tb","xml:lang":"ar","its:dir":"rtl"}}]}}'
    )
    assert read_json(body, 1, WHERE).rows == ((Term("literal", "a\tb", None, "ar"),),)


def test_a_triple_term_keeps_its_parts() -> None:
    triple = {
        "type": "triple",
        "value": {
            "subject": {"type": "uri", "value": "http://e.example/s"},
            "predicate": {"type": "uri", "value": "http://e.example/p"},
            "object": {"type": "literal", "value": 'a "b"', "xml:lang": "en"},
        },
    }
    document = {"head": {"vars": ["t"]}, "results": {"bindings": [{"t": triple}]}}
    result = read_json(json.dumps(document).encode(), 1, WHERE)
    (term,) = result.column("t")
    assert term.value == '<<( <http://e.example/s> <http://e.example/p> "a \\"b\\""@en )>>'
    assert term.parts is not None
    assert as_json(result) == document


def test_an_unknown_column_is_an_error() -> None:
    with pytest.raises(KeyError):
        Result(("a",)).column("b")


TEXTS = st.text(st.characters(codec="utf-8"))
TERMS = st.one_of(
    st.builds(Term, st.just("iri"), TEXTS),
    st.builds(Term, st.just("blank"), TEXTS),
    st.builds(Term, st.just("literal"), TEXTS),
    st.builds(Term, st.just("literal"), TEXTS, TEXTS),
    st.builds(Term, st.just("literal"), TEXTS, st.none(), TEXTS),
)


@given(st.lists(st.tuples(st.none() | TERMS, st.none() | TERMS), max_size=5))
def test_json_goes_round(rows: list[tuple[Term | None, Term | None]]) -> None:
    result = Result(("a", "b"), tuple(rows))
    assert read_json(json.dumps(as_json(result)).encode(), 5, WHERE) == result


@given(st.booleans())
def test_a_truth_value_goes_round(verdict: bool) -> None:
    result = Result((), boolean=verdict)
    assert read_json(json.dumps(as_json(result)).encode(), 5, WHERE) == result


@given(st.binary())
def test_any_bytes_give_a_result_or_our_error(body: bytes) -> None:
    with contextlib.suppress(IncompleteResult):
        read_json(body, 5, WHERE)
