"""Demonstrations chosen for prompts: by question, by program, and the same for all."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compilers.kopl.functions import Kind
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program, Step
from nlq_gateway.answering import Pipeline
from nlq_gateway.core.types import Demonstration, Links, Question
from nlq_gateway.drafts.demonstrations import Collection
from nlq_gateway.drafts.demonstrations.shots import post_order, runs_of, shared
from nlq_gateway.question.linking import Linker

Open = Callable[..., Pipeline]

WORLD = "http://world.example/"
EXAMPLES = {
    "Who made Pulp Fiction?": "Find(Pulp Fiction)->Relate(directed by, forward)->What()",
    "Who made Inception?": "Find(Inception)->Relate(directed by, forward)->What()",
    "Who made The Shining?": "Find(The Shining)->Relate(directed by, forward)->What()",
    "Who made Skyfall?": "Find(Skyfall)->Relate(directed by, forward)->What()",
    "How many films did Stanley Kubrick make?": (
        "Find(Stanley Kubrick)->Relate(directed by, backward)->FilterConcept(film)->Count()"
    ),
    "Is the Nile or the Rhine longer?": "Find(Nile)->Find(Rhine)->SelectBetween(length, greater)",
    "Which river is the longest?": f"FindAll()->FilterConcept(<{WORLD}river>)->SelectAmong(length, largest)",
    "Where was Goethe born?": f"Find(<{WORLD}Paris>)->Relate(located in, forward)->What()",
}


@pytest.fixture(scope="module")
def gateway(opened: Open) -> Pipeline:
    return opened(*(Demonstration(question, read_program(chain)) for question, chain in EXAMPLES.items()))


@pytest.fixture(scope="module")
def collection(gateway: Pipeline) -> Collection:
    return gateway.endpoint(None).demonstrations


def test_near_questions_come_first_and_not_only_those_of_one_form(
    gateway: Pipeline, collection: Collection
) -> None:
    links = Linker(gateway.endpoint(None).index).link(Question("Who made Fargo?"))
    found = collection.nearest(links, 10)
    assert [one.question for one in found[:3]] == list(EXAMPLES)[:3]
    assert sum(one.question.startswith("Who made") for one in found) == 3
    assert [one.similarity for one in found] == sorted((one.similarity for one in found), reverse=True)
    assert found[0].entities == ("Pulp Fiction",)
    assert [one.question for one in collection.nearest(links, 2)] == [one.question for one in found[:2]]


@pytest.mark.parametrize(
    ("program", "first"),
    [
        (
            "Find(a)->Relate(r, forward)->FilterConcept(c)->Count()",
            "How many films did Stanley Kubrick make?",
        ),
        ("Find(a)->Find(b)->SelectBetween(x, more)", "Is the Nile or the Rhine longer?"),
        ("FindAll()->FilterConcept(c)->SelectTop(x)", "Which river is the longest?"),
        ("Find(a)->Relate(r, onward)->QueryName()", "Who made Pulp Fiction?"),
    ],
)
def test_programs_of_a_like_form_are_found_for_a_program_that_is_wrong(
    collection: Collection, program: str, first: str
) -> None:
    found = collection.like_program(read_program(program), 5)
    assert found[0].question == first
    assert found == collection.like_program(read_program(program), 5)
    assert len(found) == 5
    everything = [one.question for one in collection.like_program(read_program(program), 10)]
    assert [one.startswith("Who made") for one in everything].count(True) == 3, "no more of one form"
    assert all(0 <= one.similarity <= 1 for one in found)


def test_fixed_ones_use_all_functions_there_are(collection: Collection) -> None:
    found = collection.fixed(5)
    assert {step.function for one in found for step in one.program.steps} == {
        step.function for chain in EXAMPLES.values() for step in read_program(chain).steps
    }
    assert found[:3] == collection.fixed(3)


def test_labels_stand_for_iris(collection: Collection) -> None:
    found = {one.question: one for one in collection.fixed(10)}
    assert found["Which river is the longest?"].program.named(Kind.CONCEPT) == ("river",)
    assert found["Where was Goethe born?"].entities == ("Paris",)


def test_without_demonstrations_there_are_none(opened: Open) -> None:
    plain = opened().endpoint(None).demonstrations
    links = Links(Question("Who made Fargo?"))
    assert (plain.nearest(links, 3), plain.like_program(Program(()), 3), plain.fixed(3)) == ((), (), ())


def test_a_step_stands_after_what_feeds_it_whatever_their_order() -> None:
    crossed = Program(
        (
            Step("Find", ("a",)),
            Step("FindAll"),
            Step("Relate", ("r", "forward"), (0,)),
            Step("FilterConcept", ("c",), (1,)),
            Step("And", (), (3, 2)),
            Step("QueryName", (), (4,)),
        )
    )
    assert post_order(crossed) == ("FindAll", "FilterConcept", "Find", "Relate", "And", "What")


steps = st.builds(
    Step,
    st.sampled_from(["Find", "And", "What", "Guess"]),
    st.just(()),
    st.lists(st.integers(-2, 8), max_size=3).map(tuple),
)
programs = st.lists(steps, max_size=8).map(tuple).map(Program)


@given(programs, programs)
def test_any_programs_can_be_compared(one: Program, other: Program) -> None:
    assert sorted(post_order(one)) == sorted(step.function for step in one.steps)
    first, second = (runs_of(post_order(program)) for program in (one, other))
    assert 0 <= shared(first, second) == shared(second, first) <= 1
    assert (shared(first, second) == 1) == (first == second)
