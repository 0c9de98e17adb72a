"""Readings to choose from: in words, each with its program, no two of which find the same."""

from __future__ import annotations

from typing import Any

import pytest

from compilers.kopl.notations import read_program
from connectors.errors import EndpointTimeout
from nlq_gateway.answering import Ask, Pipeline, readings
from nlq_gateway.answering.readings import MILLISECONDS, RUN, SHOWN


@pytest.mark.parametrize("question", ["Which vocalists are from Berlin?", "What is the tallest bridge?"])
def test_a_question_that_is_not_understood_gets_readings_that_find_different_things(
    gateway: Pipeline, question: str
) -> None:
    trace = gateway.ask(Ask(question))
    assert trace.status == "unanswerable"
    assert 1 < len(trace.readings) <= SHOWN
    assert len({one.reading for one in trace.readings}) == len(trace.readings)
    found = [gateway.run(read_program(one.program)) for one in trace.readings]
    assert all(one.status == "answered" for one in found)
    assert len({frozenset(one.answer.strings) for one in found if one.answer}) == len(found)


def test_the_first_is_the_one_that_came_closest(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask("Which vocalists are from Berlin?"))
    assert trace.readings[0].reading == trace.reading
    assert read_program(trace.readings[0].program) == trace.program


def test_a_sure_answer_has_none(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask("What is the capital of France?"))
    assert (trace.status, trace.readings) == ("answered", ())
    assert "readings" not in trace.as_json()


def test_what_was_carried_out_is_not_run_again(gateway: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what was not is run in little time."""
    asked, carry_out = [], readings.carry_out

    def counted(endpoint: Any, request: Ask, draft: Any, *rest: Any) -> Any:
        asked.append((draft.program, request.timeout_ms))
        return carry_out(endpoint, request, draft, *rest)

    monkeypatch.setattr(readings, "carry_out", counted)
    trace = gateway.ask(Ask("Which vocalists are from Berlin?"))
    tried = [read_program(one.program) for one in trace.attempts]
    assert tried
    assert 0 < len(asked) <= RUN
    assert not any(program in tried for program, _ in asked)
    assert all(milliseconds == MILLISECONDS for _, milliseconds in asked)


def test_a_store_that_is_too_slow_is_asked_once(gateway: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def late(*arguments: Any) -> Any:
        asked.append(arguments)
        raise EndpointTimeout("too slow", endpoint="here", hint="")

    monkeypatch.setattr(readings, "carry_out", late)
    trace = gateway.ask(Ask("Which vocalists are from Berlin?"))
    assert (trace.status, len(asked)) == ("unanswerable", 1)
    assert trace.readings[0].reading == trace.reading
