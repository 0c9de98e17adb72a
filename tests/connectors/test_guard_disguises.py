"""Properties of the guard: no disguise of a word passes, and none keeps a plain read from passing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors import EndpointRefusedQuery, parse_query, require_read_only

EVIL = "<http://evil.example/>"
# As tokens, so that anything that separates tokens can come between them.
REFUSED: Sequence[Sequence[str]] = [
    ["SELECT", "*", "{", "SERVICE", EVIL, "{", "?s", "?p", "?o", "}", "}"],
    ["SELECT", "*", "{", "SERVICE", "SILENT", EVIL, "{", "}", "}"],
    ["SELECT", "*", "{", "OPTIONAL", "{", "SERVICE", "?e", "{", "}", "}", "}"],
    ["ASK", "{", "FILTER", "NOT", "EXISTS", "{", "SERVICE", EVIL, "{", "}", "}", "}"],
    ["SELECT", "(", "EXISTS", "{", "SERVICE", EVIL, "{", "}", "}", "AS", "?x", ")", "{", "}"],
    ["DROP", "ALL"],
    ["CLEAR", "SILENT", "DEFAULT"],
    ["LOAD", EVIL],
    ["INSERT", "DATA", "{", "<a:a>", "<a:b>", "1", "}"],
    ["DELETE", "WHERE", "{", "?s", "?p", "?o", "}"],
    ["WITH", "<a:g>", "DELETE", "{", "?s", "?p", "?o", "}", "WHERE", "{", "?s", "?p", "?o", "}"],
    ["PREFIX", "a:", "<http://a.example/>", "CREATE", "GRAPH", "a:g"],
    ["SELECT", "*", "{", "}", ";", "DROP", "ALL"],
    ["DEFINE", "sql:log-enable", "3", "SELECT", "*", "{", "}"],
    ["SELECT", "(", "bif:exec", "(", "'x'", ")", "AS", "?x", ")", "{", "}"],
    ["PREFIX", "b:", "<bif:>", "SELECT", "*", "{", "?s", "b:contains", "'x'", "}"],
    ["BASE", "<bif:>", "SELECT", "*", "{", "?s", "<contains>", "'x'", "}"],
]
PASSED: Sequence[tuple[str, Sequence[str]]] = [
    ("SELECT", ["SELECT", "*", "{", "?s", "?p", "'SERVICE DROP ALL'", "}"]),
    (
        "SELECT",
        ["SELECT", "DISTINCT", "?service", "WHERE", "{", "?service", "a", "?insert", "}", "LIMIT", "5"],
    ),
    ("SELECT", ["PREFIX", "a:", EVIL, "SELECT", "*", "FROM", "a:g", "{", "?s", "a:load", "a:service", "}"]),
    ("ASK", ["ASK", "{", "FILTER", "NOT", "EXISTS", "{", "?s", "?p", "1", "}", "}"]),
    ("CONSTRUCT", ["CONSTRUCT", "WHERE", "{", "?s", "<http://a.example/drop>", "?o", "}"]),
    ("DESCRIBE", ["BASE", "<http://a.example/>", "DESCRIBE", "<a>"]),
]
BLANKS = [" ", "\n", "\t", "\r\n", "  ", "#\n", "# SERVICE { DROP ALL\n", " #'\n", '#"""\n', "#é☃\n"]
PIECES = [
    *("SERVICE", "INSERT", "DROP", "FROM", "SELECT", "{", "}", "(", ")", "<", ">", "<<(", ")>>", "^^", "@en"),
    *(
        "'",
        '"',
        "'''",
        '"""',
        "\\",
        "\\u0053",
        "\\u0022",
        "\\U0000003E",
        "\\U00110000",
        "#",
        "\n",
        "\r",
        "\0",
    ),
    *(
        "?x",
        ":",
        "a:b",
        "<a:b>",
        "1.5e3",
        ".",
        ";",
        ",",
        "|",
        "\ufeff",
        "\u2028",
        "\ud800",
        "é",
        "\U0001d11e",
    ),
]


def disguised(word: str, ways: Sequence[int]) -> str:
    """The word with each of its letters as it is, in the other case, or as one of two escapes."""
    forms = (str, str.swapcase, lambda c: f"\\u{ord(c):04X}", lambda c: f"\\U{ord(c):08x}")
    return "".join(forms[way](letter) for letter, way in zip(word, ways, strict=False)) + word[len(ways) :]


@st.composite
def written(draw: st.DrawFn, tokens: Sequence[str]) -> str:
    """The tokens as text: disguised where they are keywords, with any blanks and comments in between."""
    parts = []
    for token in tokens:
        ways = (
            draw(st.lists(st.integers(0, 3), max_size=len(token)))
            if token.isalpha() and token.isupper()
            else []
        )
        parts += [disguised(token, ways), draw(st.sampled_from(BLANKS))]
    return "".join(parts)


@given(st.sampled_from(REFUSED).flatmap(written))
def test_no_disguise_passes(text: str) -> None:
    with pytest.raises(EndpointRefusedQuery):
        require_read_only(text)


