"""Pairs of questions and queries as training examples, from a small graph in the benchmark's form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from compilers.kopl.check import require_valid
from compilers.kopl.notations import read_program
from nlq_gateway.offline.evaluation.questions import read_questions
from training.spider4sparql import main


@pytest.fixture(scope="module")
def written(kennel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("examples")
    main(["--data", str(kennel), "--out", str(out)])
    return out


def read_lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_queries_become_programs_with_the_labels_of_the_index(written: Path) -> None:
    examples = read_lines(written / "spider4sparql.examples.jsonl")
    programs = [read_program(example["program"]) for example in examples]
    assert ["->".join(map(str, program.steps)) for program in programs] == [
        "FindAll()->FilterConcept(pet)->FilterNum(age, 4, >)->Count()",
        "FindAll()->FilterConcept(owner)->FilterStr(name, Ann)->Relate(owner, backward)->FilterConcept(pet)"
        "->QueryAttr(name)->Table()",
        "FindAll()->FilterConcept(pet)->FilterNum(age, 4, >)->Count()",
    ]
    assert (examples[2]["source"], examples[2]["question"]) == (
        "spider-syn",
        "How many animals have an age above 4?",
    )
    for program in programs:
        require_valid(program)
    kept = ("question", "graph", "split", "source")
    assert {key: examples[0][key] for key in kept} == {
        "question": "How many pets are older than 4?",
        "graph": "kennel",
        "split": "train",
        "source": "spider4sparql",
    }


def test_the_schema_is_named_as_in_the_examples(written: Path) -> None:
    schemas = json.loads((written / "spider4sparql.schemas.json").read_text())
    assert schemas.keys() == {"kennel"}
    names = {kind: set(labels) for kind, labels in schemas["kennel"].items()}
    assert names["concept"] == {"owner", "pet"}
    assert names["relation"] == {"owner"}
    assert names["attribute"] == {"owner id", "pet id", "name", "age"}
    assert names["qualifier"] == set()
    assert len(names["entity"]) == 5


def test_questions_are_kept_with_their_rows_whether_converted_or_not(written: Path) -> None:
    questions = list(read_questions(str(written / "spider_questions" / "kennel.jsonl")))
    assert [question.id for question in questions] == ["kennel-0", "kennel-1", "kennel-2"]
    assert questions[0].answers == (("2",),)
    assert sorted(questions[1].answers or ()) == [("Max",), ("Rex",)]


def test_what_became_of_the_pairs_is_told(
    kennel: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["--data", str(kennel), "--out", str(tmp_path)])
    assert capsys.readouterr().out.splitlines() == [
        "3 pairs of 1 graphs: same rows 2, no program 1",
        "3 examples: train 3",
        "last functions: Count 2, Table 1",
        "steps: 4: 2, 7: 1",
    ]
