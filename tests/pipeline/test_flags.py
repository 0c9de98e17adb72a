"""Attributes that are true or false, from the index to the answer: questions say them as properties."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from compilers.from_sparql import program_of
from compilers.kopl.notations import NOTATIONS, read_program
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.drafts.demonstrations.queries import named, schema_of

HOTELS = Path(__file__).parent / "fixtures" / "hotels.ttl"
PROGRAMS = (
    (
        "FindAll()->FilterConcept(hotel)->FilterStr(is open, true)->What()",
        ["Old Mill", "Pine Lodge", "Sea View"],
    ),
    ("FindAll()->FilterConcept(hotel)->FilterStr(has parking, false)->What()", ["Old Mill"]),
    ("FindAll()->FilterConcept(pump)->FilterStr(active, true)->What()", ["Pool pump", "Spare pump"]),
    ("FindAll()->FilterConcept(pump)->FilterStr(active, false)->Count()", ["1"]),
    ("Find(Well pump)->QueryAttr(active)->VerifyStr(true)", ["no"]),
    ("Find(Spare pump)->QueryAttr(active)->VerifyStr(true)", ["yes"]),
    ("Find(Ambleton)->QueryAttr(coastal)", ["true"]),
    (
        "Step 1: FindAll()\nStep 2: FilterConcept(pump)\nStep 3: QueryAttr(active)\nStep 4: Table() <- 2, 3\n"
        "Step 5: FilterTable(2, true, !=)\nStep 6: DropColumn(2)",
        ["Well pump"],
    ),
    (
        "Step 1: FindAll()\nStep 2: FilterConcept(pump)\nStep 3: QueryAttr(active)\nStep 4: Table() <- 2, 3\n"
        "Step 5: FilterTable(2, true, =)\nStep 6: DropColumn(2)",
        ["Pool pump", "Spare pump"],
    ),
)
OTHERWISE = (
    ("FindAll()->FilterStr(has parking, no)->What()", ["Old Mill"]),
    ("FindAll()->FilterStr(has parking, True)->What()", ["Grand Astor", "Sea View"]),
    ("Find(Old Mill)->QueryAttr(is open)->VerifyStr(YES)", ["yes"]),
    ("Find(Grand Astor)->QueryAttr(is open)->VerifyStr(yes)", ["no"]),
)
QUESTIONS = (
    ("Which pumps are active?", ["Pool pump", "Spare pump"]),
    ("Which hotels have parking?", ["Grand Astor", "Sea View"]),
    ("Which pumps are not active?", ["Well pump"]),
    ("How many pumps are not active?", ["1"]),
    ("Is Grand Astor open?", ["no"]),
    ("Does Sea View have parking?", ["yes"]),
)


@pytest.fixture(scope="module")
def hotels() -> Iterator[Pipeline]:
    with opened((HOTELS,)) as gateway:
        yield gateway


@pytest.mark.parametrize(("text", "expected"), PROGRAMS)
def test_programs(hotels: Pipeline, text: str, expected: list[str]) -> None:
    answer = hotels.run(read_program(text)).answer
    assert answer is not None
    assert sorted(answer.strings) == expected


@pytest.mark.parametrize(("text", "expected"), OTHERWISE)
def test_another_word_for_true_and_false(hotels: Pipeline, text: str, expected: list[str]) -> None:
    trace = hotels.run(read_program(text))
    assert trace.answer is not None
    assert sorted(trace.answer.strings) == expected
    assert [one.code for one in trace.warnings] == ["name-replaced"]


def test_a_verdict_on_a_flag_says_it_all(hotels: Pipeline) -> None:
    asked = "Find({})->QueryAttr(is open)->VerifyStr(true)"
    told = [hotels.run(read_program(asked.format(name))).text for name in ("Grand Astor", "Old Mill")]
    assert told == ["no", "yes"]


@pytest.mark.parametrize(("question", "expected"), QUESTIONS)
def test_questions(hotels: Pipeline, question: str, expected: list[str]) -> None:
    """They are answered, and read as they are said: a reading in other words would be shown."""
    trace = hotels.ask(Ask(question))
    assert trace.answer is not None
    assert (sorted(trace.answer.strings), trace.reading) == (expected, "")


def test_a_verdict_says_no_more_than_yes_or_no(hotels: Pipeline) -> None:
    assert hotels.ask(Ask("Does Sea View have parking?")).text == "yes"


def test_a_set_of_others_with_a_property(hotels: Pipeline) -> None:
    trace = hotels.ask(Ask("hotels in coastal cities"))
    assert trace.answer is not None
    assert sorted(trace.answer.strings) == ["Old Mill", "Sea View"]


@pytest.mark.parametrize("pattern", ["ex:isOpen true", "ex:isOpen ?open FILTER(?open = true)"])
def test_queries_become_programs(hotels: Pipeline, pattern: str) -> None:
    index = hotels.endpoint(None).index
    query = f"PREFIX ex: <http://h/> SELECT ?hotel {{ ?hotel a ex:Hotel ; {pattern} }}"
    program, _ = named(program_of(query, schema_of(index), {}), index)
    assert "FilterStr(is open, true)" in NOTATIONS["steps"].write(program)
