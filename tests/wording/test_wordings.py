"""The plainest question of a program, and the ways to say it otherwise."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from compilers.kopl.functions import FUNCTIONS
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program, Step
from nlq_gateway.language.wording import Wording
from nlq_gateway.language.wording.english import (
    base_of_participle,
    base_of_third_person,
    past,
    plural,
    third_person,
)
from nlq_gateway.language.wording.relations import readings_of
from tests.clock import little_work

FILE = Path(__file__).parent / "fixtures" / "plain.jsonl"
CASES: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
MOST = 12


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["plain"])
def test_a_program_has_its_plain_question_and_variants(
    wordings: Mapping[str, Wording], case: dict[str, Any]
) -> None:
    questions = wordings[case["graph"]].questions(read_program(case["program"]), most=MOST)
    assert questions[0] == case["plain"]
    assert set(case["variants"]) <= set(questions)


@pytest.mark.parametrize(
    "verb",
    ["lie", "die", "tie", "carry", "flow", "watch", "live", "move", "serve", "use", "cause", "focus", "veto"],
)
def test_a_regular_verb_is_known_by_its_forms(verb: str) -> None:
    assert base_of_third_person(third_person(verb)) == verb
    assert base_of_participle(past(verb)) == verb


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("photo", "photos"),
        ("studio", "studios"),
        ("lens", "lenses"),
        ("potato", "potatoes"),
        ("life", "lives"),
        ("piece that they performed at it", "pieces that they performed at it"),
        ("film directed by X", "films directed by X"),
        ("production cost", "production costs"),
    ],
)
def test_a_plural_stays_as_it_is(one: str, many: str) -> None:
    assert (plural(one), plural(many)) == (many, many)


def test_what_the_things_of_a_plural_do_has_no_plural() -> None:
    assert plural("singers living in it") == "singers living in it"
    assert plural("apartment building in it") == "apartment buildings in it"


@pytest.mark.parametrize(
    ("name", "verb"),
    [("lives in", "live"), ("leaves", "leave"), ("gives", "give"), ("moves to", "move")],
)
def test_a_verb_is_not_taken_for_the_plural_of_a_noun(name: str, verb: str) -> None:
    forward = readings_of(name)[0].forward
    assert forward is not None
    assert forward.verb == verb


def test_every_function_has_words() -> None:
    steps = [step for case in CASES for step in read_program(case["program"]).steps]
    assert {step.signature.name for step in steps} == set(FUNCTIONS)


def test_the_plain_question_comes_first_whatever_the_seed(sample: Wording) -> None:
    program = read_program("Find(Fargo)->Relate(directed by, forward)->What()")
    found = [sample.questions(program, most=MOST, seed=seed) for seed in range(3)]
    assert found == [sample.questions(program, most=MOST, seed=seed) for seed in range(3)]
    assert {questions[0] for questions in found} == {"Who directed Fargo?"}
    assert len(set(found)) > 1
    assert sample.questions(program, most=1) == ("Who directed Fargo?",)


def test_iris_are_said_by_their_labels(sample: Wording) -> None:
    program = read_program(
        "Find(<http://world.example/Fargo>)->Relate(<http://world.example/directed_by>, forward)"
    )
    assert sample.questions(program, most=1) == ("Who directed Fargo?",)


def test_a_choice_decides_which_item_a_name_means(sample: Wording) -> None:
    program = read_program("Find(Norway)->Relate(country, backward)->FilterConcept(city)->What()")
    chosen = sample.questions(program, {(1, 0): ("http://world.example/located_in",)}, most=1)
    assert chosen[0].startswith("Which cities")


def test_there_are_no_words_for_a_table_of_unrelated_columns(sample: Wording) -> None:
    steps = (
        Step("Find", ("Norway",)),
        Step("Find", ("Fargo",)),
        Step("Table", (), (0, 1)),
    )
    assert sample.questions(Program(steps)) == ()


@pytest.mark.benchmark
def test_a_question_takes_less_than_a_millisecond(wordings: Mapping[str, Wording]) -> None:
    programs = [(wordings[case["graph"]], read_program(case["program"])) for case in CASES]
    for wording, program in programs:
        wording.questions(program, most=1)
    with little_work(1e-3 * len(programs)):
        for wording, program in programs:
            wording.questions(program, most=1)
