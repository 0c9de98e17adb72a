"""A reading that is too unsure is no answer: what is unknown is said, and the reading stays in the trace."""

from __future__ import annotations

import pytest

from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.judging.confidence import ENOUGH, MEANINGS, SURE_ENOUGH

QUESTION = "Who directed Pulp Fiction?"


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer is sure enough."""
    monkeypatch.setitem(ENOUGH, "normal", 1.0)


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("How tall is Xaver Unbekannt?", "“Xaver Unbekannt”"),
        ("Which rivers are longer than the Zzyzx?", "“Zzyzx”"),
    ],
)
def test_what_is_not_known_is_named(gateway: Pipeline, question: str, unknown: str) -> None:
    trace = gateway.ask(Ask(question, "sample"))
    assert (trace.status, trace.answer) == ("unanswerable", None)
    assert f"Nothing in this graph is called {unknown}" in trace.text


@pytest.mark.usefixtures("strict")
def test_what_came_closest_can_be_run(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask(QUESTION, "sample"))
    assert (trace.status, trace.answer, trace.result, trace.rows) == ("unanswerable", None, None, ())
    assert trace.diagnosis is not None
    assert "came closest" in trace.diagnosis
    assert trace.query is not None
    assert trace.bindings
    assert trace.program is not None
    answer = gateway.run(trace.program, "sample").answer
    assert answer is not None
    assert answer.strings == ("Quentin Tarantino",)


@pytest.mark.usefixtures("strict")
def test_who_wants_a_guess_gets_one(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask(QUESTION, "sample", guess=True))
    assert trace.status == "answered"


def test_a_guess_is_the_likelier_reading_though_it_finds_nothing(gateway: Pipeline) -> None:
    """Another reading, which is far less likely, has an answer."""
    question = "Who is the spouse of the siblings of Marie Curie?"
    refused, guess = (gateway.ask(Ask(question, "sample", guess=guess)) for guess in (False, True))
    assert (refused.status, guess.status) == ("unanswerable", "empty")
    assert guess.confidence > refused.confidence


@pytest.mark.parametrize(
    ("question", "ignored"),
    [
        (QUESTION, ()),
        ("Which purple rivers are longer than 5000 kilometres?", ("purple",)),
        ("Welche lila Flüsse sind länger als 5000 Kilometer?", ()),
    ],
)
def test_words_that_are_not_taken_into_account_are_listed(
    gateway: Pipeline, question: str, ignored: tuple[str, ...]
) -> None:
    """The account is exact enough only for English questions."""
    assert gateway.ask(Ask(question, "sample", guess=True)).ignored == ignored


def test_a_word_that_names_nothing_is_no_reason(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask("Which train runs through both Vienna and Budapest?", "sample"))
    assert trace.status == "unanswerable"
    assert "both" not in trace.text


def test_a_number_is_no_word_that_the_graph_lacks(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask("Name three zorblats of the quuxes.", "sample"))
    assert trace.status == "unanswerable"
    assert "quuxes" in trace.text
    assert "three" not in trace.text


def test_a_sure_answer_says_what_speaks_for_it(gateway: Pipeline) -> None:
    trace = gateway.ask(Ask(QUESTION, "sample"))
    assert trace.confidence > max(SURE_ENOUGH, 0.7)
    assert trace.confidence_parts.keys() <= MEANINGS.keys()
    assert all(0 <= part <= 1 for part in trace.confidence_parts.values())


def test_a_word_that_nothing_speaks_for_makes_less_sure(gateway: Pipeline) -> None:
    plain, strange = (
        gateway.ask(Ask(question, "sample", guess=True)).confidence
        for question in (
            "Which films were directed by Christopher Nolan?",
            "Which vexillological films were directed by Christopher Nolan?",
        )
    )
    assert strange < plain


@pytest.mark.parametrize(
    ("part", "sure", "unsure"),
    [
        ("weakest_word", "How many scientists are there?", "How many quokka scientists are there?"),
        ("found", "How many films did Quentin Tarantino direct?", "How many books did Marie Curie write?"),
    ],
)
def test_what_speaks_against_an_answer_lowers_its_part(
    gateway: Pipeline, part: str, sure: str, unsure: str
) -> None:
    parts = [gateway.ask(Ask(text, "sample", guess=True)).confidence_parts[part] for text in (sure, unsure)]
    assert parts[0] > parts[1]


def test_without_the_drafter_nothing_is_said_of_it(gateway: Pipeline) -> None:
    assert "written" in gateway.ask(Ask(QUESTION, "sample")).confidence_parts
    alone = gateway.ask(Ask(QUESTION, "sample", strategy="bottom-up"))
    assert "written" not in alone.confidence_parts
