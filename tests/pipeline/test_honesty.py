"""The gateway says when it does not know, and never answers another question instead."""

from __future__ import annotations

import pytest

from nlq_gateway.answering import Ask, Pin, Pipeline
from nlq_gateway.trace import Trace


def codes(trace: Trace) -> list[str]:
    return [warning.code for warning in trace.warnings]


@pytest.mark.parametrize(
    "question",
    [
        "How tall is Xaver Unbekannt?",
        "Which rivers are longer than the Zzyzx?",
    ],
)
def test_a_name_that_leads_nowhere_is_not_passed_over(gateway: Pipeline, question: str) -> None:
    trace = gateway.ask(Ask(question, "sample"))
    assert (trace.status, trace.answer) == ("unanswerable", None)
    assert trace.diagnosis


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "Which countries in Europe have more than 50 million people?",
            {"France", "Germany", "Italy", "Russia", "Turkey", "United Kingdom"},
        ),
        ("Which two rivers in Europe are the longest?", {"Danube", "Volga"}),
        ("Which films did Christopher Nolan direct after 2010?", {"Oppenheimer"}),
    ],
)
def test_a_name_that_a_draft_leaves_out_is_not_passed_over(
    gateway: Pipeline, question: str, answer: set[str]
) -> None:
    trace = gateway.ask(Ask(question, "sample"))
    assert trace.answer is not None
    assert set(trace.answer.strings) == answer


def test_what_somebody_never_did_is_nothing(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask("Which films were directed by Angela Merkel?", "sample"))
    assert trace.status in ("empty", "unanswerable")
    assert trace.answer is None or trace.answer.empty
    assert trace.diagnosis


def test_a_kind_that_is_asked_for_is_not_passed_over(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask("Which novels were written by British authors?", "sample"))
    novels = gateway.ask(Ask("List all novels", "sample"))
    assert trace.answer is not None
    assert novels.answer is not None
    assert set(trace.answer.strings) < set(novels.answer.strings)


@pytest.mark.parametrize(
    ("denied", "said", "language"),
    [
        ("Which rivers do not flow through Germany?", "Which rivers flow through Germany?", "en"),
        ("Which countries are not in Europe?", "Which countries are in Europe?", "en"),
        (
            "Which films weren't directed by Christopher Nolan?",
            "Which films were directed by Christopher Nolan?",
            "en",
        ),
        (
            "Which rivers are longer than 1000 km but don’t flow through Germany?",
            "Which rivers flow through Germany?",
            "en",
        ),
        (
            "Welche Flüsse fließen nicht durch Deutschland?",
            "Welche Flüsse fließen durch Deutschland?",
            "de",
        ),
    ],
)
def test_what_is_denied_is_left_out(gateway: Pipeline, denied: str, said: str, language: str) -> None:
    without = gateway.ask(Ask(denied, "sample", language=language)).answer
    those = gateway.ask(Ask(said, "sample", language=language)).answer
    assert without is not None
    assert those is not None
    assert without.strings
    assert not set(without.strings) & set(those.strings)


@pytest.mark.parametrize(
    "question",
    [
        "Which rivers never freeze in Germany?",
        "Which films except good ones were directed by Christopher Nolan?",
        "What is the median length of the rivers?",
    ],
)
def test_what_cannot_be_denied_is_not_answered_as_if_it_were_said(gateway: Pipeline, question: str) -> None:
    assert gateway.ask(Ask(question, "sample")).status == "unanswerable"


@pytest.mark.parametrize(
    ("question", "step"),
    [
        ("Which rivers are not longer than 800 km?", "FilterNum(length, 800 kilometre, <=)"),
        ("Which films were not released in 2010?", "FilterYear(publication date, 2010, !=)"),
    ],
)
def test_a_denied_value_is_a_comparison(gateway: Pipeline, question: str, step: str) -> None:
    program = gateway.ask(Ask(question, "sample")).program
    assert program is not None
    assert step in map(str, program.steps)


@pytest.mark.xfail(strict=True, reason="unsure that there is nothing")
def test_a_value_that_nothing_has_gives_an_empty_answer_with_its_reason(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask("Which films did Steven Spielberg direct before 1940?", "sample"))
    assert trace.status == "empty"
    assert trace.diagnosis is not None
    assert "1940" in trace.diagnosis
    # That there is nothing is weighed by what was read, too.
    assert "read" in trace.confidence_parts


def test_two_bearers_of_a_name_are_told(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask("What is the capital of Georgia?", "sample"))
    assert trace.status == "ambiguous"
    assert trace.answer is not None
    assert trace.answer.strings == ("Tbilisi",)
    (warning,) = (w for w in trace.warnings if w.code == "ambiguous-name")
    assert "Atlanta" in warning.message


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", "wäre die Antwort: Atlanta"),
        ("fr", "la réponse serait : Atlanta"),
        ("xx", "the answer would be: Atlanta"),
    ],
)
def test_another_answer_is_told_in_the_language_of_the_question(
    gateway: Pipeline, language: str, words: str
) -> None:
    trace = gateway.ask(Ask("What is the capital of Georgia?", "sample", language=language))
    (warning,) = (w for w in trace.warnings if w.code == "ambiguous-name")
    assert words in warning.message


def test_a_pin_settles_which_bearer_is_meant(gateway: Pipeline) -> None:
    first = gateway.ask(Ask("What is the capital of Georgia?", "sample"))
    (binding,) = (b for b in first.bindings if b.kind == "entity")
    other = next(a for a in binding.alternatives if a.iri != binding.iri)
    pinned = gateway.ask(
        Ask(
            "What is the capital of Georgia?",
            "sample",
            pins=(Pin(binding.step, binding.argument, other.iri),),
        )
    )
    assert pinned.status == "answered"
    assert pinned.answer is not None
    assert pinned.answer.strings == ("Atlanta",)


def test_a_name_with_one_bearer_is_not_ambiguous(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask("Who directed Pulp Fiction?", "sample"))
    assert trace.status == "answered"
    assert "ambiguous-name" not in codes(trace)


def test_a_place_that_an_adjective_was_taken_for_is_told(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask("Which German cities have over a million inhabitants?", "sample"))
    assert trace.answer is not None
    assert set(trace.answer.strings) == {"Berlin", "Hamburg", "Munich", "Cologne"}
    (binding,) = (b for b in trace.bindings if b.kind == "entity")
    assert (binding.mention, binding.label, binding.how) == ("German", "Germany", "derived")
    assert binding.score < 1
    assert "German" in [alternative.label for alternative in binding.alternatives]
