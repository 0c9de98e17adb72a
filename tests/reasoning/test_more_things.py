"""Two numbers of things are compared by counting both, over three graphs."""

from __future__ import annotations

import pytest

from nlq_gateway.answering import Ask
from tests.reasoning.conftest import GatewayOf


@pytest.mark.parametrize(
    ("graph", "question", "answer"),
    [
        ("sample", "Did Steven Spielberg direct more films than Christopher Nolan?", "yes"),
        ("sample", "Did Christopher Nolan direct more films than Steven Spielberg?", "no"),
        ("sample", "How many more films did Steven Spielberg direct than Christopher Nolan?", "3"),
        ("sample", "Does the Danube flow through more countries than the Rhine?", "yes"),
        ("sample", "Are there more films than books?", "yes"),
        ("sample", "Are there fewer rivers than mountains?", "no"),
        ("company", "Are there more managers than engineers?", "no"),
        ("building", "Are there more rooms than floors?", "yes"),
    ],
)
def test_both_are_counted(gateway_of: GatewayOf, graph: str, question: str, answer: str) -> None:
    trace = gateway_of(graph).ask(Ask(question))
    assert trace.answer is not None
    assert trace.answer.strings == (answer,)
    assert trace.program is not None
    assert [step.function for step in trace.program.steps].count("Count") == 2


@pytest.mark.parametrize(
    ("graph", "question", "answer"),
    [
        ("sample", "Is the Rhine longer than the Elbe?", "yes"),
        ("company", "Does Karin Steiner have a higher salary than Leo Quist?", "yes"),
    ],
)
def test_an_amount_is_still_compared(gateway_of: GatewayOf, graph: str, question: str, answer: str) -> None:
    trace = gateway_of(graph).ask(Ask(question))
    assert trace.answer is not None
    assert trace.answer.strings == (answer,)
