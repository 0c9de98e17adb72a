"""Kinds that a clause says more of: "the country where X was born" is a country, and not a town."""

from __future__ import annotations

import pytest

from nlq_gateway.answering import Ask, Pipeline


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        pytest.param(
            "What is the capital of the country where Marie Curie was born?",
            ["Warsaw"],
            marks=pytest.mark.xfail(strict=True, reason="the country she was born in the capital of"),
        ),
        ("What is the capital of the country in which Albert Einstein was born?", ["Berlin"]),
        # The town where he was born is in the graph with its own population.
        ("What is the population of the country where Albert Einstein was born?", ["84000000"]),
        pytest.param(
            "Who founded the company that Satya Nadella works for?",
            ["Bill Gates", "Paul Allen"],
            marks=pytest.mark.xfail(strict=True, reason="the judge is unsure that heading is working for"),
        ),
        ("How many people live in the city where Microsoft has its headquarters?", ["73000"]),
    ],
)
def test_the_kind_is_what_is_gone_on_from(gateway: Pipeline, question: str, answer: list[str]) -> None:
    trace = gateway.ask(Ask(question, "sample"))
    assert trace.status == "answered"
    assert trace.answer is not None
    assert sorted(trace.answer.strings) == answer
