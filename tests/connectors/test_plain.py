from __future__ import annotations

import pytest

from connectors import EndpointRefusedQuery
from connectors.plain import require_plain_select

XSD = "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"


@pytest.mark.parametrize(
    "text",
    [
        "SELECT DISTINCT ?x WHERE {\n  # step 1: Find(SERVICE)\n  ?x a <http://e.org/SERVICE> .\n} LIMIT 10",
        XSD + "SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE { ?x ?p ?v . FILTER(xsd:double(?v) > 1) }",
        "SELECT ?x WHERE { VALUES ?x { \"LOAD <http://e.org/>\" 'x'@en } OPTIONAL { ?x ?p true . } }",
        "SELECT ?x WHERE { <http://e.org/a> (<http://e.org/p>|<http://e.org/q>)* ?x . }",
        "SELECT ?x WHERE { GRAPH ?g { ?x ?p ?o . } ?g <http://e.org/q> 1 . }",
        "SELECT ?x WHERE { ?f <http://e.org/reifies> <<( ?x <http://e.org/p> 'a' )>> . }",
        "SELECT ?x WHERE { << ?s <http://e.org/p> ?x >> <http://e.org/q> ?v . }",
        "SELECT ?x WHERE { ?x ?p ?v . FILTER(?p IN (<http://e.org/a>, <http://e.org/b>)) }",
    ],
)
def test_plain_selects_pass(text: str) -> None:
    require_plain_select(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SELECT ?x WHERE { SERVICE <http://e.org/> { ?x ?p ?o } }", "SERVICE"),
        ("SELECT ?x FROM <http://e.org/g> WHERE { ?x ?p ?o }", "FROM"),
        ("SELECT ?x WHERE { GRAPH ?g { SERVICE <http://e.org/> { ?x ?p ?o } } }", "SERVICE"),
        ("SELECT ?x FROM NAMED <http://e.org/g> WHERE { GRAPH ?g { ?x ?p ?o } }", "FROM"),
        ("SELECT ?x WHERE { BIND(TRIPLE(?s, ?p, ?o) AS ?x) }", "TRIPLE"),
        ("SELECT ?x WHERE { ?x ?p ?o . FILTER(?x = <<( ?s <http://e.org/f>(?o) ?o )>>) }", "function"),
        ("SELECT ?x WHERE { << ?s ?p ?x >> ?q", "parse"),
        ("ASK { ?x ?p ?o }", "ASK"),
        ("INSERT DATA { <http://e.org/a> <http://e.org/b> 1 }", "INSERT"),
        ("SELECT ?x WHERE { ?x ?p ?o . FILTER(<http://e.org/f>(?o)) }", "function"),
        ("SELECT ?x WHERE { ?x ?p ?o . FILTER(<http://e.org/f>(?o || ?p)) }", "function"),
        ("SELECT ?x WHERE { ?x ?p ?o . FILTER(<http://e.org/f>(?o | ?p)) }", "parse"),
        ("PREFIX bif: <bif:> SELECT ?x WHERE { ?x ?p ?o . FILTER(bif:http_get(?o)) }", "function"),
        ("SELECT ?x WHERE { ?x ?p ?o . FILTER(REGEX(?o, 'a')) }", "REGEX"),
        ("SELECT ?x WHERE { ?x ?p ?o", "parse"),
        ('SELECT ?x WHERE { ?x ?p "unclosed }', "not sent"),
        ("SELECT ?x WHERE { ?x ?p ?o } ; SELECT ?y WHERE { ?y ?p ?o }", "parse"),
    ],
)
def test_anything_else_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(EndpointRefusedQuery, match=reason):
        require_plain_select(text)
