from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors import EndpointRefusedQuery, parse_query, require_read_only
from connectors.sparql_text import UnclearText, calls_service, outer_limit, tokenize

EX = "PREFIX ex: <http://e.example/> "


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("SELECT * { ?s ?p ?o }", "SELECT"),
        ("ask{}", "ASK"),
        ("CONSTRUCT WHERE { ?s ?p ?o }", "CONSTRUCT"),
        (EX + "DESCRIBE ex:a", "DESCRIBE"),
        ("# INSERT DATA\n# LOAD <http://x.example/>\nSELECT * {}", "SELECT"),
        ("SEL\\u0045CT * {}", "SELECT"),
        ("SELECT * { ?s ?p 'SERVICE <http://x.example/> { }' }", "SELECT"),
        ("SELECT * { ?s ?p '''DROP ALL ' ''\n''' , \"\\\"; DELETE\" }", "SELECT"),
        ("SELECT * { ?s <http://x.example/SERVICE#o'brien> ?insert }", "SELECT"),
        ("SELECT * { ?s ?p ?o # SERVICE <http://x.example/> {}\r\n}", "SELECT"),
        (EX + "SELECT * { ex:service ex:insert ex:load }", "SELECT"),
        (EX + "SELECT * { ?s ex:p -1.5, +.5, 1e3, -2 }", "SELECT"),
        ("SELECT * { ?s ?p '\\u00e9\\\\u' }", "SELECT"),
        (
            "PREFIX x: <http://www.w3.org/2001/XMLSchema#> SELECT (x:double('1') AS ?y) { FILTER(?a < ?b) }",
            "SELECT",
        ),
        ("SELECT * { ?s ?p ?o FILTER(xsd:integer(?o) > 1) }", "SELECT"),
        (
            EX + "SELECT * { ?r ex:reifies <<( ?s ex:p 'a'@en )>> ; ex:q 1.5 FILTER(?r != ?s && 1 >= 2) }",
            "SELECT",
        ),
        (EX + "SELECT * { ?s ?p ?o ~ ?r {| ?q ?v |} . << ?s ?p <<( ?a ?b ?c )>> >> ?d 1 }", "SELECT"),
        (
            "VERSION '1.2' SELECT (TRIPLE(?s, ?p, ?o) AS ?t) { ?s ?p ?o FILTER isTRIPLE(<<( ?s ?p ?o )>>) }",
            "SELECT",
        ),
    ],
)
def test_a_read_passes_with_its_form(text: str, form: str) -> None:
    assert require_read_only(text) == form


