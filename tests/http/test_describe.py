"""`/datasets/ID/describe`: what the graph has of a thing, and what can be asked of a class."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

IRI = "http://world.example/Pulp_Fiction"


def described(client: FlaskClient, **query: str) -> dict[str, Any]:
    response = client.get("/datasets/sample/describe", query_string=query)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.get_json()
    return found


def test_a_thing_has_its_facts_each_with_a_question(client: FlaskClient) -> None:
    found = described(client, iri=IRI)
    assert (found["kind"], found["label"]) == ("entity", "Pulp Fiction")
    assert [one["label"] for one in found["concepts"]] == ["film"]
    groups = {one["label"]: one for one in found["groups"]}
    director = groups["directed by"]
    assert [value["label"] for value in director["values"]] == ["Quentin Tarantino"]
    assert (director["kind"], director["direction"]) == ("relation", "forward")
    assert director["question"] == "Who directed Pulp Fiction?"
    assert groups["duration"]["values"] == [{"value": "154", "type": "number", "unit": "minute"}]


def test_of_few_facts_the_most_telling_are_told(client: FlaskClient) -> None:
    """A time before all else; the rest is counted."""
    (fact,) = described(client, iri=IRI, facts="1")["groups"]
    assert fact["label"] == "publication date"
    found = described(client, iri=IRI, facts="0")
    assert (found["label"], found["groups"]) == ("Pulp Fiction", [])
    assert found["left_out"] > 2


def test_what_leads_to_a_thing_is_told_as_well(client: FlaskClient) -> None:
    found = described(client, name="Quentin Tarantino")
    (films,) = (
        one for one in found["groups"] if (one["label"], one["direction"]) == ("directed by", "backward")
    )
    assert "Pulp Fiction" in [value["label"] for value in films["values"]]


def test_a_question_of_a_group_gives_its_values(client: FlaskClient) -> None:
    """By its program, as `/run` takes it."""
    for group in described(client, iri=IRI)["groups"]:
        asked = {"program": group["program"], "pins": group["pins"]}
        answer = client.post("/run", json=asked).get_json()["answer"]
        assert {str(one["value"]) for one in group["values"]} <= {one["value"] for one in answer["values"]}


def test_more_values_than_are_shown_are_said_to_be_there(client: FlaskClient) -> None:
    groups = described(client, name="United States")["groups"]
    assert {one["more"] for one in groups if len(one["values"]) < 5} <= {False}
    assert any(one["more"] for one in groups)


def test_a_class_has_questions_about_it(client: FlaskClient) -> None:
    found = described(client, name="film")
    assert (found["kind"], found["count"], found["groups"]) == ("concept", 72, [])
    questions = [one["question"] for one in found["questions"]]
    assert questions[0] == "How many films are there?"
    assert len(set(questions)) == len(questions) > 5
    for asked in found["questions"]:
        body = {"program": asked["program"], "pins": asked["pins"]}
        assert client.post("/run", json=body).get_json()["status"] == "answered", asked


def test_members_are_asked_for_what_they_have(client: FlaskClient) -> None:
    """A question about a member has an answer, though not every person has died."""
    found = described(client, name="person")
    questions = [one for one in found["questions"] if one["question"].startswith("When did")]
    assert questions
    for asked in questions:
        answer = client.post("/run", json={"program": asked["program"], "pins": asked["pins"]}).get_json()
        assert answer["status"] == "answered", asked


def test_an_article_belongs_to_no_name(client: FlaskClient) -> None:
    found = described(client, name="the Seine")
    assert (found["label"], found["others"]) == ("Seine", [])


def test_a_name_that_several_bear_says_which_else(client: FlaskClient) -> None:
    found = described(client, name="Paris")
    assert found["label"] == "Paris"
    assert [one["about"] for one in found["others"]] == ["town"]
    assert found["iri"] not in [one["iri"] for one in found["others"]]


@pytest.mark.parametrize("query", [{"iri": "http://nothing.example/"}, {"name": "qqqqq zzzzz"}])
def test_what_is_not_there_is_not_found(client: FlaskClient, query: dict[str, str]) -> None:
    assert client.get("/datasets/sample/describe", query_string=query).status_code == 404


@pytest.mark.parametrize("query", [{}, {"iri": IRI, "name": "a"}, {"iri": "http://a/> <b"}, {"lang": "1"}])
def test_other_questions_are_refused(client: FlaskClient, query: dict[str, str]) -> None:
    assert client.get("/datasets/sample/describe", query_string=query).status_code == 400
