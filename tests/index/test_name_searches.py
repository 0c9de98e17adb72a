"""The queries by which a store is asked for names, and the check that they pass."""

from __future__ import annotations

import pytest

from connectors.errors import EndpointRefusedQuery
from connectors.plain import require_name_search, require_plain_select
from nlq_gateway.index.names.queries import (
    FULL_TEXTS,
    FullText,
    about_query,
    degree_query,
    exact_query,
    literals,
)

VIRTUOSO, JENA = FULL_TEXTS["virtuoso"], FULL_TEXTS["fuseki"]
LABEL, ALIAS = "http://x/label", "http://x/alias"


@pytest.mark.parametrize(
    ("language", "searches"),
    [
        (
            VIRTUOSO,
            {
                "all": "('são' OR 'sao') AND 'paulo'",
                "begin": "('são' OR 'sao') AND 'paulo*'",
                "any": "('são' OR 'sao') OR 'paulo'",
                "phrase": "'são paulo'",
                "like": "'paul*' OR 'aulo*' OR 'apul*' OR 'pulo*' OR 'pual*' OR 'palo*' OR 'palu*' "
                "OR 'pauo*'",
            },
        ),
        (
            JENA,
            {
                "all": '("são" OR "sao") AND "paulo"',
                "begin": '("são" OR "sao") AND paulo*',
                "any": '("são" OR "sao") OR "paulo"',
                "phrase": '"são paulo"',
                "like": "paulo~1",
            },
        ),
    ],
)
def test_searches_of_both_languages(language: FullText, searches: dict[str, str]) -> None:
    words = language.words("São Paulo")
    assert searches == {
        "all": language.all_of(words),
        "begin": language.all_of(words, last_begins=True),
        "any": language.any_of(words),
        "phrase": language.phrases([words]),
        "like": language.like(words),
    }


def test_virtuoso_takes_no_wildcard_behind_less_than_four_letters() -> None:
    assert VIRTUOSO.all_of(["st", "pau"], last_begins=True) == "'st' AND 'pau'"


@pytest.mark.parametrize(
    ("text", "virtuoso", "jena"),
    [
        ("O'Brien", ["o", "brien"], ["o'brien"]),
        ("AND OR NOT NEAR", ["and", "or", "not", "near"], ["and", "or", "not", "near"]),
        ('\'; x* ~y (z) [a TO b] "q" \\ {c}', [*"xyza", "to", *"bqc"], [*"xyza", "to", *"bqc"]),
        ("label:* && !x^2 + -y", ["label", "x", "2", "y"], ["label", "x", "2", "y"]),
        ("snake_case 4.5", ["snake", "case", "4", "5"], ["snake", "case", "4", "5"]),
        ("''' *** ~~~", [], []),
    ],
)
def test_only_words_get_into_a_search(text: str, virtuoso: list[str], jena: list[str]) -> None:
    assert VIRTUOSO.words(text) == virtuoso
    assert JENA.words(text) == jena


@pytest.mark.parametrize(
    ("query", "text"),
    [
        (
            VIRTUOSO.query("'paris'", (LABEL, ALIAS), 9),
            "SELECT ?x ?p ?label WHERE { VALUES ?p { <http://x/label> <http://x/alias> } ?x ?p ?label . "
            "?label <bif:contains> \"'paris'\" } LIMIT 9",
        ),
        (
            JENA.query('"paris"', (LABEL, ALIAS), 9),
            "SELECT ?x ?p ?label WHERE { "
            '{ ?x <http://jena.apache.org/text#query> (<http://x/label> "\\"paris\\"" 9) . '
            "?x <http://x/label> ?label BIND(<http://x/label> AS ?p) } UNION "
            '{ ?x <http://jena.apache.org/text#query> (<http://x/alias> "\\"paris\\"" 9) . '
            "?x <http://x/alias> ?label BIND(<http://x/alias> AS ?p) } } LIMIT 9",
        ),
        (
            exact_query(literals(['a "b"\n'], ["de"]), (LABEL,), 9),
            'SELECT ?x ?p ?label WHERE { VALUES ?label { "a \\"b\\"\\n" "a \\"b\\"\\n"@de } '
            "VALUES ?p { <http://x/label> } ?x ?p ?label } LIMIT 9",
        ),
        (
            about_query(["http://x/1"], (LABEL,)),
            "SELECT ?x ?p ?value WHERE { VALUES ?x { <http://x/1> } VALUES ?p { <http://x/label> } "
            "?x ?p ?value }",
        ),
        (
            degree_query(["http://x/1"]),
            "SELECT ?x ?n WHERE { { SELECT ?x (COUNT(*) AS ?n) WHERE { VALUES ?x { <http://x/1> } ?x ?p ?o } "
            "GROUP BY ?x } UNION { SELECT ?x (COUNT(*) AS ?n) WHERE { VALUES ?x { <http://x/1> } ?s ?p ?x } "
            "GROUP BY ?x } }",
        ),
    ],
    ids=["virtuoso", "jena", "exact", "about", "degree"],
)
def test_queries_are_as_they_were_and_pass_the_check(query: str, text: str) -> None:
    assert query == text
    require_name_search(query)


@pytest.mark.parametrize(
    "query",
    [
        VIRTUOSO.query("'paris'", (LABEL,), 9),
        JENA.query('"paris"', (LABEL,), 9),
    ],
    ids=["virtuoso", "jena"],
)
def test_compiled_queries_may_not_search(query: str) -> None:
    with pytest.raises(EndpointRefusedQuery, match="function"):
        require_plain_select(query)


@pytest.mark.parametrize(
    "query",
    [
        'SELECT ?x WHERE { ?x <http://x/p> ?l . ?l <bif:xcontains> "x" }',
        'SELECT ?x WHERE { ?x ?p ?l FILTER(<bif:http_get>("http://x")) }',
        'SELECT ?x WHERE { ?x <http://jena.apache.org/text#index> ("x" 1) }',
        "SELECT ?x WHERE { SERVICE <http://x> { ?x ?p ?l } }",
        "INSERT DATA { <http://x> <http://x> <http://x> }",
        "ASK { ?x ?p ?l }",
    ],
)
def test_no_other_procedure_passes(query: str) -> None:
    with pytest.raises(EndpointRefusedQuery):
        require_name_search(query)
