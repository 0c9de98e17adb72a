"""Questions about deeds: those that the graph lacks, and other words for those that it has."""

from __future__ import annotations

import pytest

from nlq_gateway.answering import Ask, Pipeline


@pytest.mark.parametrize(
    "question",
    [
        "Who hates Tom Hanks?",
        "Who sold Microsoft?",
        "What does Tom Hanks drive?",
        "What did Tom Hanks eat?",
    ],
)
def test_what_nobody_did_here_is_not_answered_with_something_else(gateway: Pipeline, question: str) -> None:
    assert gateway.ask(Ask(question, "sample")).status == "unanswerable"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who leads Germany?", "Angela Merkel, Helmut Kohl"),
        ("Who plays in Fargo?", "Frances McDormand"),
        ("Who appeared in Fargo?", "Frances McDormand"),
        ("Who made Pulp Fiction?", "Quentin Tarantino"),
        ("Where did Marie Curie study?", "University of Paris"),
    ],
)
def test_other_words_for_it_are_understood(gateway: Pipeline, question: str, answer: str) -> None:
    trace = gateway.ask(Ask(question, "sample"))
    assert (trace.status, trace.text) == ("answered", answer)
