"""Yes and no about two things: whether one is related to the other, or has more of something."""

from __future__ import annotations

import pytest

from nlq_gateway.pipeline import Ask, Gateway


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Did Christopher Nolan direct Inception?", "yes"),
        ("Did Christopher Nolan direct Titanic?", "no"),
        ("Was Inception directed by Christopher Nolan?", "yes"),
        ("Is Berlin the capital of Germany?", "yes"),
        ("Is Paris in Germany?", "no"),
        ("Is the Danube longer than the Rhine?", "yes"),
        ("Is the Rhine longer than the Danube?", "no"),
    ],
)
def test_a_question_of_yes_or_no_gets_its_verdict(gateway: Gateway, question: str, verdict: str) -> None:
    trace = gateway.ask(Ask(question))
    assert trace.answer is not None
    assert trace.answer.strings == (verdict,)
    assert trace.program is not None
    assert trace.program.steps[-1].function == "Exists"


def test_either_of_two_names_leads_on(gateway: Gateway) -> None:
    films = [
        set(gateway.ask(Ask(f"Name all films starring {who}.")).answer.strings)  # type: ignore[union-attr]
        for who in ("Tom Hanks", "Leonardo DiCaprio", "Leonardo DiCaprio or Tom Hanks")
    ]
    assert films[0] | films[1] == films[2]
