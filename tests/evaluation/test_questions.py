"""Question files: what their lines say, and what is wrong with them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from nlq_gateway.core.errors import InvalidRequest
from nlq_gateway.core.json_lines import read_json_lines
from nlq_gateway.offline.evaluation.questions import GoldQuestion, read_questions

WHO = {"id": "q-1", "question": "Who?", "answers": ["a"]}


def written(folder: Path, text: str) -> str:
    file = folder / "questions.jsonl"
    file.write_text(text, encoding="utf-8")
    return str(file)


def only(folder: Path, record: object) -> GoldQuestion:
    (question,) = read_questions(written(folder, json.dumps(record)))
    return question


def test_blank_lines_and_the_limit(tmp_path: Path) -> None:
    line = json.dumps(WHO)
    file = written(tmp_path, f"\ufeff{line}\n\n  \n{line}\r\n{line}")
    assert len(list(read_questions(file))) == 3
    assert len(list(read_questions(file, 2))) == 2


def test_compressed_files(tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl.gz"
    file.write_bytes(gzip.compress(json.dumps(WHO).encode()))
    assert [question.id for question in read_questions(str(file))] == ["q-1"]
    file.write_bytes(b"no gzip at all")
    with pytest.raises(InvalidRequest, match="cannot be read"):
        list(read_questions(str(file)))


@pytest.mark.parametrize(
    ("members", "kind"),
    [
        ({}, "q"),
        ({"id": "metaqa-2-dev-13"}, "metaqa-2-dev"),
        ({"id": "12"}, "all"),
        ({"gold": {"path": "movie_to_year"}}, "1 hop"),
        ({"gold": {"path": "movie_to_actor_to_movie_to_year"}}, "3 hops"),
        ({"family": "count"}, "count"),
        ({"gold": {"level": "hard"}}, "hard"),
    ],
)
def test_the_group_a_question_is_counted_in(tmp_path: Path, members: dict[str, object], kind: str) -> None:
    assert only(tmp_path, {**WHO, **members}).kind == kind


def test_gold_answers_as_strings_and_rows(tmp_path: Path) -> None:
    assert only(tmp_path, {**WHO, "answers": ["a", 7, True]}).answers == ("a", "7", "yes")
    assert only(tmp_path, {**WHO, "answers": [["a", 7], ["b", None]]}).answers == (("a", "7"), ("b", ""))
    for query in ({"gold": {"sparql": "ASK {}"}}, {"sparql": "ASK {}"}):
        question = only(tmp_path, {**WHO, "answers": None, **query})
        assert (question.answers, question.sparql) == (None, "ASK {}")


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "7",
        "{}",
        '{"question": 7, "answers": []}',
        '{"question": "x"}',
        '{"question": "x", "answers": "y"}',
    ],
)
def test_a_line_that_is_no_question_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(InvalidRequest, match="line 2"):
        list(read_questions(written(tmp_path, f"{json.dumps(WHO)}\n{line}\n")))


def test_a_bad_line_does_not_hide_the_next(tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_bytes(b'{"a": 1}\n{"a"\n"\xff"\n' + b"[" * 100_000 + b"\n2\n")
    lines = list(read_json_lines(str(file)))
    assert [line.number for line in lines] == [1, 2, 3, 4, 5]
    assert [line.error is None for line in lines] == [True, False, False, False, True]


def test_a_missing_file_is_said_so() -> None:
    with pytest.raises(InvalidRequest, match="No such file"):
        list(read_json_lines("/missing.jsonl"))


STEPS = [{"function": "Find", "inputs": ["A"], "dependencies": []}, {"function": "What", "dependencies": [0]}]


@pytest.mark.parametrize(
    ("members", "functions"),
    [
        ({"program": STEPS}, ["Find", "What"]),
        ({"program": "Find(A)->Count()"}, ["Find", "Count"]),
        ({"gold": {"program": STEPS}}, ["Find", "What"]),
        ({"gold": {"kopl": STEPS}}, ["Find", "What"]),
        ({"program": "the answer is 42"}, None),
        ({"program": "Find(A)->Relate(r)"}, None),
        ({"program": 42, "gold": {"program": STEPS}}, ["Find", "What"]),
        ({}, None),
    ],
)
def test_a_gold_program_is_one_that_is_valid(
    tmp_path: Path, members: dict[str, object], functions: list[str] | None
) -> None:
    program = only(tmp_path, {**WHO, **members}).program
    assert (program and [step.function for step in program.steps]) == functions


@pytest.mark.parametrize(
    ("topic", "labels"), [(["A", "B"], ("A", "B")), ("A", ("A",)), (None, ()), ([1, "A"], ("A",))]
)
def test_topics(tmp_path: Path, topic: object, labels: tuple[str, ...]) -> None:
    assert only(tmp_path, {**WHO, "topic": topic}).topics == labels
