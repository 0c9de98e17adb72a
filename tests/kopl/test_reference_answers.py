"""The interpreter against the answers of the reference engine, over KQA Pro's small graph."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from compilers.kopl.check import check
from compilers.kopl.notations import NOTATIONS, read_program
from compilers.kopl.program import Program, Step
from tests.oracle.graph import Graph, graph_from_kopl_json
from tests.oracle.interpret import interpret

MINI = Path(__file__).parents[3] / "shared" / "data" / "kqapro" / "mini"

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(not MINI.is_dir(), reason="needs the benchmark data: kqapro/mini"),
]


def _lines(name: str) -> list[dict[str, Any]]:
    with gzip.open(MINI / name, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_reference_answers() -> None:
    with gzip.open(MINI / "kb.json.gz", "rt", encoding="utf-8") as file:
        graph = graph_from_kopl_json(json.load(file))
    questions = _lines("programs.jsonl.gz")
    failing = [
        question["id"]
        for question in questions
        if not _agrees(read_program(question), set(question["expected"]), graph)
    ]
    assert len(questions) == 959
    assert failing == []


def _agrees(program: Program, expected: set[str], graph: Graph) -> bool:
    answers = set(interpret(program, graph).answers)
    if program.steps[-1].function.startswith("Select"):
        return bool(answers) and answers <= expected
    return answers == expected


def test_every_program_is_sound_and_survives_every_notation() -> None:
    for question in _lines("programs.jsonl.gz"):
        program = read_program(question)
        assert [issue for issue in check(program) if issue.severity == "error"] == [], question["id"]
        for name, notation in NOTATIONS.items():
            assert notation.read(notation.write(program)) == program, (question["id"], name)


def test_the_stated_dependencies_are_those_inferred() -> None:
    for question in _lines("programs.jsonl.gz"):
        bare = [{key: step[key] for key in ("function", "inputs")} for step in question["program"]]
        assert read_program(bare) == read_program(question)
        assert all(isinstance(step, Step) for step in read_program(bare).steps)
