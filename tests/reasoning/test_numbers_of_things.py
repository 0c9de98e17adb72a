"""Verdicts on a number of things, over three graphs: the things are counted, no value is compared with it."""

from __future__ import annotations

import pytest

from nlq_gateway.answering import Ask
from tests.reasoning.conftest import GatewayOf


@pytest.mark.parametrize(
    ("graph", "question", "verdict"),
    [
        ("sample", "Does Germany have more than five rivers?", "yes"),
        ("sample", "Did Steven Spielberg direct at least 5 films?", "yes"),
        ("sample", "Has Christopher Nolan directed more than three films?", "no"),
        ("sample", "Does the Danube flow through more than 5 countries?", "yes"),
        ("sample", "Does the Rhine flow through more than 20 countries?", "no"),
        ("sample", "Are there at least ten mountains in Nepal?", "no"),
        ("sample", "Are there more than 20 films?", "yes"),
        ("sample", "Are there fewer than 20 rivers?", "no"),
        ("sample", "Did at least ten people study at Harvard University?", "yes"),
        ("company", "Does the Design department have more than 5 employees?", "yes"),
        ("company", "Did Cobalt Rail buy more than one product?", "yes"),
        ("company", "Are there more than 20 employees?", "yes"),
        ("company", "Do fewer than fifteen employees know SQL?", "yes"),
        ("building", "Does Floor 1 have more than 3 rooms?", "yes"),
        ("building", "Does AHU 1 feed more than ten VAVs?", "no"),
        ("building", "Are there more than 5 rooms?", "yes"),
        ("building", "Are there fewer than a dozen CO2 sensors?", "yes"),
    ],
)
def test_things_are_counted(gateway_of: GatewayOf, graph: str, question: str, verdict: str) -> None:
    trace = gateway_of(graph).ask(Ask(question, guess=True))
    assert trace.answer is not None
    assert trace.answer.strings == (verdict,)
    assert trace.program is not None
    assert [step.function for step in trace.program.steps][-2:] == ["Count", "VerifyNum"]


def test_a_number_with_a_unit_is_a_value(gateway_of: GatewayOf) -> None:
    trace = gateway_of("sample").ask(Ask("Is there a film longer than 3 hours?"))
    assert trace.answer is not None
    assert trace.answer.strings == ("yes",)