@pytest.mark.parametrize(
    "text",
    [
        "INSERT DATA { <http://a.example/> <http://a.example/> 1 }",
        "# SELECT\nPREFIX a: <http://a.example/> DELETE WHERE { ?s ?p ?o }",
        "LOAD <http://a.example/>",
        "CLEAR ALL",
        "WITH <http://a.example/> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
        "SELECT * {} ; DROP ALL",
        "SELECT * {} INSERT DATA {}",
        "SELECT * {} SELECT * {}",
        "define input:inference 'x' SELECT * {}",
        "#pragma\ndefine sql:select-option 'order' SELECT * {}",
    ],
)
def test_updates_pragmas_and_several_queries_are_refused(text: str) -> None:
    with pytest.raises(EndpointRefusedQuery) as caught:
        require_read_only(text)
    assert caught.value.hint
    assert not caught.value.retryable


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { SERVICE <http://evil.example/> { ?s ?p ?o } }",
        "SELECT * { service silent<http://evil.example/>{} }",
        "SELECT * { SERVICE ?where { ?s ?p ?o } }",
        "SELECT * { ?s ?p ?o \\u0053ERVICE <http://evil.example/> { ?s ?p ?o } }",
        "SELECT * { { SELECT * { FILTER EXISTS { OPTIONAL { SERVICE <http://evil.example/> {} } } } } }",
        "SELECT * { ?s ?p ?o MINUS { GRAPH ?g { SERVICE <http://evil.example/> {} } } }",
        "SELECT (EXISTS { SERVICE <http://evil.example/> {} } AS ?x) {}",
        "ASK { ?s ?p ?o } HAVING (EXISTS { SERVICE <http://evil.example/> {} })",
        "CONSTRUCT { ?s ?p ?o } WHERE { SERVICE <http://evil.example/> { ?s ?p ?o } }",
        # Some stores end a comment at the carriage return, others at the line feed.
        "SELECT * { ?s ?p '' # \r SERVICE <http://evil.example/> { ?a ?b ?c }\n}",
        "SELECT * { ?s ?p # \r''' \n ?o . SERVICE <http://evil.example/> {} # ''' \n}",
        # Some stores decode an escape before they look for the end of a string, others after it.
        'SELECT * { ?s ?p "\\u0022 , " . SERVICE <http://evil.example/> {} #"\n}',
        'SELECT * { ?s ?p "\\\\u0022 . SERVICE <http://evil.example/> {} #"\n}',
        "SELECT * { ?s ?p ?o #\\u000A SERVICE <http://evil.example/> {}\n}",
        "SELECT * { ?s ?p <http://a.example/\\u003E . SERVICE <http://evil.example/> {} #> }",
        "SELECT * { ?s ?p '\\U00000027 . SERVICE <http://evil.example/> {} #' }",
        # An IRI for one parser, "less than" and then a comment or string for another.
        "SELECT * { FILTER(?x<a:b#c>'''\n) SERVICE <http://evil.example/> {} FILTER(1 #'''\n) }",
        "SELECT * { FILTER(?x<'a&&?y>' ) SERVICE <http://evil.example/> {} FILTER(' '>1) }",
        "SELECT * { <<( ?s ?p ?o ) SERVICE <http://evil.example/> {} >> }",
        "SELECT * { <<( SERVICE <http://evil.example/> {} )>> ?p ?o }",
        "SELECT * { ?s ?p ?o {| ?q ?v |} SERVICE <http://evil.example/> {} }",
    ],
)
def test_no_service_gets_by(text: str) -> None:
    with pytest.raises(EndpointRefusedQuery):
        require_read_only(text)


@pytest.mark.parametrize(
    ("service", "allowed"),
    [
        ("http://good.example/sparql", True),
        ("https://GOOD.example:443/sparql", True),
        ("http://ported.example:8080/", True),
        ("http://ported.example/", False),
        ("http://ported.example:8081/", False),
        ("http://good.example@evil.example/", False),
        ("http://good.example.evil.example/", False),
        ("http://evil.example/good.example", False),
        ("http://good.example:x/", False),
        ("file://good.example/etc/passwd", False),
        ("//good.example/", False),
        ("good.example", False),
    ],
)
def test_service_is_allowed_by_host(service: str, allowed: bool) -> None:
    text = f"SELECT * {{ SERVICE <{service}> {{ ?s ?p ?o }} }}"
    hosts = ("good.example", "Ported.example:8080")
    if allowed:
        assert require_read_only(text, allow_service=hosts) == "SELECT"
    else:
        with pytest.raises(EndpointRefusedQuery):
            require_read_only(text, allow_service=hosts)


def test_service_is_not_allowed_by_a_prefix_that_is_declared_twice() -> None:
    text = "PREFIX a: <http://good.example/> PREFIX a: <http://evil.example/> SELECT * { SERVICE a:x {} }"
    with pytest.raises(EndpointRefusedQuery):
        require_read_only(text, allow_service=("good.example",))


