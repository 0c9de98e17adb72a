"""What is asked of all of a class or of a share of it, of a total or an average, over three graphs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from nlq_gateway.answering import Ask
from tests.reasoning.conftest import GatewayOf

ALL = ["Except", "Count", "VerifyNum"]
SHARE = ["Calculate", "Number", "Calculate"]


@pytest.mark.parametrize(
    ("graph", "question", "answer", "ending"),
    [
        ("sample", "Do all countries have a capital?", "yes", ALL),
        ("sample", "Does every film have a director?", "no", ALL),
        ("sample", "Do all rivers flow through Germany?", "no", ALL),
        ("sample", "Are all films directed by Steven Spielberg?", "no", ALL),
        ("sample", "Are all mountains higher than 1000 metres?", "yes", ALL),
        ("sample", "Were all the universities in the United Kingdom founded before 1850?", "yes", ALL),
        ("company", "Do all employees have a manager?", "no", ALL),
        ("company", "Do all managers hired after 2015 earn more than 45,000?", "yes", ALL),
        ("company", "Does every designer work in the Design department?", "yes", ALL),
        ("building", "Do all rooms have an area?", "yes", ALL),
        ("building", "Are all rooms on Floor 1?", "no", ALL),
        ("sample", "What percentage of the rivers flow through Germany?", "19.3548387097 %", SHARE),
        ("company", "What percentage of employees work in the Design department?", "12.5 %", SHARE),
        ("company", "What percentage of all projects started before 2020?", "36.6666666667 %", SHARE),
        ("building", "What percentage of the rooms are conference rooms?", "24.2424242424 %", SHARE),
        ("sample", "Is the total length of the rivers above 100,000 km?", "no", ["Sum", "VerifyNum"]),
        ("sample", "Is the average duration of films above 2 hours?", "yes", ["Average", "VerifyNum"]),
        (
            "company",
            "Do the active projects together have a budget of more than five million?",
            "yes",
            ["Sum", "VerifyNum"],
        ),
        (
            "company",
            "Is the total price of the products bought by Ivory Bank above 5,000?",
            "no",
            ["Sum", "VerifyNum"],
        ),
        (
            "building",
            "Is the total area of the laboratories above 200 square metres?",
            "yes",
            ["Sum", "VerifyNum"],
        ),
    ],
)
def test_all_of_it_is_looked_at(
    gateway_of: GatewayOf, graph: str, question: str, answer: str, ending: Sequence[str]
) -> None:
    trace = gateway_of(graph).ask(Ask(question, guess=True))
    assert trace.program is not None
    assert [step.function for step in trace.program.steps][-len(ending) :] == list(ending)
    assert trace.answer is not None
    assert trace.answer.strings == (answer,)


@pytest.mark.parametrize(
    ("graph", "question"),
    [
        ("sample", "Are all rivers in Germany?"),
        ("company", "Does every employee mentor Karin Steiner?"),
        ("building", "Is every room a laboratory?"),
    ],
)
def test_what_holds_for_some_is_not_said_of_all(gateway_of: GatewayOf, graph: str, question: str) -> None:
    trace = gateway_of(graph).ask(Ask(question))
    assert trace.status != "answered" or (trace.answer is not None and trace.answer.strings == ("no",))


@pytest.mark.parametrize(
    "question",
    [
        pytest.param(
            "Is every film?",
            marks=pytest.mark.xfail(strict=True, reason="films without a writer are counted"),
        ),
        pytest.param(
            "Are all films films?",
            marks=pytest.mark.xfail(strict=True, reason="films without a director are counted"),
        ),
        pytest.param(
            "What percentage of films?",
            marks=pytest.mark.xfail(strict=True, reason="the share of films among works is told"),
        ),
    ],
)
def test_where_nothing_is_said_of_them_nothing_is_answered(gateway_of: GatewayOf, question: str) -> None:
    assert gateway_of("sample").ask(Ask(question)).status not in ("answered", "empty")
