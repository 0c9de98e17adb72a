"""Questions about deeds: a reading without the deed is no answer."""

from __future__ import annotations

import pytest

from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.core.types import Question
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.deeds import deed_asked
from nlq_gateway.question.reading.reading import QuestionReading


@pytest.mark.parametrize(
    ("question", "deed"),
    [
        ("Who hates Tom Hanks?", "hates"),
        ("Who sold Microsoft?", "sold"),
        ("What did Tom Hanks eat?", "eat"),
        ("What does Tom Hanks drive?", "drive"),
    ],
)
def test_what_nobody_did_here_is_not_answered_with_something_else(
    gateway: Pipeline, question: str, deed: str
) -> None:
    trace = gateway.ask(Ask(question, "sample"))
    assert (trace.status, trace.confidence_parts["kind"]) == ("unanswerable", 0.0)
    assert trace.text == f"Nothing in this graph speaks of “{deed}”."


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who leads Germany?", "Angela Merkel, Helmut Kohl"),
        ("Who plays in Fargo?", "Frances McDormand"),
        pytest.param(
            "Who appeared in Fargo?",
            "Frances McDormand",
            marks=pytest.mark.xfail(strict=True, reason="the drafter takes it for the director"),
        ),
        ("Who made Pulp Fiction?", "Quentin Tarantino"),
        ("Where did Marie Curie study?", "University of Paris"),
    ],
)
def test_other_words_for_it_are_understood(gateway: Pipeline, question: str, answer: str) -> None:
    trace = gateway.ask(Ask(question, "sample"))
    assert (trace.status, trace.text) == ("answered", answer)


@pytest.mark.parametrize(
    ("question", "deed"),
    [
        ("Who sold Microsoft?", "sold"),
        ("Who else directed Fargo?", None),
        ("Who originally directed Fargo?", None),
        ("Who is in Fargo?", None),
        ("Who", None),
        ("What did Tom Hanks direct in 1996?", "direct"),
        ("What did Tim Cook take over?", None),
        # Something else says what is asked for.
        ("Which films did Tom Hanks direct in 1996?", None),
        ("When did Tim Cook resign?", None),
        ("What does it do?", None),
        ("Which films are there?", None),
    ],
)
def test_the_verb_is_told_by_its_place(gateway: Pipeline, question: str, deed: str | None) -> None:
    links = Linker(gateway.endpoint("sample").index).link(Question(question))
    reading = QuestionReading.of(links, gateway.endpoint("sample").index)
    found = deed_asked(reading)
    assert (None if found is None else reading.lowers[found]) == deed
