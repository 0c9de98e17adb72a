"""The trace document of answers of every sort, and what its parts say about one another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from trace_document import STATUSES, VALUE_TYPES, misfits

from compilers.kopl.functions import Type
from compilers.kopl.notations import NOTATIONS, read_program
from compilers.kopl.program import Program, Step
from nlq_gateway.answering import Ask, Pipeline

SETS = (Type.ENTITIES, Type.FACTS)
QUESTIONS = {
    "entities": "Which movies did Stanley Kubrick make?",
    "number": "How many scientists were born in Paris?",
    "quantity with unit": "How long is the Nile?",
    "date": "When was Marie Curie born?",
    "verdict with evidence": "Is Mont Blanc more than 15,000 feet high?",
    "relation": "What is the connection between Pixar and Steve Jobs?",
    "empty": "Which rivers are longer than 50000 km?",
    "unanswerable": "Qwrtz xyzzy?",
    "misspelt": "Who directed Plup Fiction?",
    "several bearers": "What is the population of Paris?",
}
PROGRAMS = {
    "two branches": "Find(Leonardo DiCaprio)->Relate(cast member, backward)->Find(Matt Damon)"
    "->Relate(cast member, backward)->And()->What()",
    "filters": "FindAll()->FilterConcept(river)->FilterNum(length, 5000 kilometre, >)->Count()",
    "qualifier": "Find(Pulp Fiction)->Relate(cast member, forward)->QFilterStr(role, Mia Wallace)->What()",
    "concept below": "FindAll()->FilterConcept(settlement)->FilterYear(inception, 1500, <)->What()",
    "homonyms": "Find(Paris)->What()",
    "superlative": "FindAll()->FilterConcept(lake)->SelectAmong(maximum depth, largest)",
}
EXTENSIONS = Path(__file__).parents[1] / "sample" / "extension_programs.jsonl"


def document(gateway: Pipeline, question: str, **options: Any) -> dict[str, Any]:
    """The document as a client reads it."""
    text = json.dumps(gateway.ask(Ask(question, **options)).as_json(), allow_nan=False)
    read: dict[str, Any] = json.loads(text)
    return read


@pytest.mark.parametrize("name", QUESTIONS)
def test_it_has_every_key_of_the_contract_and_no_other(gateway: Pipeline, name: str) -> None:
    found = document(gateway, QUESTIONS[name])
    assert misfits(found) == []
    assert found["status"] in STATUSES
    assert {value["type"] for value in found["answer"]["values"]} <= VALUE_TYPES
    assert {"total", "link", "generate"} <= found["timings_ms"].keys()
    assert found["question"] == QUESTIONS[name]
    assert found["dataset"] == "sample"


@pytest.mark.parametrize("line", EXTENSIONS.read_text("utf-8").splitlines(), ids=lambda line: line[:40])
def test_programs_with_extensions_have_the_same_document(gateway: Pipeline, line: str) -> None:
    found = gateway.run(read_program(json.loads(line)["program"]), "sample").as_json()
    assert misfits(found) == []
    assert {value["type"] for value in found["answer"]["values"]} <= VALUE_TYPES
    assert {len(row) for row in found["table"]["rows"]} <= {len(found["table"]["columns"])}


def test_the_table_of_the_contract_finds_faults(gateway: Pipeline) -> None:
    found = document(gateway, QUESTIONS["entities"])
    del found["index_version"]
    found["answer"]["values"][0]["kind"] = "film"
    found["steps"][0]["count"] = "1"
    assert misfits(found) == [
        "$.answer.values[0]: kind is not in the contract",
        "$.steps[0].count: '1' is no int",
        "$: no index_version",
    ]


def test_statuses(gateway: Pipeline) -> None:
    statuses = {name: document(gateway, question)["status"] for name, question in QUESTIONS.items()}
    assert statuses["empty"] == "empty"
    assert statuses["unanswerable"] == "unanswerable"
    assert {statuses[name] for name in ("entities", "number", "date", "relation")} == {"answered"}


def test_an_answer_says_what_its_values_are(gateway: Pipeline) -> None:
    films = document(gateway, QUESTIONS["entities"])["answer"]
    assert {(value["type"], value["label"]) for value in films["values"]} == {
        ("iri", "2001: A Space Odyssey"),
        ("iri", "The Shining"),
    }
    assert all(value["value"].startswith("http://world.example/") for value in films["values"])
    (length,) = document(gateway, QUESTIONS["quantity with unit"])["answer"]["values"]
    assert (length["type"], length["value"], length["unit"]) == ("number", "6650", "kilometre")
    (born,) = document(gateway, QUESTIONS["date"])["answer"]["values"]
    assert (born["value"], born["datatype"]) == ("1867-11-07", "http://www.w3.org/2001/XMLSchema#date")
    verdict = document(gateway, QUESTIONS["verdict with evidence"])["answer"]
    assert [(value["type"], value["value"]) for value in verdict["values"]] == [("boolean", "yes")]
    assert [value["unit"] for value in verdict["evidence"]] == ["metre"]


def test_a_misspelt_name_is_answered_with_a_warning(gateway: Pipeline) -> None:
    found = document(gateway, QUESTIONS["misspelt"])
    assert found["answer"]["text"] == "Quentin Tarantino"
    assert [warning["code"] for warning in found["warnings"]] == ["name-replaced"]
    binding = found["bindings"][0]
    assert (binding["mention"], binding["label"]) == ("Plup Fiction", "Pulp Fiction")
    assert (binding["how"], binding["score"] < 1) == ("fuzzy", True)


def test_mentions_are_words_of_the_question(gateway: Pipeline) -> None:
    for question in ("Who directed Pulp Fiction?", "When was Marie Curie born?", "How long is the Nile?"):
        entities = [b for b in document(gateway, question)["bindings"] if b["kind"] == "entity"]
        assert entities
        assert all(binding["mention"] in question.rstrip("?") for binding in entities), question


@pytest.mark.parametrize("name", [name for name in QUESTIONS if name != "unanswerable"])
def test_every_step_has_its_place_in_the_query(gateway: Pipeline, name: str) -> None:
    found = document(gateway, QUESTIONS[name])
    _check_source_map(found)
    assert [step["function"] for step in found["program"]["steps"]] == [s["function"] for s in found["steps"]]
    assert [step["step"] for step in found["steps"]] == list(range(1, len(found["steps"]) + 1))
    written = NOTATIONS["steps"].read(found["program"]["text"])
    assert [(s.function, list(s.inputs)) for s in written.steps] == [
        (step["function"], step["inputs"]) for step in found["program"]["steps"]
    ]


def _check_source_map(found: dict[str, Any]) -> None:
    text, entries = found["sparql"]["text"], found["sparql"]["source_map"]
    assert [entry["step"] for entry in entries] == list(range(1, len(found["program"]["steps"]) + 1))
    for entry in entries:
        assert entry["spans"], f"step {entry['step']} stands nowhere"
        assert all(0 <= start < end <= len(text) for start, end in entry["spans"])
        assert any(f"# step {entry['step']}: " in text[start:end] for start, end in entry["spans"])


@pytest.mark.parametrize("name", PROGRAMS)
def test_counts_are_those_of_the_program_up_to_the_step(gateway: Pipeline, name: str) -> None:
    program = NOTATIONS["chain"].read(PROGRAMS[name])
    trace = gateway.run(program)
    _check_source_map(trace.as_json())
    sets = [step for step in trace.steps if program.steps[step.step].signature.output in SETS]
    assert sets
    for step in sets:
        if step.function == "FindAll":
            assert (step.count, len(step.examples)) == (None, 5)
            continue
        assert step.count is not None
        before = program.prefix(step.step).steps
        last = (len(before) - 1,)
        (number,) = _strings(gateway, Program((*before, Step("Count", (), last))))
        assert int(number) == step.count
        assert len(step.examples) == min(step.count, 5)
        if step.count < 200:
            assert set(step.examples) <= set(_strings(gateway, Program((*before, Step("What", (), last)))))


@pytest.mark.parametrize(
    ("chain", "counts"),
    [
        ("Find(Pulp Fiction)->Relate(directed by, forward)->What()", [1, 1, 1]),
        ("Find(Paris)->What()", [2, 2]),
        ("FindAll()->FilterConcept(lake)->Count()", [None, 11, None]),
        ("Find(Nile)->QueryAttr(length)", [1, 1]),
        ("Find(Nile)->QueryAttr(length)->VerifyNum(5000 kilometre, >)", [1, 1, None]),
        ("Find(Pulp Fiction)->QueryAttr(length)->VerifyNum(5000 kilometre, >)", [1, 0, None]),
        ("Find(Pixar)->Find(Steve Jobs)->QueryRelation()", [1, 1, 1]),
        ("FindAll()->FilterConcept(lake)->SelectAmong(maximum depth, largest)", [None, 11, 1]),
    ],
)
def test_the_answer_counts_the_last_steps(gateway: Pipeline, chain: str, counts: list[int | None]) -> None:
    trace = gateway.run(NOTATIONS["chain"].read(chain))
    assert [step.count for step in trace.steps] == counts
    for step in trace.steps:
        assert len(step.examples) == min(step.count, 5) if step.count is not None else True


def _strings(gateway: Pipeline, program: Program) -> tuple[str, ...]:
    answer = gateway.run(program, probes=False).answer
    assert answer is not None
    return answer.strings


@pytest.mark.parametrize(
    ("chain", "diagnosis"),
    [
        (
            "Find(Quentin Tarantino)->Relate(directed by, backward)->FilterYear(publication date, 1950, <)"
            "->FilterConcept(film)->What()",
            "Step 3, FilterYear(publication date, 1950, <), leaves nothing of the 3 before it.",
        ),
        (
            "Find(Nobody At All)->Relate(directed by, backward)->What()",
            "Step 1, Find(Nobody At All), leaves nothing: the graph has no such thing.",
        ),
        (
            "Find(Pulp Fiction)->Find(Skyfall)->And()->What()",
            "Step 3, And(), leaves nothing of the 1 and 1 before it.",
        ),
        (
            "FindAll()->FilterNum(length, 50000 kilometre, >)->FilterConcept(river)->What()",
            "Step 2, FilterNum(length, 50000 kilometre, >), leaves nothing: the graph has no such thing.",
        ),
        (
            "FindAll()->FilterConcept(film)->QueryAttr(length)",
            "The sets have members, but step 3, QueryAttr(length), finds no value for them.",
        ),
        ("Find(Pulp Fiction)->QueryAttr(length)", "The graph states no “length” of Pulp Fiction."),
    ],
)
def test_an_empty_answer_names_the_step_that_lost_everything(
    gateway: Pipeline, chain: str, diagnosis: str
) -> None:
    trace = gateway.run(NOTATIONS["chain"].read(chain))
    assert (trace.status, trace.diagnosis) == ("empty", diagnosis)
    assert trace.answer is not None
    assert trace.answer.values == ()


def test_an_empty_answer_to_a_question_names_the_step_too(gateway: Pipeline) -> None:
    found = document(gateway, QUESTIONS["empty"])
    zero = next(step["step"] for step in found["steps"] if step["count"] == 0)
    assert found["diagnosis"].startswith(
        f"Step {zero}, FilterNum(length, 50000 kilometre, >), leaves nothing"
    )
    assert "diagnosis" not in document(gateway, QUESTIONS["entities"])


def test_what_is_not_run_has_a_query_and_no_answer(gateway: Pipeline) -> None:
    ran = document(gateway, QUESTIONS["entities"])
    found = document(gateway, QUESTIONS["entities"], execute=False)
    assert misfits(found) == []
    assert found["sparql"] == ran["sparql"]
    assert (found["answer"]["values"], found["table"]["rows"], found["steps"]) == ([], [], [])
    assert "execute" not in found["timings_ms"]
    assert "diagnosis" not in found
    assert [attempt["outcome"] for attempt in found["attempts"]] == ["not run"]
