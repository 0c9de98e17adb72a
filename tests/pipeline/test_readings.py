"""Readings to choose from: in words, each with its program, no two of which find the same."""

from __future__ import annotations

import pytest

from compilers.kopl.notations import read_program
from nlq_gateway.answering import Ask, Gateway
from nlq_gateway.answering.readings import SHOWN


@pytest.mark.parametrize("question", ["Which vocalists are from Berlin?", "What is the most famous bridge?"])
def test_a_question_that_is_not_understood_gets_readings_that_find_different_things(
    gateway: Gateway, question: str
) -> None:
    trace = gateway.ask(Ask(question))
    assert trace.status == "unanswerable"
    assert 1 < len(trace.readings) <= SHOWN
    assert len({one.reading for one in trace.readings}) == len(trace.readings)
    found = [gateway.run(read_program(one.program)) for one in trace.readings]
    assert all(one.status == "answered" for one in found)
    assert len({frozenset(one.answer.strings) for one in found if one.answer}) == len(found)


def test_the_first_is_the_one_that_came_closest(gateway: Gateway) -> None:
    trace = gateway.ask(Ask("Which vocalists are from Berlin?"))
    assert trace.readings[0].reading == trace.reading
    assert read_program(trace.readings[0].program) == trace.program


def test_a_sure_answer_has_none(gateway: Gateway) -> None:
    trace = gateway.ask(Ask("What is the capital of France?"))
    assert (trace.status, trace.readings) == ("answered", ())
    assert "readings" not in trace.as_json()