@pytest.mark.parametrize(
    "text",
    [
        "SELECT (bif:exec('shutdown') AS ?x) {}",
        "SELECT (<bif:exec>('shutdown') AS ?x) {}",
        "PREFIX b: <bif:> SELECT (b:exec('shutdown') AS ?x) {}",
        "PREFIX b: <BIF:> SELECT (b:exec('shutdown') AS ?x) {}",
        "SELECT * { ?s ?p ?o FILTER(<sql:user>() = 'dba') }",
        "SELECT * { ?s bif:contains 'x' }",
        "SELECT * { ?s <java:org.example.Magic> ?o }",
        "SELECT * { ?s <http://jena.apache.org/text#query> 'x' }",
        "SELECT * { ?s ^<http://jena.apache.org/ARQ/property#splitIRI>|<http://a.example/> ?o }",
        "SELECT * { [ <http://a.example/> ( <bif:x> ) ] ?p ?o }",
        "SELECT * { ?s ?p ?o } ORDER BY <http://f.example/>(?s)",
        "SELECT * { ?s ?p ?o } GROUP BY (<http://f.example/>(?s) AS ?y)",
        "SELECT * { ?s ?p ?o } HAVING (<http://f.example/>(?s))",
        "SELECT * { FILTER <http://f.example/>(?s) }",
        "SELECT * { BIND(COALESCE(1, IF(true, <http://f.example/>(DISTINCT 1), 2)) AS ?x) }",
        "SELECT * { { SELECT (SUM(<http://f.example/>(?x)) AS ?y) {} } }",
        "SELECT (undeclared:double(1) AS ?y) {}",
        "BASE <http://www.w3.org/2001/XMLSchema#> SELECT (<double>(1) AS ?y) {}",
        "PREFIX x: <http://www.w3.org/2001/XMLSchema#> PREFIX x: <http://f.example/> ASK { FILTER x:f(1) }",
        "PREFIX xsd: <http://f.example/> SELECT (xsd:double(1) AS ?y) {}",
    ],
)
def test_vendor_procedures_and_functions_are_refused(text: str) -> None:
    with pytest.raises(EndpointRefusedQuery):
        require_read_only(text)


def test_names_can_be_allowed() -> None:
    text = "SELECT * { ?s bif:contains 'x' FILTER(<http://f.example/>(?s)) }"
    assert require_read_only(text, allow_names=("bif:contains", "http://f.example/")) == "SELECT"


@pytest.mark.parametrize(
    ("function", "allowed"),
    [
        ("http://www.opengis.net/def/function/geosparql/distance", True),
        ("http://www.opengis.net/def/function/geosparql/a/b", False),
        ("http://www.opengis.net/def/function/geosparql/../../x", False),
        ("http://www.opengis.net/def/function/geosparql/a%2Fb", False),
        ("http://www.opengis.net/def/function/geosparqlx", False),
        ("HTTP://www.opengis.net/def/function/geosparql/distance", False),
        ("http://www.bigdata.com/rdf#x", False),
        ("http://f.example/one", True),
        ("http://f.example/one/two", False),
    ],
)
def test_a_namespace_of_functions_can_be_allowed(function: str, allowed: bool) -> None:
    """For what follows it as one word; other entries, and those of vendors, stand for themselves alone."""
    names = (
        "http://www.opengis.net/def/function/geosparql/",
        "http://f.example/one",
        "http://www.bigdata.com/",
    )
    text = f"SELECT * {{ ?s ?p ?o FILTER(<{function}>(?o, 1) < 2) }}"
    if allowed:
        assert require_read_only(text, allow_names=names) == "SELECT"
        return
    with pytest.raises(EndpointRefusedQuery, match=r"not allowed|procedures"):
        require_read_only(text, allow_names=names)


