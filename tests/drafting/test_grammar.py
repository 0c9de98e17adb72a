from __future__ import annotations

import json
from pathlib import Path

import pytest

from compilers.kopl.functions import ValueType
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program
from nlq_gateway.drafts.drafter.grammar import PartialProgram
from nlq_gateway.drafts.drafter.network import shared_network
from nlq_gateway.drafts.drafter.vocabulary import FILLED, WORD_ID, WORDS
from training.drafter.serial import DrafterWord, PointedArgument, TooLong, serial

EVERY_TYPE = frozenset(ValueType)
PROGRAMS = [
    json.loads(line)["program"]
    for line in (Path(__file__).parents[2] / "nlq_gateway/sample/questions.jsonl")
    .read_text("utf-8")
    .splitlines()
]


def written(program: Program) -> PartialProgram:
    """The program, written as the drafter would, each word being allowed where it comes."""
    state = PartialProgram()
    for part in serial(program):
        if isinstance(part, DrafterWord):
            assert part.text in set(state.words(EVERY_TYPE)), (part, state)
            state = state.after_word(part.text)
        else:
            assert state.wanted is not None
            assert state.wanted.kind == part.kind
            state = state.after_argument(part.text)
    return state


def _same_meaning(one: Program, other: Program) -> bool:
    """True if two programs differ only in the order of steps that do not feed each other."""

    def tree(program: Program, step: int) -> object:
        at = program.steps[step]
        return at.function, at.inputs, tuple(tree(program, dependency) for dependency in at.dependencies)

    return tree(one, len(one) - 1) == tree(other, len(other) - 1)


@pytest.mark.parametrize("data", PROGRAMS, ids=range(len(PROGRAMS)))
def test_every_program_of_the_sample_can_be_written(data: object) -> None:
    program = read_program(data)
    state = written(program)
    assert state.ended
    assert _same_meaning(Program(state.steps), program)


def test_a_step_that_is_used_twice_is_written_once() -> None:
    program = read_program(
        "Step 1: FindAll()\nStep 2: FilterConcept(film) <- 1\n"
        "Step 3: QueryAttr(duration) <- 2\nStep 4: Table() <- 2, 3"
    )
    words = [part.text for part in serial(program) if isinstance(part, DrafterWord)]
    assert words == ["FindAll", "FilterConcept", "@1", "QueryAttr", "Table", "2", "<end>"]
    assert Program(written(program).steps) == program


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("FindAll()->FilterConcept(film)->Count()->VerifyNum(0, =)", "VerifyNum(0)"),
        (
            "Step 1: FindAll()\nStep 2: QueryAttr(cost) <- 1\nStep 3: Find(X)\n"
            "Step 4: QueryAttr(cost) <- 3\nStep 5: Number(2)\n"
            "Step 6: Calculate(*) <- 4, 5\nStep 7: FilterCompare(>) <- 2, 6\nStep 8: What()",
            "Number(2)",
        ),
    ],
)
def test_a_number_that_the_question_does_not_state_is_a_word_with_its_function(
    text: str, filled: str
) -> None:
    program = read_program(text)
    assert DrafterWord(filled) in serial(program)
    state = written(program)
    assert state.ended
    assert Program(state.steps) == program


def test_a_number_that_the_question_states_is_pointed_at() -> None:
    parts = serial(read_program("FindAll()->FilterConcept(film)->Count()->VerifyNum(5, >)"))
    assert [part.text for part in parts if isinstance(part, PointedArgument)] == ["film", "5"]


def test_what_cannot_be_written_is_said() -> None:
    with pytest.raises(TooLong):
        serial(read_program("FindAll()->FilterConcept(film)->SelectTop(duration, largest, 21)->What()"))
    with pytest.raises(TooLong):
        serial(Program(read_program("FindAll()").steps * 25))


def test_functions_wait_for_what_feeds_them() -> None:
    begun = set(PartialProgram().words(EVERY_TYPE))
    assert begun - set(FILLED) == {"FindAll", "Find", "Number"}
    state = PartialProgram().after_word("FindAll")
    offered = set(state.words(EVERY_TYPE))
    assert {"FilterConcept", "Count", "What", "Find"} <= offered
    assert not {"And", "VerifyNum", "QFilterStr", "<end>"} & offered
    assert "<end>" in set(state.after_word("Count").words(EVERY_TYPE))


def test_conditions_wait_for_values_in_the_question() -> None:
    state = PartialProgram().after_word("FindAll")
    assert "FilterNum" not in set(state.words(frozenset()))
    assert "FilterNum" in set(state.words(frozenset([ValueType.QUANTITY])))


def test_arguments_are_of_the_kind_that_the_function_has() -> None:
    parts = serial(read_program("Find(X)->Relate(by, forward)->What()"))
    assert [part.kind for part in parts if isinstance(part, PointedArgument)] == ["entity", "relation"]


def test_only_words_of_the_vocabulary_are_offered() -> None:
    state = PartialProgram().after_word("FindAll")
    assert set(state.words(EVERY_TYPE)) <= set(WORDS)
    compared = state.after_word("FilterNum").after_argument("height").after_argument("3")
    assert set(compared.words(EVERY_TYPE)) == {"=", "!=", "<", "<=", ">", ">="}


def test_the_package_has_a_number_for_each_of_its_words() -> None:
    network = shared_network()
    assert network is not None
    assert len(network.token) == len(WORDS) == len(WORD_ID)
