"""Readings of sub-questions over the sample graph."""

from __future__ import annotations

import pytest

from compilers.kopl.values import Date, Quantity, String, Year
from nlq_gateway.core.types import Question
from nlq_gateway.drafts.generation.decompose.lines import SubQuestionLine
from nlq_gateway.drafts.generation.decompose.reader import SubQuestionReader
from nlq_gateway.drafts.generation.decompose.reading import MaskedSubQuestion
from nlq_gateway.question.linking import Linker
from tests.generation.decompose.conftest import Bench


def readings(bench: Bench, text: str, question: str = "What?") -> tuple[MaskedSubQuestion, ...]:
    link = Linker(bench.endpoint.index).link
    return SubQuestionReader(bench.endpoint.index, link, link(Question(question))).read(
        SubQuestionLine(3, text)
    )


@pytest.mark.parametrize(
    ("text", "mask", "operands"),
    [
        ("who directed [Pulp Fiction]?", "who directed [mask]?", ["Pulp Fiction"]),
        ("who directed Pulp Fiction?", "who directed [mask]?", ["Pulp Fiction"]),
        ("where was #1 born?", "where was [mask] born?", ["#1"]),
        ("which of #1 are also among #2?", "which of [mask] are also among [mask]?", ["#1", "#2"]),
        ("which rivers are longer than #2?", "which rivers are longer than [mask]?", ["#2"]),
        ("which rivers are there?", "which of [mask] are there?", ["rivers"]),
        ("what is the deepest lake?", "what is the deepest [mask]?", ["lake"]),
        ("how many [rivers] are there?", "how many of [mask] are there?", ["rivers"]),
        ("who blorps?", "who blorps?", []),
    ],
)
def test_operands(bench: Bench, text: str, mask: str, operands: list[str]) -> None:
    plainest = readings(bench, text)[0]
    assert plainest.masks[0] == mask
    assert [operand.text for operand in plainest.operands] == operands
    assert all(operand.is_known for operand in plainest.operands)


@pytest.mark.parametrize(
    ("text", "values", "classes"),
    [
        ("which of #1 were born in 1940?", [Year(1940)], {"time", "number"}),
        ("which of #1 were born on 12 February 1809?", [Date(1809, 2, 12)], {"time"}),
        ("which of #1 are longer than 5000 kilometres?", [Quantity(5000, "kilometre")], {"number"}),
        ("which 3 of #1 have the largest length?", [Quantity(3)], {"number", "count"}),
        ('which of #1 have the role "Joker"?', [String("Joker")], {"text"}),
        ("which of #1 were published in the 1990s?", [Year(1990)], {"period"}),
        ("which of #1 are between 5 and 9 kilometres long?", None, set()),
    ],
)
def test_values(bench: Bench, text: str, values: list[object] | None, classes: set[str]) -> None:
    (stated,) = readings(bench, text)[0].values
    assert stated.classes == classes
    assert values is None or list(stated.values)[: len(values)] == values


def test_the_concept_that_is_asked_for_is_told_from_others(bench: Bench) -> None:
    (asked,) = readings(bench, "which films did #1 direct?")
    assert asked.asked is not None
    assert asked.asked.label == "film"
    assert asked.masks == ("which films did [mask] direct?", "what did [mask] direct?")
    (other,) = readings(bench, "who directed the film [Batman]?")
    assert other.asked is None


@pytest.mark.parametrize(
    ("text", "counted", "verdict"),
    [
        ("how many films did #1 direct?", True, False),
        ("which films did #1 direct?", False, False),
        ("did #1 direct #2?", False, True),
        ("welche Filme hat #1 gedreht?", False, None),
    ],
)
def test_what_kind_of_answer_is_asked_for(
    bench: Bench, text: str, counted: bool, verdict: bool | None
) -> None:
    plainest = readings(bench, text)[0]
    assert (plainest.counted, plainest.verdict) == (counted, verdict)


def test_a_name_may_be_a_string_of_the_graph_too(bench: Bench) -> None:
    ways = readings(bench, "which of #1 have the calling code [+354]?")
    assert any(way.values and way.values[0].text == "+354" for way in ways)


def test_a_misspelt_name_is_taken_for_those_spelled_like_it(bench: Bench) -> None:
    (operand,) = readings(bench, "who directed [Pulp Fictoin]?")[0].operands
    assert operand.bearers[0].label == "Pulp Fiction"


def test_a_name_that_nothing_is_like_stays_unknown(bench: Bench) -> None:
    (operand,) = readings(bench, "what blorps the [Quux of Zanthor]?")[0].operands
    assert not operand.is_known


def test_the_question_says_what_a_name_means_where_it_links_it(bench: Bench) -> None:
    (operand,) = readings(bench, "who lives in [Paris]?", "Which people live in Paris?")[0].operands
    assert {hit.label for hit in operand.bearers} == {"Paris"}
