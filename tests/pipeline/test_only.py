"""With `only` nothing but the strategy is heard: no other way drafts, votes, or keeps back."""

from __future__ import annotations

import pytest
from scripted_gateway import modelled, steps, writing

from benchmarks.scripted_model import ScriptedModel
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.core.errors import InvalidRequest, ModelUnavailable
from nlq_gateway.trace import Trace

WHO = "Who directed Pulp Fiction?"
ELSEWHERE = steps("Find(Pulp Fiction)", "QueryAttr(duration)")
NOBODY = steps("FindAll()", "FilterConcept(film)", "FilterYear(publication date, 2090, >)", "What()")
UNSOUND = steps("Find(Pulp Fiction)", "VerifyYear(1994, =)")


def alone(gateway: Pipeline, model: ScriptedModel, strategy: str = "steps", **keys: object) -> Trace:
    return modelled(gateway, model, **keys).ask(Ask(WHO, "sample", strategy=strategy, only=True))


@pytest.mark.parametrize("strategy", ["steps", "code", "auto"])
def test_what_the_model_says_is_the_answer_though_all_others_know_better(
    gateway: Pipeline, strategy: str
) -> None:
    trace = alone(gateway, writing(ELSEWHERE), strategy)
    assert (trace.status, trace.text) == ("answered", "154 minutes")
    assert [(one.source, one.outcome) for one in trace.attempts] == [(trace.strategy, "answered")]
    assert "draft" not in trace.timings_ms


def test_a_program_that_finds_nothing_is_not_replaced(gateway: Pipeline) -> None:
    trace = alone(gateway, writing(NOBODY))
    assert (trace.status, trace.strategy) == ("empty", "steps")
    assert {one.source for one in trace.attempts} == {"steps"}


@pytest.mark.parametrize("calls", [1, 12])
def test_where_no_program_is_sound_there_is_no_answer_but_their_faults(gateway: Pipeline, calls: int) -> None:
    trace = alone(gateway, writing(UNSOUND), budget={"calls": calls})
    assert (trace.status, trace.answer) == ("unanswerable", None)
    assert {one.outcome for one in trace.attempts} == {"VerifyYear wants values, Find gives entities"}


def test_the_configuration_may_say_so_for_all(gateway: Pipeline) -> None:
    other = modelled(gateway, writing(ELSEWHERE), strategy="steps", only=True)
    assert other.ask(Ask(WHO, "sample")).text == "154 minutes"


def test_without_a_model_it_is_refused(gateway: Pipeline) -> None:
    with pytest.raises((InvalidRequest, ModelUnavailable)):
        gateway.ask(Ask(WHO, "sample", strategy="steps", only=True))
    assert gateway.ask(Ask(WHO, "sample", strategy="bottom-up", only=True)).text == "Quentin Tarantino"
