"""Queries of Spider4SPARQL's training split that say "without" by unequal keys."""

from __future__ import annotations

from functools import partial

import pyoxigraph as ox
import pytest

from benchmarks.convert import as_meant
from benchmarks.gold import gold_rows, solutions

DATA = """
@prefix : <http://x/> .
:s1 a :singer ; :key "1" ; :name "Ann" .
:s2 a :singer ; :key "2" ; :name "Bo" .
:s3 a :singer ; :key "3" ; :name "Cy" .
:s1 :number 1 . :s2 :number 2 . :s3 :number 3 .
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
        # A key that is a number here and a text there.
        (
            SINGERS.replace(":key", ":number")
            + f"FILTER(?key not in (?other)) . {{SELECT ?other WHERE {{ {SONGS} }} }} }}",
            ["Cy"],
        ),
    ],
)
def test_what_has_no_such_value_is_left(query: str, names: list[str]) -> None:
    store = ox.Store()
    store.load(DATA.encode(), format=ox.RdfFormat.TURTLE)
    rows = store.query(as_meant(query), prefixes={"": "http://x/"})
    assert isinstance(rows, ox.QuerySolutions)
    assert [str(row["name"].value) for row in rows] == names


@pytest.mark.parametrize(
    ("end", "is_by_chance"),
    [
        ("ORDER BY DESC(?singer) LIMIT 1", True),
        ("ORDER BY DESC(?singer) LIMIT 2", False),
        ("ORDER BY DESC(?year) LIMIT 1", False),
        ("ORDER BY DESC(?singer)", False),
        ("LIMIT 2", True),
    ],
)
def test_a_cut_between_rows_that_tie_keeps_some_by_chance(end: str, *, is_by_chance: bool) -> None:
    store = ox.Store()
    store.load(DATA.encode(), format=ox.RdfFormat.TURTLE)
    query = f"SELECT ?song WHERE {{ ?song a :song ; :singer ?singer ; :year ?year . }} {end}"
    assert gold_rows(query, partial(solutions, store, base="http://x/")).is_by_chance == is_by_chance