@given(st.sampled_from(PASSED).flatmap(lambda case: st.tuples(st.just(case[0]), written(case[1]))))
def test_a_disguised_read_passes_with_its_form(case: tuple[str, str]) -> None:
    form, text = case
    assert require_read_only(text) == form


@given(st.sampled_from([*REFUSED, *(tokens for _, tokens in PASSED)]), st.data())
def test_a_mutated_text_passes_or_is_refused_and_nothing_else(
    tokens: Sequence[str], data: st.DataObject
) -> None:
    text = " ".join(tokens)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 8)))
        text = text[:start] + data.draw(st.sampled_from(PIECES)) + text[end:]
    try:
        query = parse_query(text)
        require_read_only(text)
    except EndpointRefusedQuery:
        return
    assert not query.services


@pytest.mark.parametrize(
    "fragment",
    [
        "a.",
        "1-",
        "a-b:",
        "<",
        "<a",
        "'",
        '"""',
        "\\u0041",
        "{",
        "(",
        "[",
        "<<(",
        "1 ",
        "<a:> ",
        "#\n",
        "?x ",
        "\\",
    ],
)
def test_a_long_text_is_judged_in_bounded_time(fragment: str) -> None:
    text = "SELECT * { VALUES ?x { " + fragment * (100_000 // len(fragment)) + " } }"
    started = time.perf_counter()
    with suppress(EndpointRefusedQuery):
        require_read_only(text)
    assert time.perf_counter() - started < 30


@pytest.mark.parametrize(
    "text",
    [
        "BASE <bif:> SELECT * { ?s <contains> 'x' }",
        "BASE <bif:> PREFIX b: <con> SELECT * { ?s b:tains 'x' }",
        "BASE <http://jena.apache.org/> SELECT * { ?s <ARQ/property> ?o }",
        "BASE <http://jena.apache.org/ARQ/a/b> SELECT * { ?s <../property> ?o }",
        "BASE <http://a.example/> SELECT * { ?s <//www.bigdata.com/rdf/search> ?o }",
        "SELECT * { ?s <//www.bigdata.com/rdf/search> ?o }",
        "SELECT * { ?s <http://jena.apache.org/./text#query> 'x' }",
        "SELECT * { ?s <http://jena.apache.org/a/../text#query> 'x' }",
        "PREFIX t: <http://jena.apache.org/a/../> SELECT * { ?s t:text\\#query 'x' }",
        "BASE <http://a.example/> BASE <bif:> SELECT * { ?s <contains> 'x' }",
    ],
)
def test_vendors_names_are_found_behind_references(text: str) -> None:
    with pytest.raises(EndpointRefusedQuery):
        require_read_only(text)


@pytest.mark.parametrize(
    ("text", "default", "named"),
    [
        ("SELECT * FROM <a:b> FROM <a:c> FROM NAMED <a:d> {}", ("a:b", "a:c"), ("a:d",)),
        ("PREFIX a: <http://a.example/> ASK FROM a:g FROM a:g {}", ("http://a.example/g",), ()),
        ("BASE <http://a.example/b/c> ASK FROM NAMED <d> {}", (), ("http://a.example/b/d",)),
        ("BASE <http://a.example/b/c> BASE <../e/> ASK FROM <d> {}", ("http://a.example/e/d",), ()),
        ("ASK FROM <d> {}", ("d",), ()),
        ("ASK { GRAPH <a:b> {} ?s ?p 'FROM <a:c>' }", (), ()),
    ],
)
def test_the_graphs_of_from_are_found(text: str, default: tuple[str, ...], named: tuple[str, ...]) -> None:
    query = parse_query(text)
    assert (query.default_graphs, query.named_graphs) == (default, named)
    assert query.has_dataset is bool(default or named)


@pytest.mark.parametrize(
    ("service", "hosts", "allowed"),
    [
        ("http://good.example/", ("good.example:80",), True),
        ("https://good.example/", ("good.example:443",), True),
        ("https://good.example/", ("good.example:80",), False),
        ("http://good.example:22/", ("good.example",), True),
        ("http://[::1]:8080/", ("[::1]:8080",), True),
        ("http://[::1]:8080/", ("[::1]",), True),
        ("http://[::2]/", ("[::1]",), False),
        ("http://user@good.example/", ("good.example",), False),
        ("http://good.example:@evil.example/", ("good.example",), False),
        ("http://evil.example?@good.example/", ("good.example",), False),
        ("http://good.example.:80/", ("good.example",), False),
        ("http://good.example%2eevil.example/", ("good.example",), False),
        ("ftp://good.example/", ("good.example",), False),
        ("http:///sparql", ("",), False),
        ("good", ("good",), False),
    ],
)
def test_service_is_allowed_by_host_and_port(service: str, hosts: tuple[str, ...], allowed: bool) -> None:
    text = f"SELECT * {{ SERVICE <{service}> {{ ?s ?p ?o }} }}"
    if allowed:
        assert require_read_only(text, allow_service=hosts) == "SELECT"
    else:
        with pytest.raises(EndpointRefusedQuery):
            require_read_only(text, allow_service=hosts)
