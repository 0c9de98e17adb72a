"""Comparisons in one form, and questions with the opposite comparative."""

from __future__ import annotations

import pytest

from compilers.kopl.notations import read_program
from training.opposites import as_compared, opposite

OF_COUNTS = """Find(Ann)
Relate(book, forward)
Count() <- 2
Find(Bob)
Relate(book, forward)
Count() <- 5
Calculate(-) <- {first}
VerifyNum(0, {operator})"""
OF_VALUES = """Find(A)
QueryAttr(mass) <- 1
Find(B)
QueryAttr(mass) <- 3
{end}"""


def numbered(text: str) -> str:
    return "\n".join(f"Step {number}: {line}" for number, line in enumerate(text.splitlines(), 1))


@pytest.mark.parametrize(
    ("question", "first", "operator", "turned", "meant"),
    [
        ("Has Ann more books than Bob?", "3, 6", ">", "3, 6", ">"),
        ("Has Ann more books than Bob?", "6, 3", "<", "3, 6", ">"),
        ("Has Bob fewer books than Ann?", "3, 6", ">", "6, 3", "<"),
        ("Has Ann as many books as Bob?", "3, 6", "=", "3, 6", "="),
        ("Has the older one, Ann, written most?", "3, 6", "<", "3, 6", "<"),
    ],
)
def test_a_difference_from_zero_goes_as_the_words(
    question: str, first: str, operator: str, turned: str, meant: str
) -> None:
    source = read_program(numbered(OF_COUNTS.format(first=first, operator=operator)))
    wanted = read_program(numbered(OF_COUNTS.format(first=turned, operator=meant)))
    assert as_compared(source, question) == wanted


def test_two_values_are_compared_by_one_step() -> None:
    source = OF_VALUES.format(end="Calculate(-) <- 2, 4\nVerifyNum(0 kg, >)")
    wanted = OF_VALUES.format(end="FilterCompare(<) <- 4, 2\nExists() <- 5")
    found = as_compared(read_program(numbered(source)), "Is B lighter than A?")
    assert found == read_program(numbered(wanted))


@pytest.mark.parametrize(
    ("program", "question", "told", "meant"),
    [
        (
            "FindAll()->FilterConcept(city)->FilterNum(size, 3, >)->What()",
            "Cities larger than 3?",
            "Cities smaller than 3?",
            "FindAll()->FilterConcept(city)->FilterNum(size, 3, <)->What()",
        ),
        (
            "FindAll()->FilterConcept(city)->Count()->VerifyNum(3, >)",
            "More than three cities?",
            "Fewer than three cities?",
            "FindAll()->FilterConcept(city)->Count()->VerifyNum(3, <)",
        ),
        (
            "FindAll()->FilterConcept(gem)->FilterNum(price, 3, >)->What()",
            "Gems more expensive than 3?",
            "Gems less expensive than 3?",
            "FindAll()->FilterConcept(gem)->FilterNum(price, 3, <)->What()",
        ),
    ],
)
def test_the_opposite_is_asked_with_the_opposite_order(
    program: str, question: str, told: str, meant: str
) -> None:
    assert opposite(read_program(program), question) == (told, read_program(meant))


@pytest.mark.parametrize(
    "question",
    [
        "Cities no larger than 3?",
        "Which cities are larger than 3 and higher than others?",
        "Cities of at least 3?",
        "Cities smaller than 3?",
        "Cities that aren't larger than 3?",
    ],
)
def test_only_one_comparative_that_says_what_the_program_does_is_turned(question: str) -> None:
    program = read_program("FindAll()->FilterConcept(city)->FilterNum(size, 3, >)->What()")
    assert opposite(program, question) is None
