"""A program's fact beside its reverse, as the network of directions reads it, and what its odds bring."""

from __future__ import annotations

import math

import pytest

from compilers.kopl.notations import read_program
from nlq_gateway.judging.directions import StatedFact, directed, has_proper_names, stated_fact, told
from nlq_gateway.judging.reader import shared_reader

FACTS = {
    "Find(Ida)->Relate(teacher, forward)->What()": StatedFact(1, 0, None),
    "Find(Ida)->Relate(teacher, backward)->FilterConcept(painter)->Count()": StatedFact(1, None, 0),
    "Find(Ida)->Find(Leo)->Relate(teacher, forward)->And()->Exists()": StatedFact(2, 1, 0),
    "Find(Ida)->Find(Leo)->Relate(teacher, backward)->And()->Exists()": StatedFact(2, 0, 1),
}
NO_FACTS = (
    "FindAll()->FilterConcept(painter)->What()",
    "Find(Ida)->QueryAttr(height)",
    "Find(Ida)->Relate(teacher, forward)->Relate(teacher, forward)->What()",
    "FindAll()->FilterConcept(painter)->Relate(teacher, forward)->What()",
    "Find(Ida)->Find(Leo)->Relate(teacher, forward)->And()->Count()",
    "Find(Ida)->Relate(teacher, forward)->Exists()",
)


@pytest.mark.parametrize(("program", "fact"), FACTS.items())
def test_the_fact_of_a_program(program: str, fact: StatedFact) -> None:
    assert stated_fact(read_program(program)) == fact


@pytest.mark.parametrize("program", NO_FACTS)
def test_no_fact_where_more_than_one_relation_of_a_thing_is_asked_for(program: str) -> None:
    assert stated_fact(read_program(program)) is None


def test_an_occupation_has_no_proper_name() -> None:
    """ "Is Ann an Bob?" is no question."""
    program = "Find({})->Relate(occupation, forward)->Find(Ida)->And()->Exists()"
    assert has_proper_names(read_program(program.format("VAV 1")))
    assert not has_proper_names(read_program(program.format("actor")))


@pytest.mark.parametrize(
    ("question", "ends", "asked", "fact", "reverse"),
    [
        (
            "Who taught Ida Berg?",
            ("Ida Berg", None),
            "Who taught Ann?",
            "Ann teacher what",
            "what teacher Ann",
        ),
        ("Did Leo teach Ida?", ("Ida", "Leo"), "Did Ann teach Bob?", "Bob teacher Ann", "Ann teacher Bob"),
        ("is ida leo's pupil?", ("Ida", "Leo"), "is Ann Bob's pupil?", "Ann teacher Bob", "Bob teacher Ann"),
    ],
)
def test_names_of_the_question_are_given_ones(
    question: str, ends: tuple[str | None, str | None], asked: str, fact: str, reverse: str
) -> None:
    assert told(question, "teacher", *ends) == ((asked, fact), (asked, reverse))


@pytest.mark.parametrize(
    "ends",
    [("Ida", "Max"), ("Leo Berg", "Leo"), ("Leo Berg", "Leo Berg"), ("Ida", "")],
    ids=["missing", "within", "same", "empty"],
)
def test_nothing_is_told_of_names_that_the_question_lacks(ends: tuple[str, str]) -> None:
    assert told("Did Leo Berg teach Ida?", "teacher", *ends) is None


@pytest.mark.parametrize(("odds", "leaning"), [(0.0, 2.0), (-1.0, -0.5), (-4.0, 3.0)])
def test_a_program_and_its_reverse_share_their_odds(odds: float, leaning: float) -> None:
    both = [_probability(directed(odds, one)) for one in (leaning, -leaning)]
    assert sum(both) == pytest.approx(2 * _probability(odds))


@pytest.mark.parametrize("odds", [-9.0, -1.0, 0.0, 3.0])
def test_what_leans_nowhere_changes_nothing(odds: float) -> None:
    assert directed(odds, 0.0) == pytest.approx(odds)
    assert math.isfinite(directed(odds, 99.0))


def _probability(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


@pytest.mark.parametrize(
    ("question", "label", "subject", "object_"),
    [
        ("Was Ida taught by Leo?", "taught by", "Ida", "Leo"),
        ("Did Leo teach Ida?", "taught by", "Ida", "Leo"),
        ("Is Paris the capital of France?", "capital", "France", "Paris"),
        ("Is France the capital of Paris?", "capital", "Paris", "France"),
        ("Which company is Alphabet owned by?", "owned by", "Alphabet", None),
        ("Who is the mother of Ida?", "mother", "Ida", None),
        ("Whose mother is Ida?", "mother", None, "Ida"),
    ],
)
def test_a_plain_question_leans_to_its_fact(
    question: str, label: str, subject: str | None, object_: str | None
) -> None:
    fact, reverse = (told(question, label, *ends) for ends in ((subject, object_), (object_, subject)))
    assert fact is not None
    assert reverse is not None
    leaning, other = shared_reader().leanings([fact, reverse])
    assert leaning > 1
    assert other == pytest.approx(-leaning, abs=1e-3)
