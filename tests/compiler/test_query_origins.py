"""Which words of a query the steps of its program come from."""

from __future__ import annotations

import pytest

from compilers.from_sparql import Attribute, CannotState, Relation, Schema, origins, program_of
from compilers.kopl.functions import ValueType

BASE = "http://films.example/"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
SCHEMA = Schema(
    {
        BASE + "cost": Attribute((ValueType.QUANTITY,)),
        BASE + "genre": Attribute((ValueType.STRING,), single=False),
    },
    {BASE + "director": Relation(inverse_single=False)},
    labels=frozenset({LABEL}),
)


def told(query: str) -> list[tuple[str, list[str]]]:
    """Each function with the words that it comes from."""
    text = f"PREFIX : <{BASE}>\nPREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n{query}"
    grounded = program_of(text, SCHEMA)
    spans = origins(text, grounded)
    assert len(spans) == len(grounded.program.steps)
    return [
        (step.function, [text[start:end] for start, end in own])
        for step, own in zip(grounded.program.steps, spans, strict=True)
    ]


def test_steps_come_from_the_names_that_they_have() -> None:
    """Prefixed or whole; what every query has comes from nowhere."""
    assert told(f"SELECT DISTINCT ?d {{ ?f a :Film ; <{BASE}director> ?d . }}") == [
        ("FindAll", []),
        ("FilterConcept", [":Film"]),
        ("Relate", [f"<{BASE}director>"]),
        ("What", ["SELECT"]),
    ]


@pytest.mark.parametrize(
    ("query", "function", "words"),
    [
        ("SELECT ?f { ?f a :Film ; :cost ?c FILTER(?c > 40) }", "FilterNum", [":cost", "40"]),
        ('SELECT ?f { ?f a :Film ; :genre "a # b" }', "FilterStr", [":genre", '"a # b"']),
        ("SELECT (COUNT(?f) AS ?n) { ?f a :Film }", "Count", ["COUNT"]),
        ("SELECT (AVG(?c) AS ?n) { ?f a :Film ; :cost ?c }", "Average", ["AVG"]),
        ("SELECT ?f { ?f a :Film ; :cost ?c } ORDER BY DESC(?c) ?f LIMIT 3", "LimitTable", ["LIMIT"]),
        ("SELECT ?f { ?f a :Film ; :cost ?c } ORDER BY DESC(?c) ?f LIMIT 3", "SortTable", ["ORDER"]),
        ('SELECT ?f { ?f a :Film ; :director ?d . ?d rdfs:label "Lynch" }', "Find", ['"Lynch"']),
        ("SELECT ?f { # all :director\n ?f :director :p\\~1. }", "Find", [":p\\~1"]),
    ],
)
def test_what_a_step_says_is_found(query: str, function: str, words: list[str]) -> None:
    """Values, keywords and names; neither comments nor the dot behind a name."""
    found = dict(told(query))
    assert found[function] == words


@pytest.mark.parametrize(
    "optional",
    [
        "?d rdfs:label ?name",
        '?d rdfs:label ?name FILTER(LANG(?name) IN ("en", ""))',
        '?d rdfs:label ?name FILTER(LANGMATCHES(LANG(?name), "en"))',
    ],
)
def test_the_optional_name_of_a_thing_is_the_thing(optional: str) -> None:
    """As the gateway asks for it in its own queries."""
    functions = [
        function for function, _ in told(f"SELECT ?d ?name {{ ?f :director ?d OPTIONAL {{ {optional} }} }}")
    ]
    assert functions == [function for function, _ in told("SELECT ?d (?d AS ?e) { ?f :director ?d }")]


@pytest.mark.parametrize(
    "optional",
    ["?d :cost ?name", '?d rdfs:label ?name FILTER(?name != "x")', "?d rdfs:label ?name ; :cost ?c"],
)
def test_other_optional_patterns_are_refused(optional: str) -> None:
    """Rows without them would be missing."""
    with pytest.raises(CannotState, match="OPTIONAL"):
        told(f"SELECT ?d ?name {{ ?f :director ?d OPTIONAL {{ {optional} }} }}")
