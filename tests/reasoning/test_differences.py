"""By how much two things differ, over three graphs; and no other program is an answer to that."""

from __future__ import annotations

import pytest

from nlq_gateway.answering import Ask
from tests.reasoning.conftest import GatewayOf


@pytest.mark.parametrize(
    ("graph", "question", "difference"),
    [
        ("sample", "How much longer is the Nile than the Rhine?", "5417 kilometre"),
        ("sample", "By how much is the Nile longer than the Rhine?", "5417 kilometre"),
        ("sample", "How much shorter is the Rhine than the Danube?", "1617 kilometre"),
        ("sample", "How many metres higher is Everest than K2?", "238 metre"),
        ("sample", "What is the difference in population between Germany and France?", "16000000"),
        ("company", "What is the difference in salary between Karin Steiner and Leo Quist?", "47500"),
        ("company", "How much more does Karin Steiner earn than Leo Quist?", "47500"),
        (
            "building",
            "What is the difference in rated power between Chilled Water Pump 1 and Hot Water Pump 1?",
            "5.5",
        ),
    ],
)
def test_a_difference_is_calculated(
    gateway_of: GatewayOf, graph: str, question: str, difference: str
) -> None:
    trace = gateway_of(graph).ask(Ask(question, guess=True))
    assert trace.answer is not None
    assert trace.answer.strings == (difference,)


@pytest.mark.parametrize(
    ("graph", "question"),
    [
        ("sample", "What is the difference between Marie Curie and Albert Einstein?"),
        pytest.param(
            "sample",
            "How much older is Steven Spielberg than Christopher Nolan?",
            marks=pytest.mark.xfail(strict=True, reason="days are counted, backwards"),
        ),
        ("company", "How many more orders did Falcon Foods place than Ivory Bank?"),
    ],
)
def test_what_no_program_calculates_is_not_answered(gateway_of: GatewayOf, graph: str, question: str) -> None:
    trace = gateway_of(graph).ask(Ask(question))
    assert trace.status not in ("answered", "empty")


def test_things_that_are_longer_are_still_counted(gateway_of: GatewayOf) -> None:
    trace = gateway_of("sample").ask(Ask("How many films longer than 3 hours are there?"))
    assert trace.answer is not None
    assert trace.answer.strings == ("6",)
