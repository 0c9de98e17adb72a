"""Questions of yes or no over three graphs: which end of a relation is which, kinds, denials, comparisons."""

from __future__ import annotations

import pytest

from compilers.kopl.functions import Type
from nlq_gateway.answering import Ask
from nlq_gateway.core.types import Question
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.trace import Recorder
from tests.reasoning.conftest import GatewayOf

VERDICTS = [
    ("sample", "Is Paris the capital of France?", "yes"),
    ("sample", "Is France the capital of Paris?", "no"),
    ("sample", "Did James Cameron direct Titanic?", "yes"),
    ("sample", "Did Titanic direct James Cameron?", "no"),
    ("sample", "Was Titanic directed by James Cameron?", "yes"),
    ("sample", "Was James Cameron directed by Titanic?", "no"),
    ("sample", "Is James Cameron the director of Titanic?", "yes"),
    ("sample", "Is Titanic the director of James Cameron?", "no"),
    ("sample", "Does the Elbe flow into the North Sea?", "yes"),
    ("sample", "Does the North Sea flow into the Elbe?", "no"),
    ("sample", "Is Tom Hanks an actor?", "yes"),
    ("sample", "Is Tom Hanks a lake?", "no"),
    ("building", "Does Chiller 1 feed AHU 2?", "yes"),
    ("building", "Is Chiller 1 fed by AHU 2?", "no"),
    ("building", "Is AHU 2 fed by Chiller 1?", "yes"),
    ("building", "Is Room 102 part of Floor 1?", "yes"),
    ("building", "Is Floor 1 part of Room 102?", "no"),
    ("building", "Is Meter 1 an electrical meter?", "yes"),
    ("building", "Is Meter 1 a floor?", "no"),
    ("company", "Does Fjord Insight replace Fjord Analytics?", "yes"),
    ("company", "Is Fjord Insight replaced by Fjord Analytics?", "no"),
    ("company", "Is Karin Steiner the head of Design?", "yes"),
    ("company", "Is Design the head of Karin Steiner?", "no"),
    ("company", "Is Lisbon a city?", "yes"),
    ("company", "Is Lisbon a product?", "no"),
    ("sample", "Was Jaws released before Alien?", "yes"),
    ("sample", "Was Jaws released after Alien?", "no"),
    ("sample", "Is the Loire longer than the Seine?", "yes"),
    ("building", "Is Floor 4 larger than Floor 3?", "no"),
    # The number of a name is none to compare with.
    ("building", "Is Floor 4 smaller than Floor 3?", "yes"),
    ("building", "Is Floor 3 smaller than Floor 4?", "no"),
    ("company", "Was Karin Steiner hired before Leo Quist?", "yes"),
    ("company", "Is Moss Ledger more expensive than Saga Search?", "no"),
    ("company", "Is it false that Karin Steiner is the head of Design?", "no"),
    ("sample", "Is the Loire not longer than the Seine?", "no"),
    ("building", "Is Floor 4 not larger than Floor 3?", "yes"),
    ("company", "Is Moss Ledger not more expensive than Saga Search?", "yes"),
    pytest.param(
        "sample",
        "Is Marie Curie a physicist and a chemist?",
        "yes",
        marks=pytest.mark.xfail(strict=True, reason="the drafter asks for one occupation of the two"),
    ),
    ("building", "Is Room 204 a conference room or a laboratory?", "yes"),
    ("building", "Is Room 204 a conference room and a laboratory?", "no"),
    ("company", "Is Ines Quist an engineer and a manager?", "no"),
]


@pytest.mark.parametrize(("graph", "question", "answer"), VERDICTS)
def test_a_verdict_keeps_subject_and_object_apart(
    gateway_of: GatewayOf, graph: str, question: str, answer: str
) -> None:
    trace = gateway_of(graph).ask(Ask(question, language="en", guess=True))
    assert [str(value) for value in trace.values] == [answer]


@pytest.mark.parametrize(
    ("graph", "question", "answers"),
    [
        ("sample", "Which is the third longest river?", ["Yangtze"]),
        ("sample", "What are the two most populous countries?", ["India", "China"]),
        ("building", "Which floor is the third largest?", ["Floor 3"]),
        ("building", "Which two laboratories have the largest area?", ["Room 405", "Room 305"]),
        ("company", "Which product is the third most expensive?", ["Fjord Insight"]),
        ("company", "Which are the two most expensive products?", ["Granite Vault Cloud", "Granite Vault"]),
    ],
)
def test_a_place_in_an_order_and_its_first_few(
    gateway_of: GatewayOf, graph: str, question: str, answers: list[str]
) -> None:
    trace = gateway_of(graph).ask(Ask(question, language="en", guess=True))
    assert sorted(str(value) for value in trace.values) == sorted(answers)


@pytest.mark.parametrize(
    ("graph", "question", "number"),
    [
        ("sample", "Name three mountains.", 3),
        ("building", "Give me any two pumps.", 2),
        ("company", "List 5 employees who work in Sales.", 5),
    ],
)
def test_some_are_not_all(gateway_of: GatewayOf, graph: str, question: str, number: int) -> None:
    trace = gateway_of(graph).ask(Ask(question, language="en", guess=True))
    assert len(trace.values) == number


@pytest.mark.parametrize(
    ("graph", "question", "verdicts"),
    [
        ("sample", "Is Brad Pitt married?", True),
        ("sample", "Can you tell me who directed Jaws?", False),
    ],
)
def test_a_verdict_comes_first_where_one_is_asked(
    gateway_of: GatewayOf, graph: str, question: str, verdicts: bool
) -> None:
    gateway = gateway_of(graph)
    endpoint = gateway.endpoint(None)
    links = Linker(endpoint.index, endpoint.linked).link(Question(question, "en"))
    reading = QuestionReading.of(links, endpoint.index)
    *_, candidates = gateway.sources(endpoint).propose(reading, Recorder())
    first, *_ = endpoint.judge.order(reading, candidates)
    assert (first.candidate.draft.program.steps[-1].signature.output == Type.VERDICT) is verdicts
