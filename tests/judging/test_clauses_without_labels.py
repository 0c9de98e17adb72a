"""What the clauses of a question plainly say, where names are values of things without labels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from compilers.kopl.notations import read_program
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.core.types import Draft, Question
from nlq_gateway.index import Index
from nlq_gateway.judging.clauses import asks_otherwise
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.reading import QuestionReading

SCHOOL = Path(__file__).parent / "fixtures" / "school.ttl"
NAMED = "FindAll()->FilterStr(first name, {})"
VERDICT = f"{NAMED}->Relate(mentor, {{}})->{NAMED}->And()->Exists()"
VALUE = f"{NAMED}->Relate(mentor, {{}})->QueryAttr(first name)->VerifyStr({{}})"
FILTERED = f"{NAMED}->Relate(mentor, {{}})->FilterStr(first name, {{}})->Exists()"
TEACHERS = "FindAll()->FilterConcept(teacher)"
CLUBS = "FindAll()->FilterConcept(club)"


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    """Teachers with first and last names, some with a mentor; clubs with spaces, which some teachers run."""
    with opened((str(SCHOOL),)) as gateway:
        yield gateway.endpoint(None).index


@pytest.mark.parametrize(
    ("question", "program", "otherwise"),
    [
        ("Does Ann have Bo as a mentor?", VERDICT.format("Ann", "forward", "Bo"), False),
        ("Does Ann have Bo as a mentor?", VERDICT.format("Bo", "forward", "Ann"), True),
        ("Is Bo the mentor of Ann?", VALUE.format("Ann", "forward", "Bo"), False),
        ("Is Bo the mentor of Ann?", VALUE.format("Ann", "backward", "Bo"), True),
        ("Is Bo the mentor of Ann?", FILTERED.format("Bo", "backward", "Ann"), False),
        ("Is Bo the mentor of Ann?", FILTERED.format("Bo", "forward", "Ann"), True),
        ("Which teachers have a mentor?", f"{TEACHERS}->FilterHasRelation(mentor, forward)->What()", False),
        ("Which teachers have a mentor?", f"{TEACHERS}->FilterHasRelation(mentor, backward)->What()", True),
        ("Which teachers have a mentor?", f"{TEACHERS}->Relate(mentor, forward)->What()", True),
        ("Which teachers have a mentor?", f"{TEACHERS}->Relate(mentor, backward)->What()", False),
        ("Which teachers have a mentor?", f"{TEACHERS}->What()", True),
        ("Which teachers have an email?", f"{TEACHERS}->QueryAttr(email)", True),
        ("Which teachers have an email?", f"{TEACHERS}->FilterHasAttr(email)->What()", False),
        ("Which clubs are run by anyone?", f"{CLUBS}->FilterHasRelation(run by, forward)->What()", False),
        ("How many spaces do the clubs have?", f"{CLUBS}->Count()", True),
        ("How many spaces do the clubs have?", f"{CLUBS}->QueryAttr(spaces)->Sum()", False),
        ("How many clubs have spaces?", f"{CLUBS}->Count()", False),
    ],
)
def test_a_program_may_say_otherwise(index: Index, question: str, program: str, otherwise: bool) -> None:
    reading = QuestionReading.of(Linker(index).link(Question(question)), index)
    written = read_program(program)
    bindings = Grounder(index).ground(written, near=False).bindings
    meant = {(one.step, one.argument): one.iri for one in bindings}
    draft = Draft(written, "test", 0.0, choices={place: (iri,) for place, iri in meant.items()})
    assert asks_otherwise(reading, draft, meant) is otherwise
