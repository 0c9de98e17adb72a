"""`/datasets/ID/path`: how two things are connected."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from nlq_gateway.answering import Pipeline

FILM = "http://world.example/Pulp_Fiction"


def connection(client: FlaskClient, **query: str) -> dict[str, Any]:
    response = client.get("/datasets/sample/path", query_string=query)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.get_json()
    return found


def test_a_path_has_its_things_and_between_them_all_relations(client: FlaskClient) -> None:
    found = connection(client, **{"from": "Pulp Fiction", "to": "Quentin Tarantino"})
    ((path, *others), more, complete) = found["paths"], found["more"], found["complete"]
    assert (others, more, complete) == ([], False, True)
    assert [one["label"] for one in path["things"]] == ["Pulp Fiction", "Quentin Tarantino"]
    (relations,) = path["relations"]
    assert {(one["label"], one["direction"]) for one in relations} == {
        ("directed by", "forward"),
        ("screenplay by", "forward"),
    }


def test_the_other_way_round_facts_lead_against_the_path(client: FlaskClient) -> None:
    path = connection(client, **{"from": "Quentin Tarantino", "to": FILM})["paths"][0]
    assert path["things"][-1]["iri"] == FILM
    assert {one["direction"] for one in path["relations"][0]} == {"backward"}


def test_of_many_paths_few_are_told_those_by_way_of_rare_things_first(
    client: FlaskClient, gateway: Pipeline
) -> None:
    found = connection(client, **{"from": "United States", "to": "screenwriter"})
    assert (len(found["paths"]), found["more"], found["complete"]) == (5, True, True)
    assert {len(path["relations"]) for path in found["paths"]} == {2}
    between = [path["things"][1]["iri"] for path in found["paths"]]
    degrees = [one.degree for one in gateway.endpoint("sample").index.entities(between).values()]
    assert max(degrees) < 20 < gateway.endpoint("sample").index.sample(1)[0].degree


def test_things_are_told_in_the_wanted_language(client: FlaskClient) -> None:
    found = connection(client, **{"from": "Pulp Fiction", "to": "Marcello Mastroianni", "lang": "de"})
    assert {"Goldene Palme", "Das süße Leben"} <= {
        one["label"] for path in found["paths"] for one in path["things"]
    }


def test_a_name_that_several_bear_says_which_else(client: FlaskClient) -> None:
    start, goal = connection(client, **{"from": "Paris", "to": FILM})["ends"]
    assert start["others"]
    assert start["iri"] not in [one["iri"] for one in start["others"]]
    assert (goal["label"], goal["others"]) == ("Pulp Fiction", [])


@pytest.mark.parametrize("end", ["qqqqq zzzzz", "http://nothing.example/", "Q" * 1_000, "film", "rivers"])
def test_what_is_not_there_is_not_found(client: FlaskClient, end: str) -> None:
    """Nor is a class, whose members are many."""
    for query in ({"from": end, "to": FILM}, {"from": FILM, "to": end}):
        assert client.get("/datasets/sample/path", query_string=query).status_code == 404


@pytest.mark.parametrize(
    "query",
    [{}, {"from": FILM}, {"from": FILM, "to": ""}, {"from": FILM, "to": "Pulp Fiction"}, {"from_": FILM}],
)
def test_two_things_are_wanted(client: FlaskClient, query: dict[str, str]) -> None:
    response = client.get("/datasets/sample/path", query_string=query)
    assert response.status_code == 400
    assert response.get_json()["detail"]
