"""Programs with extensions over the sample graph: `/run` and `/compile`, beside the interpreter's answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from compilers.kopl.functions import Type
from compilers.kopl.notations import read_program

FILE = Path(__file__).parents[1] / "sample" / "extension_programs.jsonl"
CASES = {
    record["id"]: record for line in FILE.read_text("utf-8").splitlines() for record in [json.loads(line)]
}


def ran(client: FlaskClient, program: str, **body: Any) -> dict[str, Any]:
    response = client.post("/run", json={"program": program, **body})
    assert response.status_code == 200, response.json
    document: dict[str, Any] = response.json
    return document


def lines(document: dict[str, Any]) -> list[str]:
    return ["\t".join(row) for row in document["table"]["rows"]]


def shown(value: dict[str, Any]) -> str:
    return " ".join(filter(None, (value.get("label", value["value"]), value.get("unit"))))


@pytest.mark.parametrize("name", CASES)
def test_the_answer_of_a_run(client: FlaskClient, name: str) -> None:
    text, answers = CASES[name]["program"], CASES[name]["answers"]
    document, program = ran(client, text), read_program(text)
    last = program.steps[-1].signature
    if last.output == Type.ROWS:
        assert lines(document) == answers
        assert {shown(value) for value in document["answer"]["values"]} == {
            answer.split("\t")[0] for answer in answers
        }
        assert document["steps"][-1]["count"] == len(answers)
        assert document["steps"][-1]["examples"] == [line.replace("\t", ", ") for line in answers[:5]]
    else:
        assert sorted(map(shown, document["answer"]["values"])) == sorted(answers)
    assert document["status"] == ("answered" if answers else "empty")
    assert ("diagnosis" in document) == (not answers)
    assert document["confidence"] == {"score": 1.0, "parts": {}}
    for step, told, count in zip(program.steps, document["steps"], CASES[name]["counts"], strict=True):
        is_set = step.signature.output in (Type.ENTITIES, Type.FACTS) and step.function != "FindAll"
        assert told["count"] == count or (told["count"] is None and not is_set)
    lacking = ["left-out"] if name == "physicists by the days that they lived" else []
    assert [one["code"] for one in document["warnings"]] == lacking
    assert not document["truncated"]
    assert len(document["steps"]) == len(program)


@pytest.mark.parametrize("name", CASES)
def test_a_program_compiles_with_its_probes(client: FlaskClient, name: str) -> None:
    response = client.post("/compile", json={"program": CASES[name]["program"]})
    assert response.status_code == 200, response.json
    assert response.json["sparql"]["text"] == ran(client, CASES[name]["program"])["sparql"]["text"]
    assert response.json["probes"]
    columns = [column["name"] for column in response.json["columns"]]
    assert set(ran(client, CASES[name]["program"])["table"]["columns"]) <= set(columns)


def test_strict_refuses_extensions(client: FlaskClient) -> None:
    for path in ("/run", "/compile"):
        response = client.post(path, json={"program": "FindAll()->Exists()", "strict": True})
        assert (response.status_code, response.json["type"]) == (400, "/problems/invalid-program")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("the average length of Germany's rivers", "1185.5 kilometres"),
        ("whether a director has no film", "yes"),
        ("what Apple's founders do, each of them", "engineer, inventor, inventor"),
        ("directors of more than two films", "8 film directors, the most films: Steven Spielberg (6)"),
        ("rivers longer than the equator", "Nothing in the graph matches."),
    ],
)
def test_the_answer_in_words(client: FlaskClient, name: str, text: str) -> None:
    assert ran(client, CASES[name]["program"])["answer"]["text"] == text


def test_why_there_is_nothing(client: FlaskClient) -> None:
    rows = ran(client, CASES["rivers longer than the equator"]["program"])["diagnosis"]
    assert rows.startswith("The sets have members, but step 5, FilterTable(2, 100000 kilometre, >)")
    assert rows.endswith("leaves no row.")
    number = ran(client, CASES["the average population of a mountain"]["program"])["diagnosis"]
    assert number == "The sets have members, but step 4, Average(), finds no value for them."


def test_exists_of_what_is_not_there(client: FlaskClient) -> None:
    document = ran(client, "Find(Atlantis)->Exists()")
    assert (document["status"], document["answer"]) == (
        "answered",
        {"text": "no", "values": [{"value": "no", "type": "boolean"}]},
    )
    assert document["table"]["rows"] == []
    assert document["steps"][0]["count"] == 0


def test_a_cut_table_says_so(client: FlaskClient) -> None:
    document = ran(client, CASES["directors of more than two films"]["program"], max_rows=2)
    assert document["truncated"]
    assert document["answer"]["text"] == "At least 2 rows, the first: Steven Spielberg (6)"
    assert lines(document) == ["Steven Spielberg\t6", "James Cameron\t4"]
    assert document["steps"][-1]["count"] is None


def test_a_table_of_one_row_is_told_in_full(client: FlaskClient) -> None:
    steps = ("Find(Mount Everest)", "QueryAttr(elevation)", "Count() <- 1", "Table() <- 1, 2, 3")
    document = ran(client, "\n".join(f"Step {number}: {step}" for number, step in enumerate(steps, 1)))
    assert document["answer"]["text"] == "Mount Everest (8849 metres, 1)"


def test_a_sorted_table_has_as_many_rows_before(client: FlaskClient) -> None:
    steps = ran(client, CASES["directors of more than two films"]["program"])["steps"]
    assert [step["count"] for step in steps[4:]] == [None, 8, 8, 8]
    steps = ran(client, CASES["the three most crowded countries"]["program"])["steps"]
    assert [step["count"] for step in steps[5:]] == [None, None, 3]


def test_columns_are_named_after_the_variables(client: FlaskClient) -> None:
    document = ran(client, CASES["the continents' total and greatest areas"]["program"])
    assert document["table"]["columns"] == ["continent", "totalArea", "largestArea"]
    assert "?totalArea" in document["sparql"]["text"]


def test_the_stores_own_rows(client: FlaskClient) -> None:
    program = CASES["directors of more than two films"]["program"]
    response = client.post(
        "/run", json={"program": program}, headers={"Accept": "application/sparql-results+json"}
    )
    assert response.content_type == "application/sparql-results+json"
    bindings = json.loads(response.data)["results"]["bindings"]
    assert len(bindings) == 8
    assert bindings[0]["filmCount"]["value"] == "6"


def test_a_pinned_attribute_and_a_pin_on_a_number(client: FlaskClient) -> None:
    program = "FindAll()->FilterConcept(mountain)->SelectTop(height, largest, 1)"
    elevation = {"step": 3, "argument": 0, "iri": "http://world.example/elevation"}
    number = {"step": 3, "argument": 2, "iri": "http://world.example/elevation"}
    document = ran(client, program, pins=[elevation, number])
    assert [value["label"] for value in document["answer"]["values"]] == ["Mount Everest"]
    assert [warning["code"] for warning in document["warnings"]] == ["pin-ignored"]
    assert [(b["step"], b["kind"], b["how"]) for b in document["bindings"]] == [
        (2, "concept", "exact"),
        (3, "attribute", "pinned"),
    ]
