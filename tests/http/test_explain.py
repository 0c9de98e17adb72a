"""`/explain`: a query of one's own as a program, and where in the query each step is."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

QUERY = """
PREFIX world: <http://world.example/>
# Whose films are crime films?
SELECT DISTINCT ?director ?name {
  ?film <pred:instance_of> world:film ;
    world:genre world:crime_film ;
    world:directed_by ?director
  OPTIONAL { ?director <pred:name> ?name }
}
"""


def explained(client: FlaskClient, sparql: str) -> dict[str, Any]:
    response = client.post("/explain", json={"sparql": sparql})
    assert response.status_code == 200, response.text
    document: dict[str, Any] = response.get_json()
    return document


def test_each_step_says_where_in_the_query_it_is(client: FlaskClient) -> None:
    """In the text that was sent, by the names of the graph."""
    document = explained(client, QUERY)
    words = {
        document["program"]["steps"][one["step"] - 1]["function"]: [QUERY[a:b] for a, b in one["spans"]]
        for one in document["source_map"]
    }
    assert words["FilterConcept"] == ["world:film"]
    assert words["Find"] == ["world:crime_film"]
    assert words["DistinctTable"] == ["DISTINCT"]
    relations = [one["inputs"][0] for one in document["program"]["steps"] if one["function"] == "Relate"]
    assert sorted(relations) == ["directed by", "genre"]


def test_the_program_runs_and_gives_the_rows_of_the_query(client: FlaskClient) -> None:
    document = explained(client, QUERY)
    ran = client.post(
        "/run", json={"program": document["program"]["text"], "pins": document["pins"]}
    ).get_json()
    accept = {"Accept": "application/sparql-results+json"}
    rows = client.post("/sample/sparql", data={"query": QUERY}, headers=accept).get_json(force=True)[
        "results"
    ]["bindings"]
    assert len(rows) > 1
    assert {row[0] for row in ran["table"]["rows"]} == {row["name"]["value"] for row in rows}


@pytest.mark.parametrize(
    "question",
    ["Who directed Pulp Fiction?", "How many films did each director direct?", "How many films are there?"],
)
def test_the_gateways_own_queries_are_explained(client: FlaskClient, question: str) -> None:
    """One goes on from them."""
    asked = client.post("/nlq", json={"question": question}).get_json()
    document = explained(client, asked["sparql"]["text"])
    given = {(one["iri"]) for one in asked["bindings"]}
    assert {pin["iri"] for pin in document["pins"]} == given


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT ?x WHERE {\n ?x ?p", "line 2, column 2"),
        ("SELECT ?x WHERE { ?x none:such ?y }", "none"),
        ("How many films are there?", "line 1, column 1"),
    ],
)
def test_a_query_of_wrong_syntax_is_refused_as_at_sparql(client: FlaskClient, query: str, said: str) -> None:
    refused = client.post("/explain", json={"sparql": query})
    assert refused.status_code == client.post("/sparql", data={"query": query}).status_code == 400
    document = refused.get_json()
    assert document["type"] == "/problems/query-refused"
    assert said in document["detail"]
