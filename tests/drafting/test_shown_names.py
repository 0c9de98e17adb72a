"""Things without a label are shown by all that names them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from compilers.kopl.program import Step
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.core.types import Question
from nlq_gateway.drafts.drafter.shown import with_havers, with_names
from nlq_gateway.drafts.drafter.values import StatedProgram
from nlq_gateway.index.naming import NamingAttributes
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.reading import QuestionReading

CLINIC = Path(__file__).parent / "fixtures" / "clinic.ttl"
CLINIC_IRI = "http://clinic.example/"
FIRST, LAST, EMAIL = ((CLINIC_IRI + name,) for name in ("firstName", "lastName", "email"))


@pytest.fixture(scope="module")
def clinic() -> Iterator[Pipeline]:
    """Owners without a label, who have a first and a last name; animals with one."""
    with opened((str(CLINIC),)) as gateway:
        yield gateway


@pytest.mark.parametrize(
    ("question", "concept", "shown", "columns"),
    [
        ("Which owners are there?", "Owner", None, [FIRST, LAST]),
        ("Which owners are there?", "Owner", FIRST, [FIRST, LAST]),
        ("Which owners are there?", "Owner", LAST, [FIRST, LAST]),
        ("Which owners are there?", "Owner", EMAIL, [EMAIL]),
        ("Which owner joined first?", "Owner", FIRST, [FIRST, LAST]),
        ("What are the first names of the owners?", "Owner", FIRST, [FIRST]),
        ("Which surnames do the owners have?", "Owner", LAST, [LAST]),
        ("Which animals are there?", "Animal", None, []),
    ],
)
def test_all_that_names_a_thing_is_shown(
    clinic: Pipeline,
    question: str,
    concept: str,
    shown: tuple[str] | None,
    columns: list[tuple[str]],
) -> None:
    index = clinic.endpoint(None).index
    reading = QuestionReading.of(Linker(index).link(Question(question)), index)
    last = Step("QueryAttr", ("asked",), (1,)) if shown else Step("What", (), (1,))
    steps = Step("FindAll"), Step("FilterConcept", (concept,), (0,)), last
    choices = {(1, 0): (CLINIC_IRI + concept,)}
    written = StatedProgram(steps, choices | ({(2, 0): shown} if shown else {}), {}, {})
    found = with_names(written, reading, NamingAttributes(index))
    asked = [found.choices[at, 0] for at, one in enumerate(found.steps) if one.function == "QueryAttr"]
    assert asked == columns
    assert (found.steps[-1] == Step("Table", (), (2, 3))) == (len(columns) == 2)


def test_a_person_to_whom_several_ways_lead_is_told_once(clinic: Pipeline) -> None:
    index = clinic.endpoint(None).index
    reading = QuestionReading.of(Linker(index).link(Question("Who do the animals belong to?")), index)
    found = Step("FilterConcept", ("animal",), (0,)), Step("Relate", ("owner", "forward"), (1,))
    choices = {(1, 0): (CLINIC_IRI + "Animal",), (2, 0): (CLINIC_IRI + "owner",)}
    written = StatedProgram((Step("FindAll"), *found, Step("What", (), (2,))), choices, {}, {})
    shown = with_names(written, reading, NamingAttributes(index))
    assert [one.function for one in shown.steps[3:]] == ["QueryAttr", "QueryAttr", "Table", "DistinctTable"]
    assert with_names(shown, reading, NamingAttributes(index)) == shown


@pytest.mark.parametrize(
    ("question", "steps", "function"),
    [
        ("Which owners have an email?", [Step("QueryAttr", ("email",), (1,))], "FilterHasAttr"),
        ("What email do the owners have?", [Step("QueryAttr", ("email",), (1,))], None),
        ("Which owners have an email?", [Step("What", (), (1,))], None),
    ],
)
def test_a_question_for_those_that_have_something_shows_them(
    clinic: Pipeline, question: str, steps: list[Step], function: str | None
) -> None:
    index = clinic.endpoint(None).index
    reading = QuestionReading.of(Linker(index).link(Question(question)), index)
    begun = Step("FindAll"), Step("FilterConcept", ("owner",), (0,))
    choices = {(1, 0): (CLINIC_IRI + "Owner",), (2, 0): EMAIL}
    found = with_havers(StatedProgram((*begun, *steps), choices, {}, {}), reading)
    expected = steps if function is None else [Step(function, ("email",), (1,)), Step("What", (), (2,))]
    assert found.steps == (*begun, *expected)


def test_a_person_is_told_by_first_and_last_name(clinic: Pipeline) -> None:
    answer = clinic.ask(Ask("Who is the owner of Mimi?")).answer
    assert answer is not None
    assert answer.strings == ("Greta\tFalk",)
