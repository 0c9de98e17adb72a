"""Queries that may pair everything with everything are told from others."""

from __future__ import annotations

import pytest

from connectors.crossing import may_cross
from connectors.sparql_text import UnclearText, pieces, significant, tokenize

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


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# what\nSELECT ?a { ?a <urn:b> \"}\" , '''it's''' , \"a\\u00e9\"@en-GB } # end",
        "PREFIX ex: <urn:a> ASK { ex:a\\,b ex:c 1.5e3 , 2. FILTER(?x<= -.5 || <<( ?a ex:b ?c )>>) }",
        "SELECT ?\\u0061 { ?a :b_.c :d. }",
    ],
)
def test_pieces_are_the_tokens_without_spaces_and_comments(text: str) -> None:
    assert list(pieces(text)) == [(token.kind, token.text) for token in significant(tokenize(text))]


@pytest.mark.parametrize("text", ["?s ?p 'unclear", "ASK { ?s ?p \\ }", "'", "ASK { \\u0022 }"])
def test_pieces_of_what_is_no_token_are_refused(text: str) -> None:
    with pytest.raises(UnclearText):
        list(pieces(text))