def test_an_allowed_namespace_allows_no_property() -> None:
    """A vendor's property is named in full, in every spelling that a query may use for it."""
    text = "SELECT * { ?s <http://jena.apache.org/text#query> 'x' }"
    with pytest.raises(EndpointRefusedQuery):
        require_read_only(text, allow_names=("http://jena.apache.org/text#", "http://jena.apache.org/"))
    assert require_read_only(text, allow_names=("http://jena.apache.org/text#query",)) == "SELECT"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\0SELECT * {}",
        "SELECT * { ?s ?p '\0' }",
        "\ufeffSELECT * {}",
        "SELECT * { ?s ?p '\ud800' }",
        "SELECT * { ?s ?p 'x }",
        "SELECT * { ?s ?p '''x'' }",
        "SELECT * { ?s ?p 'a\nb' }",
        "SELECT * { ?s ?p '\\q' }",
        "SELECT * { ?s ex:a\\#b ?o }",
        "SELECT * { ?s ?p ?o\u2028}",
        "SELECT * {" + "{" * 2_000 + "}" * 2_000 + "}",
        "SELECT * { FILTER(" + "(" * 2_000 + "1" + ")" * 2_000 + ") }",
        "SELECT * { " + "<<( " * 2_000 + " }",
        "SELECT * { ?s ?p '" + "x" * 1_000_000 + "' }",
        "PREFIX a: <http://a.example/> " * 600 + "SELECT * {}",
    ],
)
def test_hostile_text_is_refused_quickly(text: str) -> None:
    started = time.perf_counter()
    with pytest.raises(EndpointRefusedQuery):
        require_read_only(text)
    assert time.perf_counter() - started < 5


def test_long_strings_and_value_lists_pass_quickly() -> None:
    values = " ".join(f"<http://e.example/Q{i}>" for i in range(3_000))
    text = f"SELECT * {{ VALUES ?x {{ {values} }} ?x ?p '{'y' * 100_000}' }}"
    started = time.perf_counter()
    assert require_read_only(text) == "SELECT"
    assert time.perf_counter() - started < 5


def test_the_place_of_a_syntax_error_is_named_behind_comments_and_strings() -> None:
    with pytest.raises(EndpointRefusedQuery, match="line 4, column"):
        require_read_only("# a comment\nSELECT * { ?s ?p '''x\ny''' }\n!")


def test_parsed_queries_are_kept() -> None:
    text = EX + "SELECT * { ?s ex:p ?o }"
    assert parse_query(text) is parse_query(text)
    assert parse_query(text).names == {"http://e.example/p"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("SELECT * { SERVICE <http://x.example/> {} }", True),
        ("SELECT * { \\u0053ERVICE <http://x.example/> {} }", True),
        ("SELECT * { SERVICE 'unclosed }", True),
        ("SELECT * { ?service <http://x.example/service> 'SERVICE' } # SERVICE", False),
        ("SELECT * { ?s ?p ?o }", False),
    ],
)
def test_the_word_service_is_found(text: str, found: bool) -> None:
    assert calls_service(text) is found


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("SELECT * { ?s ?p ?o } LIMIT 10", 10),
        ("SELECT * { ?s ?p ?o } ORDER BY ?s OFFSET 5 limit 20 # LIMIT 3", 20),
        ("SELECT * { { SELECT * { ?s ?p ?o } LIMIT 10 } }", None),
        ("SELECT * { ?s ?p 'LIMIT 10' }", None),
        ("SELECT * { 'unclosed", None),
        ("", None),
    ],
)
def test_the_outer_limit_is_found(text: str, limit: int | None) -> None:
    assert outer_limit(text) == limit


PIECES = st.sampled_from(
    [
        *("'", '"', "'''", '"""', "\\", "\\u0022", "#", "\n", "\r", "<", ">", "<<(", ")>>", "{|", "|}", "~"),
        *(
            "a:b",
            "SERVICE",
            "SELECT",
            "*",
            "{",
            "}",
            "(",
            ")",
            "?x",
            " ",
            "<http://x.example/>",
            "1.5",
            "@en",
        ),
        *("^^", "é", "\0"),
    ]
)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_tokens_make_up_the_text(text: str) -> None:
    try:
        tokens = tokenize(text)
    except UnclearText:
        return
    if "\\u" not in text:
        assert "".join(token.text for token in tokens) == text


@given(st.lists(PIECES, max_size=12).map(lambda pieces: "SELECT * { ?s ?p " + "".join(pieces) + " }"))
def test_any_text_passes_or_is_refused(text: str) -> None:
    try:
        query = parse_query(text)
    except EndpointRefusedQuery:
        return
    assert query.form == "SELECT"
