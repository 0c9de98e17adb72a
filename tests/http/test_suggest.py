"""`/datasets/ID/suggest`: how a question that is being written may go on."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from nlq_gateway.answering import Pipeline
from nlq_gateway.endpoints.endpoint import example_questions


def suggested(client: FlaskClient, q: str, **query: Any) -> list[dict[str, str]]:
    response = client.get("/datasets/sample/suggest", query_string={"q": q, **query})
    assert response.status_code == 200, response.text
    found: list[dict[str, str]] = response.get_json()
    return found


@pytest.mark.parametrize(
    ("q", "text", "kind"),
    [
        ("Pul", "Pulp Fiction", "entity"),
        ("Who directed pulp f", "Pulp Fiction", "entity"),
        ("Who directed ficti", "Pulp Fiction", "entity"),
        ("riv", "river", "concept"),
        ("Which films are direc", "directed by", "relation"),
        ("What is the popu", "population", "attribute"),
    ],
)
def test_a_name_goes_on_the_end_of_a_text(client: FlaskClient, q: str, text: str, kind: str) -> None:
    found = suggested(client, q, limit=20)
    assert {(one["text"], one["kind"]) for one in found} >= {(text, kind)}
    assert all("iri" in one for one in found if one["kind"] != "question")


def test_an_alias_says_whose_it_is(client: FlaskClient) -> None:
    (movie,) = (one for one in suggested(client, "movi") if one["text"] == "movie")
    assert movie["label"] == "film"


def test_a_longer_ending_comes_before_a_shorter_one(client: FlaskClient) -> None:
    assert suggested(client, "the pulp fiction")[0]["text"] == "Pulp Fiction"


def test_after_a_blank_the_word_is_whole(client: FlaskClient) -> None:
    texts = [one["text"].lower() for one in suggested(client, "pulp ")]
    assert texts
    assert all("pulp " in text for text in texts)


def test_known_questions_come_first_and_whole(client: FlaskClient, gateway: Pipeline) -> None:
    question = example_questions(gateway.endpoint("sample").settings)[0]
    first = suggested(client, question[: len(question) // 2])[0]
    assert first == {"text": question, "kind": "question"}


def test_without_a_text_there_are_questions_with_answers(client: FlaskClient) -> None:
    assert {one["kind"] for one in suggested(client, "", limit=4)} == {"question"}


@pytest.mark.parametrize("q", ["zzzzqqq", '"', "' OR 1=1 --", "*^:", "NEAR(", "%", "_", "\U0001f600"])
def test_what_nothing_begins_with_has_no_suggestions_and_no_error(client: FlaskClient, q: str) -> None:
    assert all(one["kind"] == "question" for one in suggested(client, q))


@pytest.mark.parametrize("limit", [1, 2, 3, 50])
def test_there_are_no_more_than_wanted(client: FlaskClient, limit: int) -> None:
    found = suggested(client, "a", limit=limit)
    assert 0 < len(found) <= limit
    assert len({(one["kind"], one.get("iri", one["text"])) for one in found}) == len(found)


@pytest.mark.parametrize("query", [{"limit": 0}, {"limit": 51}, {"q": "x" * 201}, {"kind": "film"}])
def test_other_questions_are_refused(client: FlaskClient, query: dict[str, Any]) -> None:
    assert client.get("/datasets/sample/suggest", query_string=query).status_code == 400


def test_a_dataset_that_is_not_there_is_not_found(client: FlaskClient) -> None:
    assert client.get("/datasets/none/suggest?q=a").status_code == 404
