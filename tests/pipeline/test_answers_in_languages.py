"""Questions in other languages over names that are English: the model's program, and the answer in words."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from benchmarks.scripted_model import ScriptedModel
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.attempt import Ask
from nlq_gateway.models import ModelRequest
from nlq_gateway.trace import Trace
from tests.pipeline.scripted_gateway import modelled, steps

DIRECTED = steps("Find(Pulp Fiction)", "Relate(directed by, forward)", "What()")


@dataclass(frozen=True)
class Case:
    """A question with a sentence that answers it."""

    lang: str
    question: str
    text: str


CASES = (
    Case("de", "Wer führte bei Pulp Fiction Regie?", "Bei Pulp Fiction führte Quentin Tarantino Regie."),
    Case("es", "¿Quién dirigió Pulp Fiction?", "Pulp Fiction fue dirigida por Quentin Tarantino."),
    Case("fr", "Qui a réalisé Pulp Fiction ?", "C'est Quentin Tarantino qui a réalisé Pulp Fiction."),
    Case("zh", "谁执导了Pulp Fiction?", "Pulp Fiction由Quentin Tarantino执导。"),
    Case("zh", "Pulp Fiction的导演是谁?", "Pulp Fiction的导演是Quentin Tarantino。"),
)


def speaking(program: str, sentence: str) -> ScriptedModel:
    """A model that writes this program, and this sentence where it is asked to respond."""

    def script(request: ModelRequest) -> list[str]:
        return [sentence if request.prompt.body.endswith("Response:") else program]

    return ScriptedModel(script)


def asked(gateway: Pipeline, model: ScriptedModel, question: str, language: str = "") -> Trace:
    return modelled(gateway, model).ask(Ask(question, "sample", language, strategy="steps"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.question)
@pytest.mark.parametrize("said", [True, False], ids=["said", "found"])
def test_the_answer_is_in_the_language_of_the_question(gateway: Pipeline, case: Case, said: bool) -> None:
    trace = asked(gateway, speaking(DIRECTED, case.text), case.question, case.lang if said else "")
    assert (trace.strategy, trace.status, trace.text) == ("steps", "answered", case.text)
    assert trace.answer is not None
    assert trace.answer.strings == ("Quentin Tarantino",)
    assert trace.model_calls[-1].purpose == "respond"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.question)
def test_what_the_graph_does_not_say_is_not_said(gateway: Pipeline, case: Case) -> None:
    trace = asked(gateway, speaking(DIRECTED, f"{case.text} Roger Avary."), case.question)
    assert trace.text == "Quentin Tarantino"
    assert "response-refused" in [warning.code for warning in trace.warnings]


def test_a_question_in_english_costs_no_call_more(gateway: Pipeline) -> None:
    trace = asked(gateway, speaking(DIRECTED, "unasked"), "Who directed Pulp Fiction?")
    assert trace.text == "Quentin Tarantino"
    assert "respond" not in {call.purpose for call in trace.model_calls}


def test_without_a_model_the_text_stays_as_it_is(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask("Welche Länder grenzen an Tschechien?", "sample", guess=True))
    assert trace.model_calls == ()


def test_labels_in_the_language_of_the_question_are_used(gateway: Pipeline) -> None:
    program = steps("Find(Tschechien)", "Relate(shares border with, forward)", "What()")
    sentence = "An Tschechien grenzen die Länder Deutschland, Österreich, Polen und Slowakei."
    trace = asked(gateway, speaking(program, sentence), "Welche Länder grenzen an Tschechien?")
    assert trace.text == sentence
    assert trace.answer is not None
    assert set(trace.answer.strings) == {"Deutschland", "Österreich", "Polen", "Slowakei"}


def test_a_template_is_kept_where_that_is_wanted(gateway: Pipeline) -> None:
    model = speaking(DIRECTED, CASES[0].text)
    trace = modelled(gateway, model, response="template").ask(
        Ask(CASES[0].question, "sample", strategy="steps")
    )
    assert trace.text == "Quentin Tarantino"
