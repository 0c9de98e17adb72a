"""Forms of clauses over three graphs: ends of a relation, lists of names, "each", choices."""

from __future__ import annotations

import pytest

from nlq_gateway.answering import Ask
from nlq_gateway.answering.selection import UNSURE
from nlq_gateway.judging.confidence import SURE_ENOUGH
from tests.reasoning.conftest import GatewayOf


@pytest.mark.parametrize(
    ("graph", "question", "answers"),
    [
        ("building", "What feeds VAV 1 1?", ["AHU 1"]),
        ("building", "What is fed by VAV 1 1?", ["HVAC Zone 1 1"]),
        ("building", "What does VAV 1 1 feed?", ["HVAC Zone 1 1"]),
        ("building", "What is VAV 1 1 fed by?", ["AHU 1"]),
        ("building", "How many things does AHU 2 feed?", ["8"]),
        ("company", "Who mentors Hugo Novak?", ["Ines Steiner"]),
        ("company", "Whom does Ines Steiner mentor?", ["Hugo Novak"]),
        ("company", "Who is mentored by Ines Steiner?", ["Hugo Novak"]),
        ("company", "Which product is replaced by Granite Vault Cloud?", ["Granite Vault"]),
        ("company", "Which product is Granite Vault Cloud replaced by?", []),
        ("sample", "Which company is owned by Alphabet?", ["Google"]),
        ("sample", "What flows into the Danube?", []),
    ],
)
def test_the_clause_says_which_end_of_a_relation_is_asked_for(
    gateway_of: GatewayOf, graph: str, question: str, answers: list[str]
) -> None:
    trace = gateway_of(graph).ask(Ask(question, language="en"))
    assert trace.status == ("answered" if answers else "empty")
    assert sorted(str(value) for value in trace.values) == answers


def test_what_feeds_one_of_two_is_found(gateway_of: GatewayOf) -> None:
    """Its confidence is that from which no other reading is offered beside it, or just less."""
    trace = gateway_of("building").ask(Ask("What feeds AHU 1 or AHU 2?", language="en"))
    assert trace.status in ("answered", "ambiguous")
    assert sorted(str(value) for value in trace.values) == ["Boiler 1", "Chiller 1"]


def test_the_other_end_is_no_answer_where_there_is_none(gateway_of: GatewayOf) -> None:
    """Whether it is sure enough that there is none, or refuses: it never gives what Alphabet owns."""
    trace = gateway_of("sample").ask(Ask("Which company is Alphabet owned by?", language="en"))
    assert trace.status in ("empty", "unanswerable")
    assert trace.values == ()


@pytest.mark.parametrize(
    ("graph", "question", "answer"),
    [
        ("sample", "Which river is longer, the Danube or the Rhine?", "Danube"),
        ("sample", "Which river is shorter, the Danube or the Rhine?", "Rhine"),
        ("sample", "Which country is smaller, Brazil or Argentina?", "Argentina"),
        ("building", "Which is larger, Floor 2 or Floor 3?", "Floor 2"),
        ("building", "Which is smaller, Floor 2 or Floor 3?", "Floor 3"),
        ("company", "Which is cheaper, Granite Vault Cloud or Granite Vault?", "Granite Vault"),
    ],
)
def test_the_answer_to_a_choice_is_one_of_the_names(
    gateway_of: GatewayOf, graph: str, question: str, answer: str
) -> None:
    trace = gateway_of(graph).ask(Ask(question, language="en", guess=True))
    assert [str(value) for value in trace.values] == [answer]


@pytest.mark.parametrize(
    ("graph", "question", "rows"),
    [
        (
            "building",
            "What are the areas of Floor 2 and Floor 3?",
            {("Floor 2", "1532"), ("Floor 3", "1402")},
        ),
        (
            "company",
            "When were Karin Steiner and Anna Quist hired?",
            {("Karin Steiner", "2020-02-15"), ("Anna Quist", "2008-10-15")},
        ),
        (
            "sample",
            "What are the populations of France and Germany?",
            {("France", "68000000"), ("Germany", "84000000")},
        ),
    ],
)
def test_what_two_names_hold_stands_beside_them(
    gateway_of: GatewayOf, graph: str, question: str, rows: set[tuple[str, str]]
) -> None:
    trace = gateway_of(graph).ask(Ask(question, language="en", guess=True))
    assert trace.answer is not None
    assert {tuple(map(str, row)) for row in trace.answer.rows} == rows


@pytest.mark.parametrize(
    ("graph", "question", "row", "number"),
    [
        ("sample", "What is the capital of each country in South America?", ("Peru", "Lima"), 5),
        ("building", "What is the area of each floor?", ("Floor 2", "1532"), 4),
        ("company", "Who is the head of each department?", ("Sales", "Ines Quist"), 8),
    ],
)
def test_what_is_asked_of_each_stands_beside_it(
    gateway_of: GatewayOf, graph: str, question: str, row: tuple[str, str], number: int
) -> None:
    trace = gateway_of(graph).ask(Ask(question, language="en", guess=True))
    assert trace.answer is not None
    assert row in {tuple(map(str, one)) for one in trace.answer.rows}
    assert len(trace.answer.rows) == number


@pytest.mark.parametrize(
    ("graph", "question"),
    [
        ("company", "When was Karin Steiner promoted?"),
        ("building", "When was Meter 1 installed?"),
    ],
)
def test_what_no_word_speaks_of_is_no_sure_answer(gateway_of: GatewayOf, graph: str, question: str) -> None:
    assert gateway_of(graph).ask(Ask(question, language="en", guess=True)).confidence < SURE_ENOUGH


def test_another_date_is_no_sure_answer(gateway_of: GatewayOf) -> None:
    """A known fault: the date of birth is told, at about the threshold."""
    trace = gateway_of("sample").ask(Ask("When did Albert Einstein marry?", language="en", guess=True))
    assert trace.confidence < UNSURE


@pytest.mark.parametrize(
    ("graph", "question"),
    [
        ("sample", "Is Brad Pitt a river?"),
        ("building", "Does AHU 1 feed Chiller 1?"),
        ("building", "Is Chiller 1 a boiler?"),
        ("company", "Is Leo Novak a customer?"),
        ("company", "Is Research the head of Felix Quist?"),
    ],
)
def test_that_something_could_not_be_is_a_sure_no(gateway_of: GatewayOf, graph: str, question: str) -> None:
    trace = gateway_of(graph).ask(Ask(question, language="en"))
    assert [str(value) for value in trace.values] == ["no"]
    assert trace.confidence >= SURE_ENOUGH
