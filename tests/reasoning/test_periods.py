"""Numbers for each year or month: on three graphs, by dates of their own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nlq_gateway.answering import Ask, Pipeline

GatewayOf = Callable[[str], Pipeline]


@pytest.mark.parametrize(
    ("graph", "question", "period", "attribute", "row"),
    [
        ("sample", "How many films were published in each year?", "year", "publication date", "1982\t3"),
        ("sample", "How many films were published per month?", "month", "publication date", "2010-07\t1"),
        ("sample", "How many people were born in each month?", "month", "date of birth", "1564-02\t1"),
        ("company", "How many people were hired in each year?", "year", "hire date", "2013\t11"),
        ("company", "Number of employees by hiring year", "year", "hire date", "2013\t11"),
        ("company", "How many employees were hired per month in 2020?", "month", "hire date", "2020-03\t2"),
        (
            "company",
            "What is the total budget of the projects started per year?",
            "year",
            "start date",
            "2018\t935000",
        ),
        ("building", "How many sensors were read in each month?", "month", "timestamp", None),
    ],
)
def test_numbers_of_each_period_come_in_the_order_of_time(
    gateway_of: GatewayOf, graph: str, question: str, period: str, attribute: str, row: str | None
) -> None:
    trace = gateway_of(graph).ask(Ask(question, guess=True))
    assert trace.program is not None
    assert trace.answer is not None
    steps = [str(step) for step in trace.program.steps]
    assert f"Period({period})" in steps
    assert f"QueryAttr({attribute})" in steps
    assert steps[-1] == "SortTable(1, ascending)"
    times = [text.partition("\t")[0] for text in trace.answer.strings]
    assert times == sorted(set(times))
    assert row is None or row in trace.answer.strings


def test_the_period_with_the_most(gateway_of: GatewayOf) -> None:
    trace = gateway_of("company").ask(Ask("In which year were the most employees hired?", guess=True))
    assert trace.answer is not None
    assert trace.answer.strings[0].startswith("2013")


@pytest.mark.parametrize(
    ("graph", "question"),
    [
        ("sample", "In which year was Inception published?"),
        ("company", "When was each employee hired?"),
        ("sample", "What is the publication date of each film?"),
    ],
)
def test_a_date_that_is_asked_for_stays_one(gateway_of: GatewayOf, graph: str, question: str) -> None:
    trace = gateway_of(graph).ask(Ask(question, guess=True))
    assert trace.program is not None
    assert "Period" not in [step.function for step in trace.program.steps]
