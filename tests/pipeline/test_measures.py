""" "How much" asks for the attribute that measures it, and for nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.core.types import Question
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.measures import measure_asked
from nlq_gateway.question.reading.reading import QuestionReading

WIND = Path(__file__).resolve().parents[2] / "docs" / "tutorial" / "wind.ttl"


@pytest.fixture(scope="module")
def wind() -> Iterator[Pipeline]:
    """A graph of turbines, whose models have the measures."""
    with opened((str(WIND),)) as gateway:
        yield gateway


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How old is Eastmoor 1?", "2009-05-14"),
        ("How recent is Gull Point 1?", "2021-04-01"),
        # The 1 of the name is no kilowatt, and a model is not called by its height.
        ("How powerful is Eastmoor 1?", "2300 kilowatts"),
        *(
            pytest.param(
                question,
                "80 metres",
                marks=pytest.mark.xfail(strict=True, reason="the judge is unsure which measure is meant"),
            )
            for question in ("How big is Eastmoor 1?", "How tall is Eastmoor 1?")
        ),
        ("How much power does the A150 have?", "5200 kilowatts"),
    ],
)
def test_a_measure_is_answered_by_what_measures_it(wind: Pipeline, question: str, answer: str) -> None:
    trace = wind.ask(Ask(question))
    assert (trace.status, trace.text) == ("answered", answer)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How expensive is Eastmoor 1?", "Nothing in this graph speaks of “expensive”."),
        ("How heavy is the A150?", "Nothing in this graph speaks of “heavy”."),
    ],
)
def test_another_measure_is_no_answer(wind: Pipeline, question: str, said: str) -> None:
    trace = wind.ask(Ask(question))
    assert (trace.status, trace.confidence_parts["kind"]) == ("unanswerable", 0.0)
    assert trace.text == said


@pytest.mark.parametrize(
    "question", ["How rich is Tom Hanks?", "How hot is Berlin?", "How popular is Berlin?"]
)
def test_a_height_says_nothing_of_money_or_heat(gateway: Pipeline, question: str) -> None:
    trace = gateway.ask(Ask(question, "sample"))
    assert trace.status == "unanswerable"


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("How old is Eastmoor 1?", "old"),
        ("And how much did Titanic make?", "much"),
        ("Wie hoch ist der Turm?", "hoch"),
        ("How many films are there?", None),
        ("How did it end?", None),
        ("How any of them end", None),
        ("How are Berlin and Germany related?", None),
        ("How", None),
        ("Who knows?", None),
    ],
)
def test_the_word_that_asks_for_it(question: str, word: str | None) -> None:
    lowers = question.lower().rstrip("?").split()
    found = measure_asked(lowers)
    assert (None if found is None else lowers[found]) == word


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How old is Tom Hanks?", "1956-07-09"),
        ("Wie alt ist Tom Hanks?", "1956-07-09"),
        ("How old is the founder of Apple?", None),
    ],
)
def test_how_old_something_is_its_beginning_tells(
    gateway: Pipeline, question: str, answer: str | None
) -> None:
    trace = gateway.ask(Ask(question, "sample"))
    assert trace.status == "answered"
    assert answer in (None, trace.text)


@pytest.mark.parametrize(
    "question",
    [
        "How old was Marie Curie when she died?",
        "How old was Steve Jobs at his death?",
        "How old was Barack Obama when he became president?",
        "Wie alt war Marie Curie, als sie starb?",
    ],
)
def test_no_date_tells_an_age_at_an_event(gateway: Pipeline, question: str) -> None:
    trace = gateway.ask(Ask(question, "sample"))
    assert (trace.status, trace.confidence_parts["kind"]) == ("unanswerable", 0.0)


def test_the_age_of_a_place_is_not_that_of_its_country(gateway: Pipeline) -> None:
    answer = gateway.ask(Ask("How old is Berlin?", "sample")).answer
    assert answer is None or answer.empty


@pytest.mark.parametrize(
    ("question", "comparison"),
    [
        ("Which rivers have a length greater than or equal to 1000 km?", ">="),
        ("Which rivers have a length less than or equal to 1000 km?", "<="),
        ("Which rivers have a length greater than 1000 km?", ">"),
        ("Which rivers have a length of at least 1000 km?", ">="),
        ("Which films were published no later than 1990?", "<="),
        ("Which films were published not earlier than 1990?", ">="),
        ("Which films were published later than 1990?", ">"),
        ("Which films were published on or after 1990-01-01?", ">="),
        ("Which films were published in 1990 or before?", "<="),
        ("Which rivers have a length of 1000 km or more?", ">="),
    ],
)
def test_a_bound_may_be_reached(gateway: Pipeline, question: str, comparison: str) -> None:
    index = gateway.endpoint("sample").index
    reading = QuestionReading.of(Linker(index).link(Question(question)), index)
    assert [reading.operator(literal).comparison for literal in reading.links.literals] == [comparison]


@pytest.mark.parametrize(
    ("question", "joined"),
    [
        ("Which films were published on or after 1990-01-01?", 0),
        ("Which rivers are 1000 km long or longer?", 1),
        ("Which rivers have a length of 1000 km or more?", 0),
        ("Which films were directed by James Cameron or published in 1990 or later?", 1),
        ("Is the Nile or the Amazon longer?", 1),
    ],
)
def test_a_bound_that_may_be_reached_joins_no_two_things(
    gateway: Pipeline, question: str, joined: int
) -> None:
    index = gateway.endpoint("sample").index
    assert len(QuestionReading.of(Linker(index).link(Question(question)), index).ors) == joined


def test_a_film_of_a_day_or_later_meets_the_other_condition_too(gateway: Pipeline) -> None:
    question = "Which films published on or after 1997-01-01 are longer than 180 minutes?"
    answer = gateway.ask(Ask(question, "sample")).answer
    assert answer is not None
    titles = set(answer.strings)
    both = gateway.ask(Ask("Which films longer than 180 minutes were published after 1996?", "sample")).answer
    assert both is not None
    assert titles == set(both.strings)
