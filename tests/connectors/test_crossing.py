"""Queries that may pair everything with everything are told from others."""

from __future__ import annotations

import pytest

from connectors.crossing import may_cross

FILM = "?film a <urn:film> . "


@pytest.mark.parametrize(
    ("pattern", "crosses"),
    [
        (FILM, False),
        (FILM + "?film <urn:by> ?person . ?person <urn:name> ?name .", False),
        (FILM + "?film <urn:year> ?year ; <urn:by> ?person OPTIONAL { ?person <urn:name> ?name }", False),
        ("VALUES ?class { <urn:film> } ?film a/<urn:below>* ?class FILTER(?film != <urn:x>)", False),
        ("<urn:a> <urn:size> ?one . <urn:b> <urn:size> ?other FILTER(?one > ?other)", False),
        (FILM + "<urn:b> <urn:size> ?other", False),
        (FILM + "?person a <urn:person> .", True),
        ("{ SELECT ?film ?person { " + FILM + "?person a <urn:person> } } ?film <urn:x> ?y", True),
        (FILM + "{ SELECT (MAX(?size) AS ?most) { ?city <urn:size> ?size } } FILTER(?film = ?most)", False),
        (FILM + "{ SELECT (MAX(?s) AS ?most) { ?city <urn:size> ?s . ?a <urn:b> ?c } }", True),
        (FILM + "{ SELECT (MAX(?s) AS ?most) { ?city <urn:size> ?s } } ?a <urn:b> ?c", True),
        (FILM + "{ SELECT ?person { ?person a <urn:person> } }", True),
        (FILM + "?person a <urn:person> . ?person <urn:made> ?film", False),
        (FILM + "?person a <urn:person> FILTER(?film != ?person)", True),
        (FILM + "GRAPH ?g { ?person a ?class }", True),
        ("?s ?p 'unclear", True),
    ],
)
def test_patterns_that_do_not_meet_are_found(pattern: str, crosses: bool) -> None:
    assert may_cross(f"SELECT * WHERE {{ {pattern} }} ORDER BY ?film LIMIT 3") is crosses
