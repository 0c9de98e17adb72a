"""Two things together: whether they are related, which has more of something, what is said of both."""

from __future__ import annotations

import pytest

from nlq_gateway.answering import Ask, Pipeline


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
        ("Is there a river longer than the Nile?", "no"),
        ("Is there a river longer than the Rhine?", "yes"),
    ],
)
def test_a_question_of_yes_or_no_gets_its_verdict(gateway: Pipeline, question: str, verdict: str) -> None:
    trace = gateway.ask(Ask(question))
    assert trace.answer is not None
    assert trace.answer.strings == (verdict,)
    assert trace.program is not None
    assert trace.program.steps[-1].function == "Exists"


def test_either_of_two_names_leads_on(gateway: Pipeline) -> None:
    films = [
        set(gateway.ask(Ask(f"Name all films starring {who}.")).answer.strings)  # type: ignore[union-attr]
        for who in ("Tom Hanks", "Leonardo DiCaprio", "Leonardo DiCaprio or Tom Hanks")
    ]
    assert films[0] | films[1] == films[2]


def test_things_are_compared_with_a_named_one(gateway: Pipeline) -> None:
    longer, shorter = (
        gateway.ask(Ask(f"Which rivers are {how} than the Rhine?")).answer for how in ("longer", "shorter")
    )
    assert longer is not None
    assert shorter is not None
    assert "Danube" in longer.strings
    assert not {"Rhine", *longer.strings} & set(shorter.strings)


def test_what_is_denied_may_be_told_by_the_same_relation(gateway: Pipeline) -> None:
    through = [
        set(gateway.ask(Ask(f"Which rivers flow through {where}?")).answer.strings)  # type: ignore[union-attr]
        for where in ("Germany", "Austria", "Germany but not through Austria")
    ]
    assert through[0] - through[1] == through[2]


@pytest.mark.parametrize(
    ("question", "works"),
    [
        pytest.param(
            "For which film did Leonardo DiCaprio win the Academy Award?",
            {"The Revenant"},
            marks=pytest.mark.xfail(strict=True, reason="no draft asks what the award was for"),
        ),
        (
            "For which work did Tom Hanks receive the Academy Award for Best Actor?",
            {"Philadelphia", "Forrest Gump"},
        ),
    ],
)
def test_what_a_fact_says_besides_is_asked_for(gateway: Pipeline, question: str, works: set[str]) -> None:
    trace = gateway.ask(Ask(question))
    assert trace.answer is not None
    assert set(trace.answer.strings) == works
