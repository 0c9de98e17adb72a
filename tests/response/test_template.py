"""The answer in words without a model: names before the numbers that go with them."""

from __future__ import annotations

import pytest

from compilers.answers import Answer, AnswerValue
from compilers.kopl.functions import Type
from compilers.kopl.notations import read_program
from nlq_gateway.response import answer_text, row_text

NAME, OTHER = (AnswerValue(f"http://ex.org/{name}", "iri", name) for name in ("Eastmoor", "Westmoor"))
THREE, LENGTH = AnswerValue("3", "number"), AnswerValue("6650", "number", unit="kilometre")
LENGTHS = read_program("FindAll()->FilterConcept(river)->QueryAttr(length)")
TABLE = read_program("Step 1: FindAll()\nStep 2: Count()\nStep 3: Table() <- 2, 1")


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ((NAME, THREE), "Eastmoor (3)"),
        ((THREE, NAME), "Eastmoor (3)"),
        ((NAME, LENGTH, THREE), "Eastmoor (6650 kilometre, 3)"),
        ((NAME, OTHER), "Eastmoor, Westmoor"),
        ((THREE, LENGTH), "3, 6650 kilometre"),
        ((NAME, None), "Eastmoor, –"),
    ],
)
def test_a_number_stands_behind_what_it_goes_with(row: tuple[AnswerValue | None, ...], text: str) -> None:
    assert row_text(row) == text


def test_a_value_says_whose_it_is_where_several_have_one() -> None:
    answer = Answer(Type.VALUES, (LENGTH, THREE))
    rows = ((NAME, LENGTH), (OTHER, THREE))
    assert answer_text(LENGTHS, answer, False, rows) == "Eastmoor (6650 kilometre), Westmoor (3)"


@pytest.mark.parametrize("rows", [(), ((NAME, LENGTH), (NAME, THREE)), ((NAME, LENGTH), (None, THREE))])
def test_values_of_one_thing_stand_alone(rows: tuple[tuple[AnswerValue | None, ...], ...]) -> None:
    assert answer_text(LENGTHS, Answer(Type.VALUES, (LENGTH, THREE)), False, rows) == "6650 kilometre, 3"


def test_a_table_tells_how_it_begins() -> None:
    rows = ((THREE, NAME), (THREE, OTHER))
    told = answer_text(TABLE, Answer(Type.ROWS, (THREE,), rows=rows), False)
    assert told == "2 rows, the first: Eastmoor (3)"
