"""Queries of Spider4SPARQL's training split that say "without" by unequal keys."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from benchmarks.convert import as_meant

DATA = """
@prefix : <http://x/> .
:s1 a :singer ; :key "1" ; :name "Ann" .
:s2 a :singer ; :key "2" ; :name "Bo" .
:s3 a :singer ; :key "3" ; :name "Cy" .
:a a :song ; :singer "1" ; :year 2001 .
:b a :song ; :singer "2" ; :year 2010 .
:c a :song ; :singer "2" ; :year 2011 .
"""
SINGERS = "SELECT ?name WHERE { ?s a :singer ; :key ?key ; :name ?name . "
SONGS = "?song a :song ; :singer ?other ; :year ?year ."


@pytest.mark.parametrize(
    ("query", "names"),
    [
        (SINGERS + f"FILTER(?key not in (?other)) . {{SELECT ?other WHERE {{ {SONGS} }} }} }}", ["Cy"]),
        (
            SINGERS + f"FILTER(?key not in (?year)) . {{SELECT DISTINCT ?other WHERE {{ {SONGS} }} }} }}",
            ["Cy"],
        ),
        (
            SINGERS
            + 'FILTER(?name > "A" && ?key not in (?other)) . '
            + f"{{SELECT ?other WHERE {{ {SONGS} FILTER(?year > 2005) }} }} }} ORDER BY ?name",
            ["Ann", "Cy"],
        ),
        (SINGERS + 'FILTER(?name not in ("Ann", "Bo")) }', ["Cy"]),
    ],
)
def test_what_has_no_such_value_is_left(query: str, names: list[str]) -> None:
    store = ox.Store()
    store.load(DATA.encode(), format=ox.RdfFormat.TURTLE)
    rows = store.query(as_meant(query), prefixes={"": "http://x/"})
    assert isinstance(rows, ox.QuerySolutions)
    assert [str(row["name"].value) for row in rows] == names
