"""Questions over a small graph of plain RDF: ages, names, and what programs cannot state."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.settings import Settings

SCHOOL = Path(__file__).parent / "fixtures" / "school.ttl"


@pytest.fixture(scope="module")
def school() -> Iterator[Pipeline]:
    with opened((SCHOOL,)) as gateway:
        yield gateway


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which pupils are older than 10?", {"Ben South", "Cleo West"}),
        ("Which pupils are younger than 10?", {"Ada North"}),
        ("Who is the oldest pupil?", {"Cleo West"}),
        ("Who is the youngest pupil?", {"Ada North"}),
        ("How many pupils are there?", {"3"}),
        ("What is the first name of Ben South?", {"Ben"}),
        ("Which pupil has the first name Cleo?", {"Cleo West"}),
    ],
)
def test_ages_and_names(school: Pipeline, question: str, expected: set[str]) -> None:
    answer = school.ask(Ask(question)).answer
    assert answer is not None
    assert set(answer.strings) == expected


@pytest.mark.parametrize(
    "question",
    [
        "What is the median age of the pupils?",
        "Which pupils are without a teacher?",
        "Which pupils never smile?",
    ],
)
def test_what_programs_cannot_state_is_not_answered_otherwise(school: Pipeline, question: str) -> None:
    assert school.ask(Ask(question)).status == "unanswerable"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the sum of the marks of all pupils?", ("6",)),
        ("What are the minimum and maximum age of the pupils?", ("9\t14",)),
        ("Which pupils are older than the average?", ("Cleo West",)),
        pytest.param(
            "Show the names of the two oldest pupils.",
            ("Cleo West", "Ben South"),
            marks=pytest.mark.xfail(strict=True, reason="their first names are shown"),
        ),
        ("Show the first names and ages of the pupils in descending order of age.", None),
    ],
)
def test_numbers_and_columns(school: Pipeline, question: str, expected: tuple[str, ...] | None) -> None:
    answer = school.ask(Ask(question, guess=True)).answer
    assert answer is not None
    assert answer.strings == (expected or ("Cleo\t14", "Ben\t11", "Ada\t9"))


def test_what_nothing_lacks_gives_an_empty_answer(school: Pipeline) -> None:
    assert school.ask(Ask("Which pupils are without a mark?", guess=True)).status == "empty"


def test_what_the_index_leaves_out_is_not_in_the_schema() -> None:
    mark = "http://school.example/mark"
    endpoint = {"id": "unmarked", "data": [str(SCHOOL)]}
    for index, found in (({}, True), ({"exclude": [mark]}, False)):
        gateway = Pipeline(Settings.model_validate({"endpoints": [{**endpoint, "index": index}]}))
        gateway.endpoint(None).prepare()
        assert (gateway.endpoint(None).index.item("attribute", mark) is not None) == found
        gateway.close()
