"""Questions in German, which the drafter does not know: the reasoner alone answers them."""

from __future__ import annotations

import pytest

from nlq_gateway.answering import Ask
from tests.reasoning.conftest import GatewayOf


@pytest.mark.parametrize(
    ("question", "functions"),
    [
        ("In welcher Beziehung stehen Berlin und Deutschland?", {"QueryRelation"}),
        ("Welche Filme dauern weniger als 100 Minuten oder mehr als 200 Minuten?", {"FilterNum", "Or"}),
    ],
)
def test_the_program_states_it(gateway_of: GatewayOf, question: str, functions: set[str]) -> None:
    trace = gateway_of("sample").ask(Ask(question, language="de"))
    assert trace.status == "answered"
    assert trace.program is not None
    assert {step.function for step in trace.program.steps} >= functions
